import { refuse, type Result } from '#worker/auth/service/problems.ts';
import type { AuthContext, MailContext } from '#worker/auth/service/context.ts';
import { countAttempt, countMail, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { SIGN_UP_LIMITS } from '#worker/auth/limits/limits.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { mailConfirmation } from '#worker/auth/mailed-links/mail-link.ts';
import { hasRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import { passwordProblem } from '#worker/auth/password/password-policy.ts';
import { startPasswordSession, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { insertAccount, newAccount, type Account } from '#worker/auth/service/store.ts';
import { userJson, type Metadata } from '#worker/auth/service/user-json.ts';

/**
 * `signUpSecretHash` lets the browser prove later that it made this sign-up; null if it cannot.
 * `next` is the page to show after confirming.
 */
export type SignUp = {
  email: string;
  password: string;
  metadata: Metadata;
  signUpSecretHash: string | null;
  next: string;
};

/**
 * Creates an account and emails a link that confirms its address. The answer is always a user with
 * a fresh id, as for a new account, so only the mailbox learns whether the address is new,
 * unconfirmed or confirmed. With autoconfirm the account is confirmed at once and a session starts;
 * nothing is sent, so no mailer is needed.
 */
export async function signUpWithPassword(
  context: AuthContext,
  input: SignUp,
  mailer: () => Mailer,
): Promise<Result<TokenResponse | Record<string, unknown>>> {
  const { autoconfirm, passwordMin } = context.settings;
  const problem = await passwordProblem(input.password, input.email, passwordMin);
  if (problem !== null) return problem;
  const mailContext = autoconfirm ? null : { ...context, mailer: mailer() };
  // Checked before an email is counted: a person who has to try again must not lose one of the
  // address's emails.
  if (!hasRoomInQueue()) return refuse('busy');
  const counted = autoconfirm
    ? await countAttempt(context, SIGN_UP_LIMITS, input.email)
    : await countMail(context, 'signup', input.email, SIGN_UP_LIMITS);
  if (!counted.ok) return counted;
  const passwordHash = await hashOrRefund(context, input);
  if (passwordHash === null) return refuse('busy');
  const { now } = context;
  const account = newAccount({ ...input, passwordHash, confirmed: autoconfirm, now });
  return mailContext === null
    ? startSession(context, account, passwordHash)
    : confirmByMail(mailContext, account, input);
}

async function confirmByMail(
  context: MailContext,
  account: Account,
  { email, signUpSecretHash, next }: SignUp,
): Promise<Result<Record<string, unknown>>> {
  const row = { ...account, confirmation_sent_at: context.now };
  await insertAccount(context.db, { ...row, sign_up_secret_hash: signUpSecretHash });
  await mailConfirmation(context, email, next);
  return { ok: true, value: userJson(row) };
}

async function startSession(
  context: AuthContext,
  account: Account,
  passwordHash: string,
): Promise<Result<TokenResponse>> {
  const created = await insertAccount(context.db, account);
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
