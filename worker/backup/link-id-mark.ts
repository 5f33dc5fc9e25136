import { openDb } from '#worker/db/client.ts';
import { decodeJson, encodeJson } from './backup-format.ts';
import { readSequences } from './backup-tables.ts';

/**
 * A number above every link id that has been assigned, stored in the bucket. A database that is
 * restored to an earlier time does not know which ids it has assigned since, and KV, queued clicks
 * and printed QR codes still refer to them. The mark stays at least half a block ahead, because D1
 * does not insert that many links between two runs of the job.
 */
const KEY = 'link-id-mark.json';
const BLOCK = 1_000_000;

type Stores = Pick<Env, 'DB' | 'BACKUPS'>;

export async function readLinkIdMark({ BACKUPS }: Pick<Env, 'BACKUPS'>): Promise<number> {
  const object = await BACKUPS.get(KEY);
  const mark = object === null ? 0 : decodeJson(new Uint8Array(await object.arrayBuffer()));
  return typeof mark === 'number' && Number.isSafeInteger(mark) ? mark : 0;
}

/** The job: raises the mark before ids get close to it. */
export async function raiseLinkIdMark(env: Stores): Promise<string> {
  const { links = 0 } = await readSequences(openDb(env.DB));
  const mark = await readLinkIdMark(env);
  if (mark >= links + BLOCK / 2) return `at ${mark}`;
  return `raised to ${await writeLinkIdMark(env, links)}`;
}

/** Sets the mark one block above `id`. */
export async function writeLinkIdMark(
  { BACKUPS }: Pick<Env, 'BACKUPS'>,
  id: number,
): Promise<number> {
  const mark = id + BLOCK;
  await BACKUPS.put(KEY, encodeJson(mark));
  return mark;
}
