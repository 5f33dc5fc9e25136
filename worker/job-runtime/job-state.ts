import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { job_runs } from '#worker/db/schema-system.ts';

/** Stores data for a job's next run, or its last result, in a separate row of `job_runs`. */
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
