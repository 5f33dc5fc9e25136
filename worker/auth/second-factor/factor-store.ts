import { and, count, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { insertSelected, jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_recovery_codes,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { noticeToken } from '#worker/auth/mailed-links/mail-link.ts';
import type { PendingSignIn } from '#worker/auth/service/pending-store.ts';
import {
  isNotSuspended,
  sessionStatements,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';

/** Stores a secret that no app has confirmed yet. Returns false if the account has an app. */
export async function storeSecret(db: Db, userId: string, secret: string): Promise<boolean> {
  const stored = await db
    .update(auth_users)
    .set({ totp_secret: secret, totp_last_step: null })
    .where(and(eq(auth_users.id, userId), isNull(auth_users.totp_confirmed_at)))
    .returning({ id: auth_users.id });
  return stored.length > 0;
}

/**
 * Uses up a time step: returns true once for each step, and never for an older one. The secret must
 * still be the one that was checked.
 */
export async function takeTimeStep(db: Db, account: Account, step: number): Promise<boolean> {
  const taken = await db
    .update(auth_users)
    .set({ totp_last_step: step })
    .where(
      and(
        eq(auth_users.id, account.id),
        eq(auth_users.totp_secret, account.totp_secret ?? ''),
        or(isNull(auth_users.totp_last_step), lt(auth_users.totp_last_step, step)),
      ),
    )
    .returning({ id: auth_users.id });
  return taken.length > 0;
}

/** Uses up a recovery code. */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const taken = await db
    .delete(auth_recovery_codes)
    .where(and(eq(auth_recovery_codes.user_id, userId), eq(auth_recovery_codes.code_hash, hash)))
    .returning({ hash: auth_recovery_codes.code_hash });
  return taken.length > 0;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .select({ codes: count() })
    .from(auth_recovery_codes)
    .where(eq(auth_recovery_codes.user_id, userId))
    .get();
  return row?.codes ?? 0;
}

/**
 * `secret` replaces the stored one, which only the session could open. `session` has the app in its
 * `amr`. `noticeHash` is the hash of the token in the mail.
 */
type FactorConfirmation = {
  account: Account;
  secret: string;
  session: SessionRow;
  noticeHash: string;
  now: number;
};

/**
 * Turns the app on in one batch, and ends every other session, because none of them has shown a
 * code. Returns undefined if the stored secret is no longer the one that was checked.
 */
export async function confirmFactor(
  db: Db,
  { account, secret, session, noticeHash, now }: FactorConfirmation,
): Promise<Account | undefined> {
  const { id } = account;
  const isOn = sql`exists (select 1 from ${auth_users} where id = ${id} and totp_secret = ${secret} and totp_confirmed_at = ${now})`;
  const { on } = await runNamedBatch(db, {
    on: sql<Account>`update ${auth_users} set totp_secret = ${secret}, totp_confirmed_at = ${now}, updated_at = ${now}
      where id = ${id} and totp_secret = ${account.totp_secret} and totp_confirmed_at is null returning *`,
    session: sql`update ${auth_sessions} set amr = ${session.amr} where id = ${session.id} and ${isOn}`,
    others: sql`delete from ${auth_sessions} where user_id = ${id} and id <> ${session.id} and ${isOn}`,
    pending: sql`delete from ${auth_pending_sign_ins} where user_id = ${id} and ${isOn}`,
    // An operator may have removed an earlier app and left its codes.
    codes: sql`delete from ${auth_recovery_codes} where user_id = ${id} and ${isOn}`,
    formerNotice: sql`delete from ${auth_one_time_tokens} where user_id = ${id} and kind = 'secure' and ${isOn}`,
    notice: insertSelected(
      auth_one_time_tokens,
      noticeToken(id, noticeHash, now),
      sql`where ${isOn}`,
    ),
  });
  return on.rows[0];
}

/** Replaces the recovery codes while the account has an app. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly string[],
): Promise<boolean> {
  const isOn = sql`exists (select 1 from ${auth_users} where id = ${userId} and totp_confirmed_at is not null)`;
  const { codes } = await runNamedBatch(db, replaceCodes(userId, hashes, isOn));
  return codes.changes > 0;
}

const replaceCodes = (userId: string, hashes: readonly string[], when: SQL) => ({
  former: sql`delete from ${auth_recovery_codes} where user_id = ${userId} and ${when}`,
  codes: sql`insert into ${auth_recovery_codes} (user_id, code_hash)
    select ${userId}, value from ${jsonList(hashes)} where ${when}`,
});

/** Statements that turn off the second factor of the account that `owner` selects. */
export const turnOffStatements = (owner: SQL): SQL[] => [
  sql`delete from ${auth_recovery_codes} where user_id in ${owner}`,
  sql`update ${auth_users} set totp_secret = null, totp_confirmed_at = null, totp_last_step = null
    where id in ${owner}`,
];

/**
 * Makes a pending sign-in a session. Undefined if it has ended meanwhile, for example because the
 * password was changed.
 */
export async function completePending(
  db: Db,
  pending: PendingSignIn,
  session: SessionRow,
): Promise<Account | undefined> {
  const now = session.refreshed_at;
  const { id, user_id } = pending;
  const waits = sql`exists (select 1 from ${auth_pending_sign_ins} where id = ${id} and expires_at > ${now})`;
  const { account } = await runNamedBatch(db, {
    session: sessionStatements(
      session,
      sql`from ${auth_users} where id = ${user_id} and ${isNotSuspended(now)} and ${waits}`,
    ),
    account: sql<Account>`update ${auth_users} set last_sign_in_at = ${now} where id = ${user_id}
      and exists (select 1 from ${auth_sessions} where id = ${id}) returning *`,
    pending: sql`delete from ${auth_pending_sign_ins} where id = ${id}`,
  });
  return account.rows[0];
}

/** Stores in the session that a second factor was shown. */
export const updateAmr = (db: Db, { id, amr }: SessionRow) =>
  db.update(auth_sessions).set({ amr }).where(eq(auth_sessions.id, id));
