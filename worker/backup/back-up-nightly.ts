import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { BACKUP, saveFact } from '#worker/db/system-facts.ts';
import { BASE_DATE, copyKeyOf, decodeSigned, encodeSigned, storeCopyKey } from './backup-format.ts';
import { findBase, saveBase } from './base.ts';
import { dateOf, deleteOldCopies, finishedAt, partStoreOf } from './copies.ts';
import { isBeingRestored } from './backup-tables.ts';
import { LARGE_RUN, progressSchema, SMALL_RUN, startBackup, writeBackup } from './write-backup.ts';

const PROGRESS = 'progress.json';

/**
 * Copies the database to the bucket once a day, in as many runs as needed, and deletes copies that
 * are no longer kept. Once a week the copy is a full one; the others add to it. `progress.json`
 * beside the parts stores what has been copied. Without AUTH_SECRET the copy is not signed, because
 * no copy at all would be worse.
 */
export async function backUpNightly(
  env: Pick<Env, 'DB' | 'BACKUPS' | 'WORKERS_PLAN' | 'AUTH_SECRET'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const key = env.AUTH_SECRET ? copyKeyOf(env.AUTH_SECRET) : null;
  if (key !== null) await storeCopyKey(db, key, now);
  const date = dateOf(now);
  if ((await finishedAt(env, date)) !== null) return {};
  // An interrupted restore is repeated from the newest copy, so that must not be a copy of a
  // half-restored database.
  if (await isBeingRestored(db)) return { reason: 'restoring', left: 1, since: now };
  const store = partStoreOf(env, date);
  const saved = await store.read(PROGRESS);
  // Progress becomes part of the manifest, so the Worker must not sign what somebody else wrote
  // here: the copy then starts over.
  const progress =
    (saved === null ? null : decodeSigned(saved, key, `progress:${date}`, progressSchema)) ??
    (await startBackup(db, now, await findBase(db, store, key, date)));
  const { parts, tables, base } = progress.manifest;
  if (base !== undefined) await store.write(BASE_DATE, new TextEncoder().encode(base.date));
  const size = env.WORKERS_PLAN === 'free' ? SMALL_RUN : LARGE_RUN;
  const isDone = await writeBackup(db, store, progress, key, () => now, budget.canContinue, size);
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const kind = base === undefined ? 'backup_rows' : 'changed_rows';
  const done = { [kind]: rows, backup_parts: parts.length };
  if (isDone) {
    if (base === undefined) await saveBase(db, date, progress.manifest);
    await saveFact(db, { name: BACKUP, at: now, value: date });
    return { done: { ...done, copies_deleted: await deleteOldCopies(env, date) } };
  }
  await store.write(PROGRESS, encodeSigned(progress, key, `progress:${date}`));
  // A copy may take hours, so the signal Backup reports a late one, not the signal Backlog.
  return { done, left: 1, since: now };
}
