import { handleRequest } from './router.ts';

/** The platform looks for the classes of Durable Objects here. */
export { PasswordHasher } from '#worker/auth/password/password-hasher.ts';
export { ClickCounter } from '#worker/click-limits/click-counter.ts';

export default {
  fetch: respond,
  async queue(batch, env, ctx) {
    // `npm run deploy` names it after the environment: hop-staging-webhooks.
    if (batch.queue.endsWith('-webhooks')) {
      const { consumeWebhooks } = await import('#worker/webhooks/consume.ts');
      await consumeWebhooks(batch, env, ctx);
      return deliverMetricsSometimes(env);
    }
    const { consumeBatch } = await import('#worker/clicks/queue/consume-batch.ts');
    await consumeBatch(batch, env);
    const { checkAlertsSometimes } = await import('#worker/system/check-alerts.ts');
    await checkAlertsSometimes(env, Date.now());
    await deliverMetricsSometimes(env);
  },
  async scheduled(controller, env, ctx) {
    const { runDueJobs } = await import('#worker/jobs/schedule.ts');
    const { checkAlerts } = await import('#worker/system/check-alerts.ts');
    const jobs = runDueJobs(env, controller.scheduledTime);
    ctx.waitUntil(jobs.then(() => deliverMetricsSometimes(env)));
    // The checks run in parallel with the jobs, because failing storage can block jobs for minutes.
    ctx.waitUntil(checkAlerts(env, Date.now(), true));
  },
} satisfies ExportedHandler<Env>;

/** Delivers what handlers without a request have measured. */
async function deliverMetricsSometimes(env: Env): Promise<void> {
  const { deliverMetricsSometimes: deliver } =
    await import('#worker/system/metrics/deliver-metrics.ts');
  await deliver(env, Date.now());
}

/** Logs a share of the requests. All others only draw a random number. */
function respond(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  if (Math.random() < Number(env.LOG_SAMPLE_RATE)) return respondAndLog(request, env, ctx);
  return handleRequest(request, env, ctx);
}

async function respondAndLog(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const startedAt = Date.now();
  const response = handleRequest(request, env, ctx);
  const { logRequest } = await import('#worker/http/log-request.ts');
  return logRequest(request, response, startedAt);
}
