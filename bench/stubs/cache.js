// A Cache API back end that never has an entry.
export default {
  fetch(request) {
    if (request.method === 'PUT') return new Response(null, { status: 204 });
    if (request.method === 'PURGE') return new Response(null, { status: 404 });
    return new Response(null, { status: 504, headers: { 'CF-Cache-Status': 'MISS' } });
  },
};
