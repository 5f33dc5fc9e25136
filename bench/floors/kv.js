// Floor: one KV read, then the redirect.
export default {
  async fetch(request, env) {
    const url = request.url;
    const code = url.slice(url.indexOf('/', 8) + 1);
    const target = await env.LINKS.get(code);
    if (target === null) return new Response('Not found', { status: 404 });
    return new Response(null, { status: 302, headers: { location: target } });
  },
};
