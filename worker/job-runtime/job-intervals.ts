import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { job_runs, system_facts } from '#worker/db/schema-system.ts';
import { SCHEDULE, type SystemFact } from '#worker/db/system-facts.ts';

/** How often each job runs, by its name, in ms, and since when cron has run them without a pause. */
export type JobIntervals = { since: number; everyMs: Readonly<Record<string, number>> };

/** Later than this, cron has paused. */
export const CRON_LATE_MS = 10 * MINUTE_MS;

/**
 * The statement that stores the intervals, so that the signal *Jobs* knows what should run. `since`
 * begins again when the jobs change, and when cron has paused, because all jobs are late then.
 */
export function recordIntervals(db: Db, everyMs: JobIntervals['everyMs'], now: number) {
  const { name, value } = system_facts;
  const row = { at: now, value: JSON.stringify(everyMs) };
  return db
    .insert(system_facts)
    .values({ name: SCHEDULE, ...row })
    .onConflictDoUpdate({
      target: name,
      set: row,
      setWhere: sql`${value} <> ${row.value} or not exists (
        select 1 from ${job_runs} where ${job_runs.started_at} > ${now - CRON_LATE_MS})`,
    });
}

/** The intervals among the facts; null before the first run of cron. */
export function intervalsOf(rows: readonly SystemFact[]): JobIntervals | null {
  const row = rows.find(({ name }) => name === SCHEDULE);
  return row === undefined ? null : { since: row.at, everyMs: JSON.parse(row.value) };
}
