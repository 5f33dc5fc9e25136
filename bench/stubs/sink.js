// Counts queue messages and drops them. GET returns how many there were.
let count = 0;
let bytes = 0;
const reply = {
  metadata: { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 } },
};
export default {
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ count, bytes });
    const body = await request.arrayBuffer();
    bytes += body.byteLength;
    const n = request.headers.get('CF-Queue-Batch-Count');
    count += n ? Number(n) : 1;
    return Response.json(reply);
  },
};
