import { Hono } from 'hono';
import { systemAction, type ReadyResponse, type ReplayResponse } from '#contract/system.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { replaySetAside } from '#worker/clicks/queue/set-aside.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { sendAlerts } from './check-alerts.ts';
import { readFacts } from './read-facts.ts';
import { readSystem } from './report.ts';
import { isReady, evaluateSignals } from './signals.ts';

/** Readiness for everyone; details and the system page for administrators. */
export const systemRoutes = new Hono<ApiEnv>();

systemRoutes.get('/ready', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'ready', c.req.raw);
  const reading = await readFacts(c.env, c.get('now'));
  const signals = evaluateSignals(reading.facts);
  // Cron cannot report that cron has stopped. Whoever watches this address can.
  c.executionCtx.waitUntil(sendAlerts(c.env, reading, signals));
  const ok = isReady(signals);
  const body: ReadyResponse = c.get('identity')?.role === 'admin' ? { ok, signals } : { ok };
  return c.json(body, ok ? 200 : 503);
});

systemRoutes.get('/admin/system', async (c) =>
  c.json(await readSystem(c.env, c.get('db'), c.get('now'))),
);

systemRoutes.post('/admin/system', async (c) => {
  const { action } = readJson(c, systemAction);
  const db = c.get('db');
  const now = c.get('now');
  await db.batch([
    recordAction(db, {
      at: now,
      adminId: requireMember(c).id,
      action: `${action}_clicks`,
      subject: 'clicks',
    }),
  ]);
  return c.json((await replaySetAside(db, now)) satisfies ReplayResponse);
});
