// Floor: a memory without bound or expiry, and the clicks of a short window as one message.
import { count, redirectTo } from './window.js';
const memory = new Map();
export default {
  async fetch(request, env, ctx) {
    const url = request.url;
    const code = url.slice(url.indexOf('/', 8) + 1);
    let target = memory.get(code);
    if (target === undefined) {
      target = await env.LINKS.get(code);
      if (target === null) return new Response('Not found', { status: 404 });
      memory.set(code, target);
    }
    count(code, request, env, ctx);
    return redirectTo(target);
  },
  async queue() {},
};
