// Reference (e): a memory without bound or end, and the window.
import { count, moved } from './window.js';
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
    return moved(target);
  },
  async queue() {},
};
