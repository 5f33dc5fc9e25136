import { refuse, type Result } from '#worker/auth/service/problems.ts';
import type { AuthContext, MailContext } from '#worker/auth/service/context.ts';
import { countAttempt, mailPurposes, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { SIGN_UP_LIMITS, type Purpose } from '#worker/auth/limits/limits.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { mailConfirmation } from '#worker/auth/mailed-links/mail-link.ts';
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
  const mails = autoconfirm ? [] : mailPurposes('signup');
  const purposes = [...mails, ...SIGN_UP_LIMITS];
  const counted = await countAttempt(context, purposes, input.email);
  if (!counted.ok) return counted;
  const passwordHash = await hashOrRefund(context, input, purposes);
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

/**
 * Hashes the password. A sign-up that has to be tried again does not count, and neither does its
 * email.
 */
async function hashOrRefund(
  context: AuthContext,
  { email, password }: SignUp,
  purposes: readonly Purpose[],
): Promise<string | null> {
  let hash: string | null = null;
  try {
    hash = await hashPassword(context.hashers, password);
  } finally {
    if (hash === null) await refundAttempt(context, purposes, email);
  }
  return hash;
}
