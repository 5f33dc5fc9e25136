import { createHash } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { deleted_users } from '#worker/db/schema.ts';
import { auth_users, dev_mails } from '#worker/db/schema-auth.ts';
import { hashPassword, type ScryptParams } from './password.ts';
import { newAccount } from './sign-up.ts';
import { deleteSessionsOf, deleteTokensOf, insertAccount, type Account } from './store.ts';

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

/**
 * Whether the account's owner has shown that the mailbox is theirs. An address that was confirmed unseen, or by an older release,
 * makes nobody an administrator.
 */
export function isAddressProven(account: Pick<Account, 'proven_at'>): boolean {
  return account.proven_at !== null;
}

/** Signs a person out everywhere: refresh tokens die with their sessions, and access tokens are refused from now on. */
export async function revokeSessions(db: Db, userId: string): Promise<void> {
  await deleteSessionsOf(db, userId);
}

/** SHA-256 of an account's id, as `deleted_users` keeps it. */
export const deletedUserHash = (userId: string): string => createHash('sha256').update(userId).digest('hex');

/**
 * The statements that end an account's sign-in, for the batch that deletes the account: sessions, mailed links and codes,
 * kept mails, the account itself, and a mark by which its tokens are refused, those of a hosted service included.
 */
export function accountDeletion(db: Db, userId: string, now: number) {
  return [
    deleteSessionsOf(db, userId),
    deleteTokensOf(db, userId),
    db
      .delete(dev_mails)
      .where(inArray(dev_mails.to, db.select({ email: auth_users.email }).from(auth_users).where(eq(auth_users.id, userId)))),
    db.delete(auth_users).where(eq(auth_users.id, userId)),
    db
      .insert(deleted_users)
      .values({ id_hash: deletedUserHash(userId), deleted_at: now })
      .onConflictDoNothing(),
  ] as const;
}

/** Deletes the account's sign-in at once, where nothing else is deleted with it. */
export async function deleteAccount(db: Db, userId: string, now: number): Promise<void> {
  await db.batch(accountDeletion(db, userId, now));
}
