import { and, eq, gt, lte, sql, type SQL } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_factor_resets,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { endAddedAccess } from '#worker/auth/service/prove-mailbox.ts';
import { turnOffStatements } from './factor-store.ts';

export type ResetRow = typeof auth_factor_resets.$inferSelect;

/** Stores a request unless one is open. Returns whether it was stored. */
export async function insertReset(db: Db, row: ResetRow): Promise<boolean> {
  const stored = await db
    .insert(auth_factor_resets)
    .values(row)
    .onConflictDoUpdate({
      target: auth_factor_resets.user_id,
      set: row,
      setWhere: lte(auth_factor_resets.expires_at, row.requested_at),
    })
    .returning({ id: auth_factor_resets.user_id });
  return stored.length > 0;
}

export const findResetOf = (db: Db, userId: string, now: number): Promise<ResetRow | undefined> =>
  db
    .select()
    .from(auth_factor_resets)
    .where(and(eq(auth_factor_resets.user_id, userId), gt(auth_factor_resets.expires_at, now)))
    .get();

/** Returns what the link with this token does, and for whom; undefined for an unknown token. */
export async function findResetLink(
  db: Db,
  hash: string,
  now: number,
): Promise<{ type: 'factor_stop' | 'factor_off'; email: string } | undefined> {
  const row = await db
    .select({ off_hash: auth_factor_resets.off_hash, email: auth_users.email })
    .from(auth_factor_resets)
    .innerJoin(auth_users, eq(auth_users.id, auth_factor_resets.user_id))
    .where(
      sql`(stop_hash = ${hash} or off_hash = ${hash}) and ${gt(auth_factor_resets.expires_at, now)}`,
    )
    .get();
  if (row === undefined) return undefined;
  return { type: row.off_hash === hash ? 'factor_off' : 'factor_stop', email: row.email };
}

/** True in SQL for a request whose wait is over and whose second mail has not been sent. */
const isReady = (now: number): SQL =>
  sql`${auth_factor_resets.ready_at} <= ${now} and ${auth_factor_resets.expires_at} > ${now}
    and ${auth_factor_resets.off_hash} is null and ${auth_users.totp_confirmed_at} is not null`;

/** True in SQL while such a request exists. The table is small, so this needs no index. */
export const hasReadyResets = (now: number): SQL =>
  sql`exists (select 1 from ${auth_factor_resets}
    join ${auth_users} on ${auth_users.id} = ${auth_factor_resets.user_id} where ${isReady(now)})`;

/** At most `limit` requests that wait for their second mail. */
export const findReadyResets = (db: Db, now: number, limit: number) =>
  db
    .select({
      user_id: auth_factor_resets.user_id,
      stop_hash: auth_factor_resets.stop_hash,
      email: auth_users.email,
    })
    .from(auth_factor_resets)
    .innerJoin(auth_users, eq(auth_users.id, auth_factor_resets.user_id))
    .where(isReady(now))
    // In a fixed order, recipients that accept no mail would block all others.
    .orderBy(sql`random()`)
    .limit(limit);

/** Replaces the token hash of the second mail. False if another run has replaced it. */
export async function setOffHash(
  db: Db,
  { user_id, stop_hash }: Pick<ResetRow, 'user_id' | 'stop_hash'>,
  before: string | null,
  after: string | null,
): Promise<boolean> {
  const changed = await db
    .update(auth_factor_resets)
    .set({ off_hash: after })
    .where(
      and(
        eq(auth_factor_resets.user_id, user_id),
        eq(auth_factor_resets.stop_hash, stop_hash),
        sql`${auth_factor_resets.off_hash} is ${before}`,
      ),
    )
    .returning({ id: auth_factor_resets.user_id });
  return changed.length > 0;
}

/**
 * Stops a reset in one batch, and ends what the requester may have: the password, every session,
 * and what was added since the request. Returns whether there was one to stop.
 */
export async function stopReset(db: Db, hash: string, now: number): Promise<boolean> {
  const owner = sql`(select user_id from ${auth_factor_resets} where stop_hash = ${hash} and expires_at > ${now})`;
  const requestedAt = sql`(select requested_at from ${auth_factor_resets} where user_id in ${owner})`;
  const { stopped } = await runNamedBatch(db, {
    added: endAddedAccess(owner, requestedAt, now),
    sessions: sql`delete from ${auth_sessions} where user_id in ${owner}`,
    pending: sql`delete from ${auth_pending_sign_ins} where user_id in ${owner}`,
    password: sql`update ${auth_users} set password_hash = null, updated_at = ${now} where id in ${owner}`,
    stopped: sql`delete from ${auth_factor_resets} where user_id in ${owner}`,
  });
  return stopped.changes > 0;
}

/**
 * Turns off the second factor after the wait, in one batch, and ends every session. It starts none:
 * the password or a mailed link is still needed. Returns the address to tell.
 */
export async function finishReset(db: Db, hash: string, now: number): Promise<string | null> {
  const owner = sql`(select user_id from ${auth_factor_resets}
    where off_hash = ${hash} and ready_at <= ${now} and expires_at > ${now})`;
  const { email } = await runNamedBatch(db, {
    email: sql<{ email: string }>`select email from ${auth_users} where id in ${owner}`,
    off: turnOffStatements(owner),
    sessions: sql`delete from ${auth_sessions} where user_id in ${owner}`,
    pending: sql`delete from ${auth_pending_sign_ins} where user_id in ${owner}`,
    done: sql`delete from ${auth_factor_resets} where user_id in ${owner}`,
  });
  return email.rows[0]?.email ?? null;
}
