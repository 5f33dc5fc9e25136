import { like, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { job_runs } from '#worker/db/schema-system.ts';

/** The work that a job has left. `since` in ms; `left` in the job's own unit, usually rows. */
export type JobBacklog = { job: string; left: number; since: number };

const SUFFIX = ':backlog';

/** Whether a row of `job_runs` with this name records the backlog of `job`. */
export const isBacklogOf = (job: string, rowName: string): boolean => rowName === job + SUFFIX;

export const hasBacklog = (job: string) =>
  sql`exists (select 1 from job_runs as left_over where left_over.name = ${job + SUFFIX})`;

/**
 * The statement that records the work that a run at `now` has left. `since` stays the time at which
 * the backlog began.
 */
export function recordBacklog(
  db: Db,
  job: string,
  { left, since }: { left: number; since?: number | undefined },
  now: number,
) {
  const row = {
    finished_at: now,
    detail: String(left),
    ...(since === undefined ? {} : { started_at: since }),
  };
  return db
    .insert(job_runs)
    .values({ name: job + SUFFIX, started_at: now, ...row })
    .onConflictDoUpdate({ target: job_runs.name, set: row });
}

export const clearBacklog = (db: Db, job: string) =>
  db.delete(job_runs).where(sql`${job_runs.name} = ${job + SUFFIX}`);

/** The backlog of every job that has one. A job without one left no work at its last run. */
export async function readBacklogs(db: Db): Promise<JobBacklog[]> {
  const rows = await db
    .select()
    .from(job_runs)
    .where(like(job_runs.name, `%${SUFFIX}`));
  return rows.map(({ name, started_at, detail }) => ({
    job: name.slice(0, -SUFFIX.length),
    left: Number(detail),
    since: started_at,
  }));
}
