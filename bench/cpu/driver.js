// Delivers messages and runs cron, as the platform does: workerd alone has no address for either.
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/ready') return new Response('ready');
    const given = await request.json();
    const answer =
      pathname === '/queue'
        ? await env.MAIN.queue(
            given.queue,
            given.messages.map((message) => ({
              ...message,
              timestamp: new Date(message.timestamp),
            })),
          )
        : await env.MAIN.scheduled({ cron: '* * * * *', scheduledTime: new Date(given.at) });
    return Response.json(answer);
  },
};
