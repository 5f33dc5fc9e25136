import { isTooLarge } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import type { Notify } from '#worker/mail/mailer.ts';
import { confirmPageUrl, NOTICE_TTL_MS, noticeToken } from '#worker/auth/mailed-links/mail-link.ts';
import { comparePassword, hashPassword } from '#worker/auth/password/password.ts';
import { passwordProblem } from '#worker/auth/password/password-policy.ts';
import { reauthenticate } from '#worker/auth/sessions/reauthenticate.ts';
import {
  replacePassword,
  updateAccount,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { readMetadata, userJson, type Metadata } from '#worker/auth/service/user-json.ts';

/** A change that the account's owner asks for. '' and null mean no change. */
export type AccountChange = {
  password: string;
  currentPassword: string;
  email: string;
  metadata: Metadata | null;
};

export type AccountOwner = AuthContext & { account: Account; session: SessionRow; notify: Notify };

/**
 * Handles PUT /user and returns the changed user. Metadata is merged; a member that is null is
 * removed. A new password needs the current one, or a code mailed within ten minutes. Another
 * address is refused, because this service cannot change it.
 */
export async function changeAccount(
  owner: AccountOwner,
  change: AccountChange,
): Promise<Result<Record<string, unknown>>> {
  const { db, now, account } = owner;
  if (change.email !== '' && change.email.trim().toLowerCase() !== account.email)
    return refuse('email_fixed');
  const columns: Partial<Account> = {};
  if (change.metadata !== null) {
    const metadata = mergeMetadata(readMetadata(account.user_metadata), change.metadata);
    if (isTooLarge(metadata)) return refuse('metadata_too_large');
    columns.user_metadata = JSON.stringify(metadata);
  }
  if (change.password !== '') {
    const changed = await changePassword(owner, change, columns);
    return changed.ok ? { ok: true, value: userJson(changed.value, owner.session) } : changed;
  }
  const changed =
    Object.keys(columns).length > 0 &&
    (await updateAccount(db, account.id, { ...columns, updated_at: now }));
  return { ok: true, value: userJson(changed || account, owner.session) };
}

/**
 * Changes the password, ends every other session, voids every mailed link and code, and tells the
 * owner by email. The link in that email gives the account back to its owner. `columns` are written
 * with the password.
 */
async function changePassword(
  owner: AccountOwner,
  { password, currentPassword }: AccountChange,
  columns: Partial<Account>,
): Promise<Result<Account>> {
  const { db, now, settings, hashers, notify, account, session } = owner;
  if (!settings.passwords) return refuse('passwords_off');
  const problem = await passwordProblem(password, account.email, settings.passwordMin);
  if (problem !== null) return problem;
  const proof = await reauthenticate(owner, account, session, currentPassword);
  if (!proof.ok) return proof;
  // The change is counted before the password is compared, because otherwise this route would
  // answer any number of guesses.
  const notice = await countNotice(owner, account.email, 'account');
  if (!notice.ok) return { ...notice, reason: 'password_changes_limited' };
  const comparison =
    proof.value === 'password'
      ? { matches: password === currentPassword }
      : await comparePassword(hashers, password, account.password_hash);
  if (comparison?.matches) return refuse('same_password');
  const password_hash = comparison && (await hashPassword(hashers, password));
  if (password_hash === null) {
    // A person who has to try again must not lose one of the day's changes.
    await notice.refund();
    return refuse('busy');
  }
  const token = randomToken();
  const changed = await replacePassword(db, {
    session,
    oldHash: account.password_hash,
    columns: { ...columns, password_hash, updated_at: now },
    notice: noticeToken(account.id, hashToken(token), now),
    now,
  });
  if (changed === undefined) return refuse('password_replaced');
  const link = confirmPageUrl(settings.appOrigin, 'recovery', token);
  await notify(composeMail(account.email, MAILS.password(NOTICE_TTL_MS), link));
  return { ok: true, value: changed };
}

/**
 * Metadata members that users cannot write, because they describe the account. The secret of a
 * sign-up is never stored in metadata.
 */
const RESERVED = new Set(['sub', 'email', 'email_verified', 'phone_verified', 'sign_up_secret']);

function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  const allowed = Object.entries(change).filter(([name]) => !RESERVED.has(name));
  const merged = Object.entries({ ...current, ...Object.fromEntries(allowed) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
