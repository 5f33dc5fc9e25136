// The least that calls of the storage cost: GET /d1/20 and /kv/20 make 20 calls, one after another,
// and answer.
export default {
  async fetch(request, env) {
    const [, kind, count] = new URL(request.url).pathname.split('/');
    for (let n = 0; n < Number(count); n++) {
      if (kind === 'd1') await env.DB.prepare('SELECT 1').all();
      else await env.LINKS.put(`key${n}`, 'value');
    }
    return new Response('done');
  },
};
