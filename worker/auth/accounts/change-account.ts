import { DAY_MS } from '#contract/time.ts';
import { checkMetadata } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { AuthError, tooManyRequests } from '#worker/auth/service/errors.ts';
import { consumeNotice } from '#worker/auth/limits/notice-limits.ts';
import { composePasswordNotice } from '#worker/mail/compose.ts';
import type { Notify } from '#worker/mail/mailer.ts';
import { confirmPageUrl } from '#worker/auth/mailed-links/mail-link.ts';
import { requireRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { comparePassword, hashPassword } from '#worker/auth/password/password.ts';
import { reauthenticate } from '#worker/auth/sessions/reauthenticate.ts';
import {
  replacePassword,
  updateAccount,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { requireValidPassword } from './sign-up.ts';
import { readMetadata, userJson, type Metadata } from '#worker/auth/service/user-json.ts';

/** A change that the account's owner asks for. '' and null mean no change. */
export type AccountChange = {
  password: string;
  currentPassword: string;
  email: string;
  metadata: Metadata | null;
};

/** The signed-in owner of the account, and how to notify them. */
export type AccountOwner = AuthContext & { account: Account; session: SessionRow; notify: Notify };

/**
 * How long the link in the notice of a changed password can undo the change: longer than a weekend
 * away from the mailbox.
 */
const NOTICE_TTL_MS = 7 * DAY_MS;

/**
 * Handles PUT /user and returns the changed user. Metadata is merged; a member that is null is
 * removed. A new password needs the current one, or a code mailed within ten minutes. Throws 422
 * for another address, because this service cannot change it.
 */
export async function changeAccount(
  owner: AccountOwner,
  change: AccountChange,
): Promise<Record<string, unknown>> {
  const { db, now, account } = owner;
  if (change.email !== '' && change.email.trim().toLowerCase() !== account.email)
    throw new AuthError(422, 'validation_failed', 'Changing the email address is not supported');
  const columns: Partial<Account> = {};
  if (change.metadata !== null)
    columns.user_metadata = JSON.stringify(
      checkMetadata(mergeMetadata(readMetadata(account.user_metadata), change.metadata)),
    );
  if (change.password !== '') return userJson(await changePassword(owner, change, columns));
  if (Object.keys(columns).length === 0) return userJson(account);
  return userJson(
    (await updateAccount(db, account.id, { ...columns, updated_at: now })) ?? account,
  );
}

/**
 * Changes the password, ends every other session, voids every mailed link and code, and tells the
 * owner by email. The link in that email returns the account to its owner. `columns` are written
 * with the password. Throws 400, 409, 422 and 429.
 */
async function changePassword(
  owner: AccountOwner,
  { password, currentPassword }: AccountChange,
  columns: Partial<Account>,
): Promise<Account> {
  const { db, now, settings, notify, account, session } = owner;
  requireValidPassword(password);
  const proof = await requireOwner(owner, currentPassword);
  // Before the change is counted: a person who has to try again must not lose one of the day's
  // changes.
  requireRoomInQueue();
  // Counted before the comparison below: otherwise this route would answer any number of guesses at
  // the password.
  const notice = await consumeNotice(owner, account.email, 'account');
  if (!notice.ok)
    throw tooManyRequests(
      'over_request_rate_limit',
      notice.retryAfterMs,
      (wait) => `The password was changed too often. Try again in ${wait}, or reset it by email.`,
    );
  const isSame =
    proof === 'password'
      ? password === currentPassword
      : (await comparePassword(password, account.password_hash)).matches;
  if (isSame)
    throw new AuthError(
      422,
      'same_password',
      'New password should be different from the old password.',
    );
  const token = randomToken();
  const changed = await replacePassword(db, {
    session,
    oldHash: account.password_hash,
    columns: { ...columns, password_hash: await hashPassword(password), updated_at: now },
    notice: {
      user_id: account.id,
      kind: 'secure',
      token_hash: hashToken(token),
      code_hash: '',
      expires_at: now + NOTICE_TTL_MS,
    },
    now,
  });
  if (changed === undefined)
    throw new AuthError(
      409,
      'conflict',
      'Your password was changed elsewhere at the same time. Sign in again.',
    );
  const link = confirmPageUrl(settings.appOrigin, 'recovery', token);
  await notify(composePasswordNotice(account.email, link, NOTICE_TTL_MS));
  return changed;
}

async function requireOwner(
  owner: AccountOwner,
  currentPassword: string,
): Promise<'code' | 'password'> {
  const result = await reauthenticate(owner, owner.account, owner.session, currentPassword);
  if (result === 'missing')
    throw new AuthError(
      400,
      'current_password_required',
      'Enter your current password, or a code from your email first.',
    );
  if (result === 'wrong')
    throw new AuthError(400, 'current_password_invalid', 'That is not your current password.');
  return result;
}

/**
 * Members that describe the account and that users cannot write. A sign-up's secret is never stored
 * in metadata.
 */
const RESERVED = new Set(['sub', 'email', 'email_verified', 'phone_verified', 'sign_up_secret']);

function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  const allowed = Object.entries(change).filter(([name]) => !RESERVED.has(name));
  const merged = Object.entries({ ...current, ...Object.fromEntries(allowed) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
