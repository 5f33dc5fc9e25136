import { KEEP_COPIES } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { BASE_DATE, MANIFEST, type PartStore, decodeJson, encodeJson } from './backup-format.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { readSequences } from './backup-tables.ts';

/**
 * The copies in the bucket are stored as `copies/<date>/<part>`. KEEP_COPIES says which are kept.
 */
const PREFIX = 'copies/';
/** A copy starts at this hour (UTC), or at the next run of cron. */
const BEGINS_AT_HOUR = 2;
/** https://developers.cloudflare.com/r2/api/workers/workers-api-reference/#bucket-method-definitions */
const KEYS_PER_DELETE = 1000;

/** The date of the nightly copy that starts at `now`. */
export const dateOf = (now: number): string =>
  new Date(now - BEGINS_AT_HOUR * HOUR_MS).toISOString().slice(0, 10);

/** What copies need of a bucket, of R2 or of another provider (s3-bucket.ts). */
export type CopyBucket = {
  get: (key: string) => Promise<{ arrayBuffer: () => Promise<ArrayBuffer> } | null>;
  head: (key: string) => Promise<{ uploaded: Date } | null>;
  put: (key: string, bytes: Uint8Array) => Promise<unknown>;
  delete: (keys: string | string[]) => Promise<void>;
  /** At most 1,000 objects, in the order of their keys. */
  list: (options: { prefix: string; delimiter?: string; startAfter?: string }) => Promise<{
    objects: { key: string }[];
    delimitedPrefixes: string[];
    truncated: boolean;
  }>;
};

type Bucket = { BACKUPS: CopyBucket };

export const prefixOf = (date: string): string => `${PREFIX}${date}/`;

export async function listObjects(bucket: CopyBucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const startAfter = keys.at(-1);
    const page = await bucket.list({ prefix, ...(startAfter !== undefined && { startAfter }) });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) return keys;
  }
}

export const partStoreOf = ({ BACKUPS }: Bucket, date: string): PartStore => ({
  ofDate: (other) => partStoreOf({ BACKUPS }, other),
  read: async (name) => {
    const object = await BACKUPS.get(prefixOf(date) + name);
    return object === null ? null : new Uint8Array(await object.arrayBuffer());
  },
  write: async (name, bytes) => void (await BACKUPS.put(prefixOf(date) + name, bytes)),
});

/** When the copy of `date` was finished, in ms; null if it is unfinished or missing. */
export const finishedAt = async ({ BACKUPS }: Bucket, date: string): Promise<number | null> =>
  (await BACKUPS.head(prefixOf(date) + MANIFEST))?.uploaded.getTime() ?? null;

/** The dates of all copies, finished or not, the newest first. */
export async function listCopies({ BACKUPS }: Bucket): Promise<string[]> {
  const { delimitedPrefixes } = await BACKUPS.list({ prefix: PREFIX, delimiter: '/' });
  return delimitedPrefixes
    .map((prefix) => prefix.slice(PREFIX.length, -1))
    .sort()
    .reverse();
}

/** The newest finished copy; null if there is none. `at` in ms. */
export async function readLastBackup(env: Bucket): Promise<{ date: string; at: number } | null> {
  for (const date of await listCopies(env)) {
    const at = await finishedAt(env, date);
    if (at !== null) return { date, at };
  }
  return null;
}

/** The date of the full copy that a differential one adds to; null for a full copy. */
async function baseDateOf(env: Bucket, date: string): Promise<string | null> {
  const bytes = await partStoreOf(env, date).read(BASE_DATE);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/**
 * Deletes copies that are no longer kept, and unfinished ones from before `today`. Returns their
 * number.
 */
export async function deleteOldCopies(env: Bucket, today: string): Promise<number> {
  const finished = new Map<string, string | null>();
  const dates = await listCopies(env);
  for (const date of dates)
    if ((await finishedAt(env, date)) !== null) finished.set(date, await baseDateOf(env, date));
  const kept = copiesToKeep(finished);
  const old = dates.filter((date) => !kept.has(date) && date < today);
  for (const date of old) await deleteCopy(env, date);
  return old.length;
}

async function deleteCopy({ BACKUPS }: Bucket, date: string): Promise<void> {
  const prefix = prefixOf(date);
  // The manifest is deleted first, so that a partly deleted copy does not look complete.
  await BACKUPS.delete(prefix + MANIFEST);
  const keys = await listObjects(BACKUPS, prefix);
  for (let at = 0; at < keys.length; at += KEYS_PER_DELETE)
    await BACKUPS.delete(keys.slice(at, at + KEYS_PER_DELETE));
}

/**
 * Which of these dates (YYYY-MM-DD) are kept. Each has the date of its base, which is kept with it;
 * null if it is a full copy. Only full copies are kept for weeks and months.
 */
export function copiesToKeep(copies: ReadonlyMap<string, string | null>): Set<string> {
  const newest = [...copies.keys()].toSorted().toReversed();
  const kept = new Set(newest.slice(0, KEEP_COPIES.days));
  for (const date of kept) {
    const base = copies.get(date);
    if (base) kept.add(base);
  }
  const full = newest.filter((date) => copies.get(date) === null);
  keepNewestOfEach(full, weekOf, KEEP_COPIES.weeks, kept);
  keepNewestOfEach(full, (date) => date.slice(0, 7), KEEP_COPIES.months, kept);
  return kept;
}

function keepNewestOfEach(
  newest: string[],
  periodOf: (date: string) => string,
  most: number,
  kept: Set<string>,
): void {
  const periods = new Set<string>();
  for (const date of newest) {
    const period = periodOf(date);
    if (periods.has(period)) continue;
    if (periods.size === most) return;
    periods.add(period);
    kept.add(date);
  }
}

/** Weeks begin on Monday; 1970-01-01 was a Thursday. */
const weekOf = (date: string): string => String(Math.floor((Date.parse(date) / DAY_MS + 3) / 7));

/**
 * A number above every link id that has been assigned, stored in the bucket. A database that is
 * restored to an earlier time does not know which ids it has assigned since, and KV, queued clicks
 * and printed QR codes still refer to them. The mark stays at least half a block ahead, because D1
 * does not insert that many links between two runs of the job.
 */
export const LINK_ID_MARK = 'link-id-mark.json';
const BLOCK = 1_000_000;

type Stores = Pick<Env, 'DB' | 'BACKUPS'>;

export async function readLinkIdMark({ BACKUPS }: Bucket): Promise<number> {
  const object = await BACKUPS.get(LINK_ID_MARK);
  const mark = object === null ? 0 : decodeJson(new Uint8Array(await object.arrayBuffer()));
  return typeof mark === 'number' && Number.isSafeInteger(mark) ? mark : 0;
}

/** Takes over the mark of another bucket if it is higher. */
export async function takeLinkIdMark(env: Bucket, other: CopyBucket): Promise<void> {
  const mark = await readLinkIdMark({ BACKUPS: other });
  if (mark > (await readLinkIdMark(env))) await env.BACKUPS.put(LINK_ID_MARK, encodeJson(mark));
}

/** The job: raises the mark before ids get close to it. */
export async function raiseLinkIdMark(env: Stores): Promise<JobResult> {
  const { links = 0 } = await readSequences(openDb(env.DB));
  const mark = await readLinkIdMark(env);
  if (mark >= links + BLOCK / 2) return {};
  return { done: { link_id_mark: await writeLinkIdMark(env, links) } };
}

/** Sets the mark one block above `id`. */
export async function writeLinkIdMark({ BACKUPS }: Bucket, id: number): Promise<number> {
  const mark = id + BLOCK;
  await BACKUPS.put(LINK_ID_MARK, encodeJson(mark));
  return mark;
}
