import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import { deleteAgain } from '#worker/account/delete-account.ts';
import { inJsonChunks, jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { auth_users } from '#worker/db/schema-auth.ts';
import { deleted_users, users } from '#worker/db/schema-users.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';
import { copyKeyOf, decodeSigned, encodeSigned, type CopyKey } from './backup-format.ts';
import type { CopyBucket } from './copies.ts';

/**
 * A list of the accounts that were deleted, beside the copies. A copy has the account of somebody
 * who deleted it later, and an empty database does not know that. The list holds what
 * `deleted_users` holds: SHA-256 of random ids, and no address.
 */
export const DELETED_ACCOUNTS = 'deleted-accounts.json';
const PURPOSE = 'deleted-accounts';
const USERS_PER_QUERY = 1_000;

const deletion = z.object({ id_hash: z.string(), deleted_at: z.number() });
type Deletion = z.infer<typeof deletion>;

/** Reads an object of the bucket, or of a place that has the same objects. */
export type ReadObject = (key: string) => Promise<Uint8Array | null>;

/**
 * The list; null if there is none. A list deletes accounts, so without this Worker's signature it
 * is 'unverified'. Without a key any list is accepted.
 */
async function readList(
  read: ReadObject,
  key: CopyKey | null,
): Promise<Deletion[] | 'unverified' | null> {
  const bytes = await read(DELETED_ACCOUNTS);
  if (bytes === null) return null;
  const list = decodeSigned(bytes, key, PURPOSE, z.array(deletion));
  return list ?? 'unverified';
}

/**
 * The job: adds new deletions to the list. Deletions that only the list has stay in it. After a
 * change of AUTH_SECRET the list is written again.
 */
export async function listDeletedAccounts(
  env: Pick<Env, 'DB' | 'BACKUPS' | 'AUTH_SECRET'>,
): Promise<JobResult> {
  const key = env.AUTH_SECRET ? copyKeyOf(env.AUTH_SECRET) : null;
  const stored = await readList(readerOf(env), key);
  const known = new Map(
    (Array.isArray(stored) ? stored : []).map((one) => [one.id_hash, one] as const),
  );
  const before = known.size;
  const rows = await openDb(env.DB)
    .select()
    .from(deleted_users)
    .orderBy(deleted_users.deleted_at, deleted_users.id_hash);
  for (const row of rows) known.set(row.id_hash, row);
  if (known.size > before || stored === 'unverified')
    await env.BACKUPS.put(DELETED_ACCOUNTS, encodeSigned([...known.values()], key, PURPOSE));
  return { done: { accounts_listed: known.size } };
}

export const readerOf =
  ({ BACKUPS }: { BACKUPS: CopyBucket }): ReadObject =>
  async (name) => {
    const object = await BACKUPS.get(name);
    return object === null ? null : new Uint8Array(await object.arrayBuffer());
  };

/** `list` says whether the list of deleted accounts was there, and written by this Worker. */
export type DeletedAgain = { deletedAccounts: number; list: 'used' | 'missing' | 'unverified' };

/**
 * Deletes accounts again that the replaced database or a list knows as deleted.
 * `deletedAccounts` is how many of them the restored database had.
 */
export async function deleteAccountsAgain(
  db: Db,
  places: readonly ReadObject[],
  { key, unverified }: { key: CopyKey | null; unverified: boolean },
  now: number,
): Promise<DeletedAgain> {
  const lists: Awaited<ReturnType<typeof readList>>[] = [];
  for (const read of places) {
    // An unverified list is used only with an unverified copy.
    const list =
      key === null && !unverified ? 'unverified' : await readList(read, unverified ? null : key);
    lists.push(list);
    if (Array.isArray(list))
      await runBatch(
        db,
        inJsonChunks(
          ['id_hash', 'deleted_at'],
          list,
          (rows) => sql`insert into ${deleted_users} (id_hash, deleted_at)
            select id_hash, deleted_at from ${rows} where true on conflict do nothing`,
        ),
      );
  }
  return {
    deletedAccounts: await deleteKnown(db, now),
    list: lists.some(Array.isArray)
      ? 'used'
      : lists.includes('unverified')
        ? 'unverified'
        : 'missing',
  };
}

async function deleteKnown(db: Db, now: number): Promise<number> {
  let deleted = 0;
  for (let last = ''; ;) {
    const rows = await db.all<{ id: string; email: string }>(
      sql`select id, max(email) as email from (select id, email from ${users} union all select id, email from ${auth_users})
        where id > ${last} group by id order by id limit ${USERS_PER_QUERY}`,
    );
    const hashed = rows.map(({ id, email }) => ({ id, id_hash: hashUserId(id), email }));
    const gone = await db.all<{ id: string; email: string }>(
      sql`select id, email from ${jsonRows(['id', 'id_hash', 'email'], hashed)}
        where id_hash in (select id_hash from ${deleted_users})`,
    );
    for (const account of gone)
      await runBatch(db, await deleteAgain(db, account, DELETED_OWNER + crypto.randomUUID(), now));
    deleted += gone.length;
    const next = rows.at(-1)?.id;
    if (next === undefined) return deleted;
    last = next;
  }
}
