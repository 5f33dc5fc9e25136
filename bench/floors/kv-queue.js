// Floor: one KV read, and one queue message per click after the response. The consumer drops the
// batch.
import { clickEvent } from './click-event.js';
export default {
  async fetch(request, env, ctx) {
    const url = request.url;
    const code = url.slice(url.indexOf('/', 8) + 1);
    const target = await env.LINKS.get(code);
    if (target === null) return new Response('Not found', { status: 404 });
    ctx.waitUntil(env.CLICKS.send(clickEvent(code, request)));
    return new Response(null, { status: 302, headers: { location: target } });
  },
  async queue() {},
};
