import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { REPORT_DELAYS } from './report-delays.ts';

/** The link whose redirects an object counts. `limitId` is the object's name. */
export type CountedLink = { id: number; limitId: string };

/** What an object stores. `reported` is the count that D1 has. */
type Count = CountedLink & { used: number; reported: number };

type Bindings = Pick<Env, 'DB'>;

const KEY = 'count';
/** How often an object without clicks looks whether its link still has this limit. */
const LOOK_AFTER_MS = 30 * DAY_MS;

/**
 * Counts one redirect of a link, and returns false if `limit` of them are counted already. The
 * platform sends the result only after the count is stored. An object without a count, as after a
 * restore in another account, starts at the count that D1 last heard. A link that D1 does not know
 * under this name has no clicks left. Throws if D1 has to be read and fails. `now` is in ms.
 */
export async function takeClick(
  storage: DurableObjectStorage,
  env: Bindings,
  link: CountedLink,
  limit: number,
  now: number,
): Promise<boolean> {
  const reported = storage.kv.get(KEY) === undefined ? await readReported(env, link) : 0;
  if (reported === null) return false;
  // Nothing waits between the read and the write, so no other click comes between them.
  const count = storage.kv.get<Count>(KEY) ?? { ...link, used: reported, reported };
  const isTaken = count.used < limit;
  // A link that a restore lost and that was adopted has another id.
  if (isTaken) storage.kv.put<Count>(KEY, { ...count, ...link, used: count.used + 1 });
  const used = isTaken ? count.used + 1 : count.used;
  if (used > count.reported)
    await reportLater(storage, now + REPORT_DELAYS[used >= limit ? 'atLimit' : 'usual']);
  return isTaken;
}

async function readReported(env: Bindings, { id, limitId }: CountedLink): Promise<number | null> {
  const [row] = await openDb(env.DB).all<{ limit_used: number }>(
    sql`select limit_used from ${links} where id = ${id} and limit_id = ${limitId}`,
  );
  return row?.limit_used ?? null;
}

/** Sets the alarm unless it goes off before `at`. */
async function reportLater(storage: DurableObjectStorage, at: number): Promise<void> {
  const due = await storage.getAlarm();
  if (due === null || due > at) await storage.setAlarm(at);
}

/**
 * Writes the count to D1, never a lower one. Deletes it instead if the link no longer has this
 * limit: it was removed, or the link was, with or without its owner's account. A row that is missing
 * says nothing, because a database may be about to be restored. The platform repeats an alarm that
 * fails. `now` is in ms.
 */
export async function reportCount(
  storage: DurableObjectStorage,
  env: Bindings,
  now: number,
): Promise<void> {
  const count = storage.kv.get<Count>(KEY);
  if (count === undefined) return;
  const { id, limitId, used } = count;
  const [row] = await openDb(env.DB).all<{ limit_id: string }>(
    sql`update ${links} set limit_used = iif(limit_id = ${limitId}, max(limit_used, ${used}), limit_used)
      where id = ${id} returning limit_id`,
  );
  if (row !== undefined && row.limit_id !== limitId) return storage.deleteAll();
  const current = storage.kv.get<Count>(KEY);
  if (current !== undefined) storage.kv.put<Count>(KEY, { ...current, reported: used });
  await reportLater(storage, now + LOOK_AFTER_MS);
}
