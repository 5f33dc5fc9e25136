import { tooMany, type Attempt } from './limits/attempt.ts';
import { AuthError } from './errors.ts';
import { checkMetadata } from './body.ts';
import { refuseIfFull } from './password/hash-queue.ts';
import { takeNotice } from './limits/limits.ts';
import { writePasswordNotice } from './mail/mail-text.ts';
import type { Notify } from './mail/mailer.ts';
import { confirmLink } from './mailed-links/one-time.ts';
import { checkPassword, hashPassword } from './password/password.ts';
import { reauthenticate } from './sessions/recent-sign-in.ts';
import { randomToken, tokenHash } from './secrets.ts';
import { checkNewPassword } from './sign-up.ts';
import { changeAccount, replacePassword, type Account, type SessionRow } from './store.ts';
import { readMetadata, userJson, type Metadata } from './user-json.ts';

export type AccountChange = { password: string; currentPassword: string; email: string; data: Metadata | null };

/** For how long the notice of a changed password can undo the change. Longer than a weekend away from the mailbox. */
const NOTICE_TTL_MS = 7 * 24 * 3_600_000;

/**
 * PUT /user. `data` is merged, null deletes a member. A new password needs the current one or a code mailed within ten minutes.
 * The address cannot be changed here, and that is said rather than ignored.
 */
export async function changeOwnAccount(
  request: Attempt & { notify: Notify },
  account: Account,
  session: SessionRow,
  change: AccountChange,
): Promise<Record<string, unknown>> {
  const { db, now } = request;
  if (change.email !== '' && change.email.trim().toLowerCase() !== account.email)
    throw new AuthError(422, 'validation_failed', 'Changing the email address is not supported');
  const written: Partial<Account> = {};
  if (change.data !== null)
    written.user_metadata = JSON.stringify(checkMetadata(merge(readMetadata(account.user_metadata), change.data)));
  if (change.password !== '') return userJson(await changePassword(request, account, session, change, written));
  if (Object.keys(written).length === 0) return userJson(account);
  return userJson((await changeAccount(db, account.id, { ...written, updated_at: now })) ?? account);
}

/**
 * Ends every other session and voids every mailed link, then tells the owner, whose mail has a link that takes the account
 * back. Throws 400, 409, 422 and 429.
 */
async function changePassword(
  request: Attempt & { notify: Notify },
  account: Account,
  session: SessionRow,
  { password, currentPassword }: AccountChange,
  written: Partial<Account>,
): Promise<Account> {
  const { db, now, settings, notify } = request;
  checkNewPassword(password);
  const shownBy = await requireOwner(request, account, session, currentPassword);
  // A person who has to try again must not find the day's changes used up.
  refuseIfFull();
  // Counted before the comparison below: otherwise this route would answer guesses at the password.
  const slot = await takeNotice(request, account.email);
  if (!slot.ok)
    throw tooMany(
      'over_request_rate_limit',
      slot.retryAfterMs,
      (wait) => `The password was changed too often. Try again in ${wait}, or reset it by email.`,
    );
  const isSame =
    shownBy === 'password' ? password === currentPassword : (await checkPassword(password, account.password_hash)).right;
  if (isSame) throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  const token = randomToken();
  const changed = await replacePassword(
    db,
    session,
    account.password_hash,
    { ...written, password_hash: await hashPassword(password), updated_at: now },
    { user_id: account.id, kind: 'secure', token_hash: tokenHash(token), code_hash: '', expires_at: now + NOTICE_TTL_MS },
    now,
  );
  if (changed === undefined)
    throw new AuthError(409, 'conflict', 'Your password was changed elsewhere at the same time. Sign in again.');
  const link = confirmLink(settings.appOrigin, 'recovery', token);
  await notify(writePasswordNotice(account.email, link, NOTICE_TTL_MS));
  return changed;
}

async function requireOwner(
  attempt: Attempt,
  account: Account,
  session: SessionRow,
  currentPassword: string,
): Promise<'code' | 'password'> {
  const result = await reauthenticate(attempt, account, session, currentPassword);
  if (result === 'missing')
    throw new AuthError(400, 'current_password_required', 'Enter your current password, or a code from your email first.');
  if (result === 'wrong') throw new AuthError(400, 'current_password_invalid', 'That is not your current password.');
  return result;
}

/** Members that describe the account itself are not the person's to write; a sign-up's secret is never stored. */
const RESERVED = new Set(['sub', 'email', 'email_verified', 'phone_verified', 'sign_up_secret']);

function merge(old: Metadata, change: Metadata): Metadata {
  const kept = Object.entries(change).filter(([name]) => !RESERVED.has(name));
  const merged = Object.entries({ ...old, ...Object.fromEntries(kept) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
