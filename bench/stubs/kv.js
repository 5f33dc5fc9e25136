// A KV namespace in memory, with the HTTP interface that workerd's kvNamespace binding uses:
// GET /<key>?urlencoded=true, PUT, DELETE.
import seed from 'seed';
const store = new Map(
  Object.entries(seed).map(([k, v]) => [k, typeof v === 'string' ? { value: v } : v]),
);
export default {
  async fetch(request) {
    const url = request.url;
    const start = url.indexOf('/', 8) + 1;
    const q = url.indexOf('?', start);
    const path = q < 0 ? url.slice(start) : url.slice(start, q);
    const key = decodeURIComponent(path);
    if (request.method === 'GET') {
      if (key === '') {
        const keys = [...store.keys()].map((name) => ({ name }));
        return Response.json({ keys, list_complete: true });
      }
      const hit = store.get(key);
      if (hit === undefined) return new Response(null, { status: 404 });
      return hit.metadata === undefined
        ? new Response(hit.value)
        : new Response(hit.value, { headers: { 'CF-KV-Metadata': JSON.stringify(hit.metadata) } });
    }
    if (request.method === 'PUT') {
      const metadata = request.headers.get('CF-KV-Metadata');
      store.set(key, {
        value: await request.text(),
        ...(metadata && { metadata: JSON.parse(metadata) }),
      });
      return new Response(null);
    }
    if (request.method === 'DELETE') {
      store.delete(key);
      return new Response(null);
    }
    return new Response(null, { status: 405 });
  },
};
