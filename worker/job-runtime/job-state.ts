import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { job_runs } from '#worker/db/schema-system.ts';

/**
 * Stores what a job needs in its next run, or its last result, as a row of `job_runs` beside the
 * job's own.
 */
export async function saveJobState(
  db: Db,
  name: string,
  { at, ok, detail }: { at: number; ok: boolean; detail: string },
): Promise<void> {
  const row = { started_at: at, finished_at: at, ok, detail };
  await db
    .insert(job_runs)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: job_runs.name, set: row });
}

/** The `detail` that `saveJobState` stored under this name, or null. */
export async function readJobState(db: Db, name: string): Promise<string | null> {
  const row = await db
    .select({ detail: job_runs.detail })
    .from(job_runs)
    .where(eq(job_runs.name, name))
    .get();
  return row?.detail ?? null;
}
