// Floor (c): one KV read, one queue.send off the response path, a consumer that drops the batch.
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
