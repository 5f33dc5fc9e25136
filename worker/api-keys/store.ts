import { and, desc, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domainNamesOf } from '#worker/db/domain-names.ts';
import { api_keys } from '#worker/db/schema-api.ts';
import { linkIdKey } from '#worker/db/link-ids.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';

export type KeyRow = typeof api_keys.$inferSelect;

/** The keys of a member without those of apps that have not redeemed their code in time. */
const keysOf = (userId: string, now: number) =>
  and(eq(api_keys.user_id, userId), or(isNull(api_keys.code_until), gt(api_keys.code_until, now)));

export function listKeys(db: Db, userId: string, now: number): Promise<KeyRow[]> {
  return db
    .select()
    .from(api_keys)
    .where(keysOf(userId, now))
    .orderBy(desc(api_keys.created_at), desc(api_keys.id))
    .all();
}

/** Every change of a key is recorded in the audit log, without any secret. */
const entryOf = (action: string, { id, user_id, name, scopes, prefix }: KeyRow, at: number) => ({
  at,
  adminId: user_id,
  action,
  after: { key: id, name, scopes, prefix },
});

const keyExists = (where: SQL | undefined): SQL =>
  sql`exists (select 1 from ${api_keys} where ${where})`;

/**
 * Inserts a key unless its owner already has API_KEYS_MAX or has been deleted. Returns whether it
 * was inserted.
 */
export async function insertApiKey(db: Db, key: KeyRow): Promise<boolean> {
  const { inserted } = await runNamedBatch(db, {
    inserted: insertSelected(
      api_keys,
      key,
      sql`where exists (select 1 from ${users} where id = ${key.user_id})
        and (select count(*) from ${api_keys} where ${keysOf(key.user_id, key.created_at)}) < ${API_KEYS_MAX}`,
    ),
    record: recordAction(
      entryOf('create_api_key', key, key.created_at),
      keyExists(eq(api_keys.id, key.id)),
    ),
  });
  return inserted.changes === 1;
}

const isKeyOf = ({ id, user_id }: Pick<KeyRow, 'id' | 'user_id'>) =>
  and(eq(api_keys.id, id), eq(api_keys.user_id, user_id));

/**
 * Gives a key a new secret. The present one works until `previous_until`. Returns undefined if the
 * member has no such key, and for the key of a connected app, which would not learn the secret.
 */
export async function replaceSecret(
  db: Db,
  key: Pick<KeyRow, 'id' | 'user_id'>,
  now: number,
  secret: Pick<KeyRow, 'prefix' | 'secret_hash' | 'previous_until'>,
): Promise<KeyRow | undefined> {
  const before = await db.select().from(api_keys).where(isKeyOf(key)).get();
  if (before === undefined || before.app_host !== null) return undefined;
  // Replaces only the secret that was read: otherwise the second of two simultaneous rotations
  // would void the first one's secret unseen.
  const isUnchanged = and(isKeyOf(key), eq(api_keys.secret_hash, before.secret_hash));
  const columns = { ...secret, previous_hash: before.secret_hash };
  const after = { ...before, ...columns };
  const { replaced } = await runNamedBatch(db, {
    record: recordAction(entryOf('rotate_api_key', after, now), keyExists(isUnchanged)),
    replaced: db.update(api_keys).set(columns).where(isUnchanged),
  });
  return replaced.changes === 0 ? undefined : after;
}

/**
 * Revokes a member's key, so that its next request is rejected. Returns false if they have no such
 * key.
 */
export async function revokeKey(db: Db, userId: string, id: string, now: number): Promise<boolean> {
  const isOwn = isKeyOf({ id, user_id: userId });
  const key = await db.select().from(api_keys).where(isOwn).get();
  if (key === undefined) return false;
  const { deleted } = await runNamedBatch(db, {
    record: recordAction(entryOf('revoke_api_key', key, now), keyExists(isOwn)),
    deleted: db.delete(api_keys).where(isOwn),
  });
  return deleted.changes === 1;
}

/**
 * Returns the key whose present or previous secret has this hash, with its owner's suspension and
 * plan; undefined if there is none.
 */
export function findKeyByHash(db: Db, hash: string) {
  return db
    .select({
      key: api_keys,
      suspendedReason: users.suspended_reason,
      suspendedAt: users.suspended_at,
      defaultDomain: users.default_domain,
      subscription: subscriptions,
      linkIdKey,
      domains: domainNamesOf(sql`${api_keys.user_id}`),
    })
    .from(api_keys)
    .innerJoin(users, eq(users.id, api_keys.user_id))
    .leftJoin(subscriptions, eq(subscriptions.user_id, api_keys.user_id))
    .where(sql`${api_keys.id} in (select id from ${api_keys} where secret_hash = ${hash}
      union all select id from ${api_keys} where previous_hash = ${hash})`)
    .get();
}

/**
 * Gives the key that waits for this code its secret, if `binding` is the one that was approved.
 * Returns undefined for any other code and for one that was used or has expired.
 */
export async function redeemCode(
  db: Db,
  { codeHash, binding }: { codeHash: string; binding: string },
  now: number,
  secret: Pick<KeyRow, 'prefix' | 'secret_hash'>,
): Promise<KeyRow | undefined> {
  const [key] = await db
    .update(api_keys)
    .set({ ...secret, previous_hash: codeHash, code_until: null })
    .where(
      and(
        eq(api_keys.secret_hash, codeHash),
        eq(api_keys.code_binding, binding),
        gt(api_keys.code_until, now),
      ),
    )
    .returning();
  return key;
}

/** Returns the key that was made with this code, for a code that is used again. */
export const findRedeemed = (db: Db, codeHash: string, binding: string) =>
  db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.previous_hash, codeHash), eq(api_keys.code_binding, binding)))
    .get();

export function recordUse(db: Db, id: string, now: number) {
  return db.update(api_keys).set({ last_used_at: now }).where(eq(api_keys.id, id));
}
