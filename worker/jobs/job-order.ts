import { inArray } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { readBacklogs } from '#worker/db/job-backlog.ts';
import { job_runs } from '#worker/db/schema-system.ts';

type Scheduled = { name: string; everyMs: number };

/**
 * The jobs that may be due at `now`, the one that has waited longest first; equal ones stay in order. Two statements, whatever the
 * number of jobs: claiming each in turn would take one per job.
 */
export async function mostOverdueFirst<T extends Scheduled>(db: Db, jobs: readonly T[], now: number): Promise<T[]> {
  const names = jobs.map(({ name }) => name);
  const [runs, backlogs] = await Promise.all([db.select().from(job_runs).where(inArray(job_runs.name, names)), readBacklogs(db)]);
  const overdueMs = ({ name, everyMs }: T): number => {
    const last = runs.find((run) => run.name === name);
    if (last === undefined) return Infinity;
    const isWaiting = !last.ok || last.finished_at === null || backlogs.some(({ job }) => job === name);
    return now - last.started_at - (isWaiting ? Math.min(MINUTE_MS, everyMs) : everyMs);
  };
  return jobs
    .map((job) => ({ job, overdue: overdueMs(job) }))
    .filter(({ overdue }) => overdue >= -EARLY_MS)
    .toSorted((a, b) => (a.overdue === b.overdue ? 0 : b.overdue - a.overdue))
    .map(({ job }) => job);
}

/** Cron may start up to this early. Without the allowance a job due every minute would skip that minute. */
export const EARLY_MS = 20_000;
