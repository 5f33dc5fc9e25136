import { count, desc, min, sum } from 'drizzle-orm';
import type { SetAsideReason, Signal, SystemReport } from '#contract/system.ts';
import type { Db } from '#worker/db/client.ts';
import { set_aside_windows } from '#worker/db/schema-system.ts';
import { ALERT } from '#worker/db/system-facts.ts';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { version } from '#package';
import { readFacts, type Reading } from './read-facts.ts';
import { canMail } from './send-alert.ts';
import { fullAt, evaluateSignals } from './signals.ts';

const REASONS_SHOWN = 10;

/** GET /api/admin/system */
export async function readSystem(env: Env, db: Db, now: number): Promise<SystemReport> {
  const reading = await readFacts(env, now);
  const { facts } = reading;
  const { stored } = facts;
  const full = stored === null ? null : fullAt(stored, facts);
  const hasWindows = stored !== null && stored.setAside.windows > 0;
  return {
    checked_at: textOf(now),
    release: {
      version,
      schema: facts.schema?.found || NEEDED_SCHEMA,
      deployed_at: env.VERSION?.timestamp || null,
    },
    signals: withBeginnings(evaluateSignals(facts), reading),
    jobs: (stored?.jobs ?? []).map((job) => ({
      name: job.name,
      started_at: textOf(job.startedAt),
      finished_at: textOrNull(job.finishedAt),
      ok: job.ok,
      detail: job.detail,
      failing_since: textOrNull(job.failingSince),
      backlog: job.backlog && { left: job.backlog.left, since: textOf(job.backlog.since) },
    })),
    alerts: { webhook: Boolean(env.ALERT_WEBHOOK_URL), mail: canMail(env) },
    set_aside: {
      windows: stored?.setAside.windows ?? 0,
      clicks: stored?.setAside.clicks ?? 0,
      reasons: hasWindows ? await readReasons(db) : [],
    },
    database: {
      bytes: stored?.bytes ?? null,
      limit_bytes: facts.limitBytes,
      full_on: textOrNull(full),
    },
  };
}

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
