import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { BASE_DATE, MANIFEST, MANIFEST_MAC, parseManifest } from './backup-format.ts';
import {
  deleteOldCopies,
  finishedAt,
  LINK_ID_MARK,
  listObjects,
  partStoreOf,
  prefixOf,
  readLastBackup,
  type CopyBucket,
} from './copies.ts';
import { DELETED_ACCOUNTS } from './deleted-accounts.ts';
import { openS3Bucket, type S3Env } from './s3-bucket.ts';

/** Each takes about a second on a slow line. The free plan allows 50 requests in an invocation. */
const OBJECTS_PER_RUN = { paid: 200, free: 15 };

/**
 * Copies the newest nightly copy to a bucket outside the account, its base first and its manifest
 * last, and deletes copies there that are no longer kept. Objects that the bucket has are not sent
 * again, so a run continues where the last one stopped. Does nothing without BACKUP_S3_URL.
 */
export async function copyOutside(
  env: { BACKUPS: CopyBucket } & Pick<Env, 'WORKERS_PLAN'> & S3Env,
  _now: number,
  { canContinue }: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const outside = openS3Bucket(env);
  if (outside === null) return { reason: 'not_configured' };
  const last = await readLastBackup(env);
  if (last === null) return { reason: 'no_copy' };
  // They change more often than the copy, and are small.
  for (const key of [LINK_ID_MARK, DELETED_ACCOUNTS]) await copyObject(env.BACKUPS, outside, key);
  if ((await finishedAt({ BACKUPS: outside }, last.date)) !== null) return {};
  const { base, missing } = await compareCopy(env, outside, last.date);
  if (base !== undefined) missing.unshift(...(await compareCopy(env, outside, base.date)).missing);
  let room = OBJECTS_PER_RUN[env.WORKERS_PLAN === 'free' ? 'free' : 'paid'];
  for (const [index, key] of missing.entries()) {
    if (room-- === 0 || !canContinue())
      return { done: { objects_copied: index }, left: missing.length - index };
    await copyObject(env.BACKUPS, outside, key);
  }
  const deleted = await deleteOldCopies({ BACKUPS: outside }, last.date);
  return { done: { objects_copied: missing.length, copies_deleted: deleted } };
}

/** The base and the objects of a copy, in order, and those that the other bucket lacks. */
async function compareCopy(env: { BACKUPS: CopyBucket }, outside: CopyBucket, date: string) {
  const prefix = prefixOf(date);
  const manifest = parseManifest((await partStoreOf(env, date).read(MANIFEST)) ?? new Uint8Array());
  if (manifest === null) throw new Error(`The copy of ${date} has no readable manifest.`);
  const { base, parts } = manifest;
  const names = [...parts.map(({ name }) => name), MANIFEST_MAC, MANIFEST];
  const keys = (base === undefined ? names : [BASE_DATE, ...names]).map((name) => prefix + name);
  const there = new Set(await listObjects(outside, prefix));
  const missing = there.has(prefix + MANIFEST) ? [] : keys.filter((key) => !there.has(key));
  return { base, missing };
}

async function copyObject(from: CopyBucket, to: CopyBucket, key: string): Promise<void> {
  const object = await from.get(key);
  if (object !== null) await to.put(key, new Uint8Array(await object.arrayBuffer()));
}
