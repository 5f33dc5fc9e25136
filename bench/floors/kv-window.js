// Floor: one KV read, and the clicks of a short window as one message.
import { count, redirectTo } from './window.js';
export default {
  async fetch(request, env, ctx) {
    const url = request.url;
    const code = url.slice(url.indexOf('/', 8) + 1);
    const target = await env.LINKS.get(code);
    if (target === null) return new Response('Not found', { status: 404 });
    count(code, request, env, ctx);
    return redirectTo(target);
  },
  async queue() {},
};
