import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { MANIFEST, MANIFEST_MAC, parseManifest } from './backup-format.ts';
import {
  deleteOldCopies,
  LINK_ID_MARK,
  listObjects,
  partStoreOf,
  prefixOf,
  readLastBackup,
  type CopyBucket,
} from './copies.ts';
import { DELETED_ACCOUNTS } from './deleted-accounts.ts';
import { openS3Bucket, type S3Env } from './s3-bucket.ts';

/** Of about a second each on a slow line. The free plan allows 50 requests in an invocation. */
const OBJECTS_PER_RUN = { paid: 200, free: 15 };

/**
 * Copies the newest nightly copy to a bucket outside the account, object by object, the manifest
 * last, and deletes copies there that are no longer kept. What the other bucket has already is not
 * sent again, so a run continues where the last one stopped. Without BACKUP_S3_URL it does nothing.
 */
export async function copyOutside(
  env: { BACKUPS: CopyBucket } & Pick<Env, 'WORKERS_PLAN'> & S3Env,
  _now: number,
  { canContinue }: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const outside = openS3Bucket(env);
  if (outside === null) return 'not configured';
  const last = await readLastBackup(env);
  if (last === null) return 'no nightly copy yet';
  // They change more often than the copy, and are small.
  for (const key of [LINK_ID_MARK, DELETED_ACCOUNTS]) await copyObject(env.BACKUPS, outside, key);
  const prefix = prefixOf(last.date);
  const there = new Set(await listObjects(outside, prefix));
  if (there.has(prefix + MANIFEST)) return `has the copy of ${last.date}`;
  const manifest = parseManifest(
    (await partStoreOf(env, last.date).read(MANIFEST)) ?? new Uint8Array(),
  );
  if (manifest === null) throw new Error(`The copy of ${last.date} has no readable manifest.`);
  const names = [...manifest.parts.map(({ name }) => name), MANIFEST_MAC, MANIFEST];
  const missing = names.map((name) => prefix + name).filter((key) => !there.has(key));
  let room = OBJECTS_PER_RUN[env.WORKERS_PLAN === 'free' ? 'free' : 'paid'];
  for (const [index, key] of missing.entries()) {
    if (room-- === 0 || !canContinue())
      return { detail: `${missing.length - index} objects left`, left: missing.length - index };
    await copyObject(env.BACKUPS, outside, key);
  }
  const deleted = await deleteOldCopies({ BACKUPS: outside }, last.date);
  const detail = `copied ${last.date} in ${names.length} objects`;
  return deleted === 0 ? detail : `${detail}, ${deleted} old copies deleted`;
}

async function copyObject(from: CopyBucket, to: CopyBucket, key: string): Promise<void> {
  const object = await from.get(key);
  if (object !== null) await to.put(key, new Uint8Array(await object.arrayBuffer()));
}
