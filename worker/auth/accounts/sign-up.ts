import { refuse, type Result } from '#worker/auth/service/problems.ts';
import type { AuthContext, MailContext } from '#worker/auth/service/context.ts';
import { countAttempt, countMail, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { SIGN_UP_LIMITS } from '#worker/auth/limits/limits.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { mailConfirmation } from '#worker/auth/mailed-links/mail-link.ts';
import { hashSignUpSecret } from '#worker/auth/mailed-links/redeem.ts';
import { hasRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import { startPasswordSession, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { insertAccount, newAccount } from '#worker/auth/service/store.ts';
import { userJson, type Metadata } from '#worker/auth/service/user-json.ts';

/**
 * `signUpSecret` lets the browser prove later that it made this sign-up. `next` is the page to show
 * after confirming.
 */
export type SignUp = {
  email: string;
  password: string;
  metadata: Metadata;
  signUpSecret: string | null;
  next: string;
};

/**
 * Creates an account and emails a link that confirms its address. With autoconfirm the account is
 * confirmed at once.
 */
export const signUpWithPassword = (
  context: AuthContext,
  input: SignUp,
  mailer: () => Mailer,
): Promise<Result<TokenResponse | Record<string, unknown>>> =>
  context.settings.autoconfirm
    ? signUpConfirmed(context, input)
    : signUpByMail({ ...context, mailer: mailer() }, input);

/**
 * Creates an account and sends an email. The answer is always a user with a fresh id, as for a new
 * account, so only the mailbox learns whether the address is new, unconfirmed or confirmed.
 */
async function signUpByMail(
  context: MailContext,
  input: SignUp,
): Promise<Result<Record<string, unknown>>> {
  const { db, now } = context;
  // Checked before an email is counted: a person who has to try again must not lose one of the
  // address's emails.
  if (!hasRoomInQueue()) return refuse('busy');
  const counted = await countMail(context, 'signup', input.email, SIGN_UP_LIMITS);
  if (!counted.ok) return counted;
  const passwordHash = await hashOrRefund(context, input);
  if (passwordHash === null) return refuse('busy');
  const row = newAccount({ ...input, passwordHash, confirmed: false, now });
  await insertAccount(db, {
    ...row,
    confirmation_sent_at: now,
    sign_up_secret_hash: hashSignUpSecret(input.signUpSecret),
  });
  await mailConfirmation(context, input.email, input.next);
  return { ok: true, value: userJson({ ...row, confirmation_sent_at: now }) };
}

/** Creates an account and starts a session. Sends nothing, so it needs no mailer. */
async function signUpConfirmed(
  context: AuthContext,
  input: SignUp,
): Promise<Result<TokenResponse>> {
  const { db, now } = context;
  if (!hasRoomInQueue()) return refuse('busy');
  const counted = await countAttempt(context, SIGN_UP_LIMITS, input.email);
  if (!counted.ok) return counted;
  const passwordHash = await hashOrRefund(context, input);
  if (passwordHash === null) return refuse('busy');
  const created = await insertAccount(
    db,
    newAccount({ ...input, passwordHash, confirmed: true, now }),
  );
  // An unconfirmed account from before autoconfirm was switched on is refused, too: only an email
  // may confirm it.
  if (created === undefined) return refuse('user_exists');
  return startPasswordSession(context, created, passwordHash);
}

/** Hashes the password. If the hash queue is full, the sign-up does not count. */
async function hashOrRefund(
  context: AuthContext,
  { email, password }: SignUp,
): Promise<string | null> {
  let hash: string | null = null;
  try {
    hash = await hashPassword(password);
  } finally {
    if (hash === null) await refundAttempt(context, SIGN_UP_LIMITS, email);
  }
  return hash;
}
