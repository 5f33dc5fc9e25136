/** In-memory storage for a measured Worker, with the HTTP interfaces of workerd's bindings. */
type StubEnv = { SEED: Record<string, string> };

let messages = 0;

/** A KV namespace that holds SEED. It answers `GET /<key>?urlencoded=true`. */
export const kv = {
  fetch({ url }: Request, { SEED }: StubEnv): Response {
    const start = url.indexOf('/', 8) + 1;
    const query = url.indexOf('?', start);
    const key = decodeURIComponent(url.slice(start, query === -1 ? undefined : query));
    const value = SEED[key];
    return value === undefined ? new Response(null, { status: 404 }) : new Response(value);
  },
};

/** A queue that counts its messages and drops them. GET returns the count. */
export const queue = {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(messages);
    await request.arrayBuffer();
    messages += Number(request.headers.get('CF-Queue-Batch-Count') ?? 1);
    const metrics = { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 };
    return Response.json({ metadata: { metrics } });
  },
};

/** A Cache API without entries, assets without files, and a network that never responds. */
export default {
  fetch: ({ method }: Request): Response =>
    method === 'PUT'
      ? new Response(null, { status: 204 })
      : new Response(null, { status: 504, headers: { 'CF-Cache-Status': 'MISS' } }),
};
