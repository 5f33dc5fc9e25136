import { AuthError } from './auth-problem.ts';
import { checkMetadata } from './body.ts';
import { addressWasProven, type Attempt } from './limits.ts';
import { checkPassword, hashPassword } from './password.ts';
import { checkNewPassword } from './sign-up.ts';
import { changeAccount, deleteCodesOf, deleteOtherSessions, deleteTokensOf, type Account, type SessionRow } from './store.ts';
import { readMetadata, userJson, type Metadata } from './user-json.ts';

export type AccountChange = { password: string; email: string; data: Metadata | null };

/**
 * PUT /user (contract §3.5). A new password ends every other session and voids every mailed link; `data` is merged,
 * null deletes a member. The address cannot be changed here, and that is said rather than ignored.
 */
export async function changeOwnAccount(
  attempt: Attempt,
  account: Account,
  session: SessionRow,
  change: AccountChange,
): Promise<Record<string, unknown>> {
  const { db, now } = attempt;
  if (change.email !== '' && change.email.trim().toLowerCase() !== account.email)
    throw new AuthError(422, 'validation_failed', 'Changing the email address is not supported');
  const written: Partial<Account> = {};
  if (change.data !== null)
    written.user_metadata = JSON.stringify(checkMetadata(merge(readMetadata(account.user_metadata), change.data)));
  if (change.password !== '') {
    checkNewPassword(change.password);
    if ((await checkPassword(change.password, account.password_hash)).right)
      throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
    written.password_hash = await hashPassword(change.password);
  }
  if (Object.keys(written).length === 0) return userJson(account);
  const changed = await changeAccount(db, account.id, { ...written, updated_at: now });
  if (written.password_hash !== undefined) {
    await db.batch([
      deleteOtherSessions(db, account.id, session.id),
      deleteTokensOf(db, account.id),
      deleteCodesOf(db, account.id),
    ]);
    await addressWasProven(attempt, account.email);
  }
  return userJson(changed ?? account);
}

/** Members that describe the account itself are not the person's to write. */
const RESERVED = new Set(['sub', 'email', 'email_verified', 'phone_verified']);

function merge(old: Metadata, change: Metadata): Metadata {
  const kept = Object.entries(change).filter(([name]) => !RESERVED.has(name));
  const merged = Object.entries({ ...old, ...Object.fromEntries(kept) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
