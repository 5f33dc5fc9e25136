import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { deleted_users } from '#worker/db/schema.ts';
import { auth_one_time_tokens, auth_sessions, auth_users, dev_mails } from '#worker/db/schema-auth.ts';
import { hashPassword } from './password/password.ts';
import type { ScryptParams } from './password/scrypt-params.ts';
import { newAccount } from './sign-up.ts';
import { deleteSessionsOf, insertAccount } from './store.ts';

export type NewAccount = { email: string; password: string; confirmed: boolean; now: number; id?: string };

/**
 * Makes an embedded account without a sign-up (demo data, tests). The address counts as proven where `confirmed`.
 * Returns its id, or null where the address has an account already.
 */
export async function createAccount(db: Db, account: NewAccount, params?: ScryptParams): Promise<string | null> {
  const { email, password, confirmed, now, id } = account;
  const row = newAccount(email.toLowerCase(), await hashPassword(password, params), {}, now, confirmed, id);
  const created = await insertAccount(db, { ...row, confirmation_sent_at: now, proven_at: confirmed ? now : null });
  return created?.id ?? null;
}

/** Signs a person out everywhere: refresh tokens die with their sessions, and access tokens are refused from now on. */
export async function revokeSessions(db: Db, userId: string): Promise<void> {
  await deleteSessionsOf(db, userId);
}

/** True in SQL while this session of the account exists. */
export const sessionExists = (userId: string, sessionId: string): SQL =>
  sql`exists (select 1 from ${auth_sessions} where id = ${sessionId} and user_id = ${userId})`;

/** SHA-256 of an account's id, as `deleted_users` keeps it. */
export const deletedUserHash = (userId: string): string => createHash('sha256').update(userId).digest('hex');

/**
 * The statements that end an account's sign-in where `when` holds, for the batch that deletes the account: sessions, mailed
 * links and codes, kept mails, the account itself, and a mark by which its tokens are refused, those of a hosted service included.
 */
export function accountDeletion(userId: string, now: number, when: SQL): SQL[] {
  return [
    sql`delete from ${auth_sessions} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_one_time_tokens} where user_id = ${userId} and ${when}`,
    sql`delete from ${dev_mails} where "to" in (select email from ${auth_users} where id = ${userId}) and ${when}`,
    sql`delete from ${auth_users} where id = ${userId} and ${when}`,
    sql`insert into ${deleted_users} (id_hash, deleted_at) select ${deletedUserHash(userId)}, ${now} where ${when} on conflict do nothing`,
  ];
}

/** Deletes the account's sign-in at once, where nothing else is deleted with it. */
export async function deleteAccount(db: Db, userId: string, now: number): Promise<void> {
  await runBatch(db, accountDeletion(userId, now, sql`1`));
}
