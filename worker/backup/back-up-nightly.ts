import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/db/job-budget.ts';
import { BACKUP, saveFact } from '#worker/db/system-facts.ts';
import { decodeJson, encodeJson } from './backup-format.ts';
import { deleteOldCopies, finishedAt, partsOf } from './copies.ts';
import { LARGE_RUN, progressSchema, SMALL_RUN, startBackup, writeBackup } from './write-backup.ts';

/** A copy begins at this hour (UTC), or as soon as cron runs after it. */
const BEGINS_AT_HOUR = 2;
const PROGRESS = 'progress.json';

/**
 * Copies the database to the bucket once a day, in as many runs as that takes, and deletes copies that are no longer kept.
 * What a run has done is in `progress.json` beside the parts.
 */
export async function backUpNightly(
  env: Pick<Env, 'DB' | 'BACKUPS' | 'WORKERS_PLAN'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const date = new Date(now - BEGINS_AT_HOUR * HOUR_MS).toISOString().slice(0, 10);
  if ((await finishedAt(env, date)) !== null) return 'nothing due';
  const db = openDb(env.DB);
  const store = partsOf(env, date);
  const saved = await store.read(PROGRESS);
  const progress =
    (saved === null ? undefined : progressSchema.safeParse(decodeJson(saved)).data) ?? (await startBackup(db, now));
  const size = env.WORKERS_PLAN === 'free' ? SMALL_RUN : LARGE_RUN;
  const isDone = await writeBackup(db, store, progress, () => now, budget.canContinue, size);
  const { parts, tables } = progress.manifest;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const detail = `${rows} rows in ${parts.length} parts`;
  if (isDone) {
    await saveFact(db, { name: BACKUP, at: now, value: date });
    const deleted = await deleteOldCopies(env, date);
    return deleted === 0 ? detail : `${detail}, ${deleted} old copies deleted`;
  }
  await store.write(PROGRESS, encodeJson(progress));
  // A copy may take hours. The signal Backup says when one takes too long, not the signal Backlog.
  return { detail: `${detail} so far`, left: 1, since: now };
}
