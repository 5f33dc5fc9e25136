import { Hono } from 'hono';
import {
  systemAction,
  type ReadyResponse,
  type ReplayResponse,
  type SetAsideReason,
  type Signal,
  type SystemJob,
  type SystemReport,
  type TestAlertResponse,
} from '#contract/system/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { consume } from '#worker/auth/limits/counters.ts';
import { replaySetAside } from '#worker/clicks/queue/set-aside.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { TEST_ALERT } from '#worker/messages/system.ts';
import { sendAlerts } from './check-alerts.ts';
import type { JobFacts } from './facts.ts';
import { readFacts, type Reading } from './read-facts.ts';
import { readProvider } from './read-provider.ts';
import { fullAt } from './database-size.ts';
import { channelsOf, sendToChannels } from './send-alert.ts';
import { doAlertsWork, evaluateSignals, isReady, shownSignals } from './signals.ts';
import { count, desc, min, sum } from 'drizzle-orm';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { set_aside_windows } from '#worker/db/schema-system.ts';
import { ALERT } from '#worker/db/system-facts.ts';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { version } from '#package';

/** Readiness for everyone; details and the system page for administrators. */
export const systemRoutes = new Hono<ApiEnv>();

systemRoutes.get('/ready', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'ready', c.req.raw);
  const reading = await readFacts(c.env, c.get('now'));
  const signals = evaluateSignals(reading.facts);
  // Cron cannot report that it has stopped, so a monitor that reads this address does.
  c.executionCtx.waitUntil(sendAlerts(c.env, reading, signals));
  const ready = { ok: isReady(signals), alerts: doAlertsWork(signals) };
  const body: ReadyResponse =
    c.get('identity')?.role === 'admin'
      ? { ...ready, signals: shownSignals(signals, reading.facts) }
      : ready;
  if (ready.ok && ready.alerts) return c.json(body);
  c.header('Retry-After', '60');
  return c.json(body, 503);
});

systemRoutes.get('/admin/system', async (c) =>
  c.json(await readSystem(c.env, c.get('db'), c.get('origins').app, c.get('now'))),
);

systemRoutes.post('/admin/system', async (c) => {
  const { action } = readJson(c, systemAction);
  const db = c.get('db');
  const now = c.get('now');
  await runBatch(db, [
    recordAction({
      at: now,
      adminId: requireMember(c).id,
      action: `${action}_clicks`,
      subject: 'clicks',
    }),
  ]);
  return c.json((await replaySetAside(db, now)) satisfies ReplayResponse);
});

/** Each may mail 20 administrators. */
const TEST_ALERTS = { key: 'test-alerts', max: 5, windowMs: 10 * MINUTE_MS };

systemRoutes.post('/admin/system/test-alert', async (c) => {
  const db = c.get('db');
  const now = c.get('now');
  const { exceeded } = await consume(db, [TEST_ALERTS], now);
  if (exceeded !== null) {
    const retryAfter = Math.ceil(exceeded.retryAfterMs / 1000);
    throw apiError('too_many_test_alerts', { retryAfter });
  }
  const entry = { at: now, adminId: requireMember(c).id, action: 'test_alert', subject: 'alerts' };
  await runBatch(db, [recordAction(entry)]);
  const message = { event: 'test', text: TEST_ALERT, facts: {} } as const;
  const channels = await sendToChannels(c.env, message, now);
  return c.json({ channels } satisfies TestAlertResponse);
});

const REASONS_SHOWN = 10;

/** GET /api/admin/system */
async function readSystem(env: Env, db: Db, appOrigin: string, now: number): Promise<SystemReport> {
  const reading = await readFacts(env, now);
  const { facts } = reading;
  const { stored } = facts;
  const full = stored === null ? null : fullAt(stored, facts.limitBytes, now);
  const hasWindows = stored !== null && stored.setAside.windows > 0;
  return {
    checkedAt: textOf(now),
    release: {
      version,
      schema: facts.schema?.found || NEEDED_SCHEMA,
      deployedAt: env.VERSION?.timestamp || null,
    },
    signals: withBeginnings(shownSignals(evaluateSignals(facts), facts), reading),
    jobs: (stored?.jobs ?? []).map(showJob),
    alerts: channelsOf(env),
    setAside: {
      windows: stored?.setAside.windows ?? 0,
      clicks: stored?.setAside.clicks ?? 0,
      reasons: hasWindows ? await readReasons(db) : [],
    },
    database: {
      bytes: stored?.bytes ?? null,
      limitBytes: facts.limitBytes,
      fullOn: textOrNull(full),
    },
    sso: await readProvider(env, db, appOrigin),
  };
}

const showJob = (job: JobFacts): SystemJob => ({
  ...job,
  startedAt: textOf(job.startedAt),
  finishedAt: textOrNull(job.finishedAt),
  failingSince: textOrNull(job.failingSince),
  backlog: job.backlog && { left: job.backlog.left, since: textOf(job.backlog.since) },
});

async function readReasons(db: Db): Promise<SetAsideReason[]> {
  const { at, clicks, reason } = set_aside_windows;
  const rows = await db
    .select({
      reason,
      windows: count(),
      clicks: sum(clicks).mapWith(Number),
      since: min(at).mapWith(Number),
    })
    .from(set_aside_windows)
    .groupBy(reason)
    .orderBy(desc(count()))
    .limit(REASONS_SHOWN);
  return rows.map((row) => Object.assign(row, { since: textOf(row.since) }));
}

/** If it is not known when a bad signal began, the time at which its alert was sent counts. */
function withBeginnings(signals: Signal[], { stored }: Reading): Signal[] {
  return signals.map((signal) => {
    const alert = stored.find(({ name }) => name === ALERT + signal.signal);
    return signal.state !== 'bad' || signal.since !== null || alert === undefined
      ? signal
      : { ...signal, since: textOf(alert.at) };
  });
}

const textOf = (ms: number): string => new Date(ms).toISOString();
const textOrNull = (ms: number | null): string | null => (ms === null ? null : textOf(ms));
