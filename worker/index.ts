import { handleRequest } from './router.ts';

export default {
  fetch: handleRequest,
  async queue(batch, env) {
    const { consumeBatch } = await import('#worker/clicks/consume-batch.ts');
    await consumeBatch(batch, env);
  },
  async scheduled(controller, env, ctx) {
    const { runDueJobs } = await import('#worker/jobs/schedule.ts');
    ctx.waitUntil(runDueJobs(env, controller.scheduledTime));
  },
} satisfies ExportedHandler<Env>;
