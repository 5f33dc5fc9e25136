import { sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { isBacklogOf } from '#worker/job-runtime/job-backlog.ts';
import { job_runs } from '#worker/db/schema-system.ts';

type Scheduled = { name: string; everyMs: number; waits?: (now: number) => SQL };

/**
 * How often a job without work runs on the free plan. Each run writes two rows, of which a day
 * allows 100,000. The signal *Cron* stays green.
 */
const IDLE_EVERY_MS = 5 * MINUTE_MS;
/** How often a job runs on the free plan if it cannot tell whether it has work. */
const RARELY_MS = 15 * MINUTE_MS;

/** How often a job runs at least. On the free plan a job without work rests. */
export const longestRest = (job: Scheduled, isSmall: boolean): number =>
  isSmall ? Math.max(job.everyMs, restOf(job)) : job.everyMs;

const restOf = ({ waits }: Scheduled): number => (waits === undefined ? RARELY_MS : IDLE_EVERY_MS);

/**
 * The jobs that may be due at `now` on the free plan, the most overdue first; ties keep their
 * order. It takes two statements for all jobs, because claiming each in turn would take one per
 * job.
 */
export async function mostOverdueFirst<T extends Scheduled>(
  db: Db,
  jobs: readonly T[],
  now: number,
): Promise<T[]> {
  const { name, started_at, finished_at, ok } = job_runs;
  const [runs, waiting] = await Promise.all([
    db.select({ name, started_at, finished_at, ok }).from(job_runs),
    readWaiting(db, jobs, now),
  ]);
  const overdueMs = (job: T): number => {
    const last = runs.find((run) => run.name === job.name);
    if (last === undefined) return Infinity;
    const isBehind =
      !last.ok || last.finished_at === null || runs.some((run) => isBacklogOf(job.name, run.name));
    const everyMs =
      isBehind || waiting.has(job.name) ? Math.min(MINUTE_MS, job.everyMs) : longestRest(job, true);
    return now - last.started_at - everyMs;
  };
  return jobs
    .map((job) => ({ job, overdue: overdueMs(job) }))
    .filter(({ overdue }) => overdue >= -EARLY_MS)
    .toSorted((a, b) => (a.overdue === b.overdue ? 0 : b.overdue - a.overdue))
    .map(({ job }) => job);
}

/** The names of the jobs that have work. */
async function readWaiting(
  db: Db,
  jobs: readonly Scheduled[],
  now: number,
): Promise<ReadonlySet<string>> {
  const questions = jobs.flatMap(({ name, waits }) =>
    waits === undefined ? [] : [sql`iif(${waits(now)}, ${name}, '')`],
  );
  const [row] = await db.all<{ names: string }>(
    sql`select json_array(${sql.join(questions, sql`, `)}) as names`,
  );
  const names: string[] = JSON.parse(row?.names ?? '[]');
  return new Set(names);
}

/**
 * Cron may start up to this early. Without the allowance, a job that is due every minute would skip
 * that minute.
 */
export const EARLY_MS = 20_000;
