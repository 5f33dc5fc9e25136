import { AuthError, badInput } from '#worker/auth/service/errors.ts';
import type { AuthContext, MailContext } from '#worker/auth/service/context.ts';
import { consumeMail } from '#worker/auth/limits/mail-limits.ts';
import { consumeSignUp, refundSignUp, signUpLimits } from '#worker/auth/limits/sign-up-limits.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { mailConfirmation } from '#worker/auth/mailed-links/mail-link.ts';
import { hashSignUpSecret } from '#worker/auth/mailed-links/redeem.ts';
import { requireRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { hashPassword, passwordProblem } from '#worker/auth/password/password.ts';
import { startSession, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { insertAccount, newAccount } from '#worker/auth/service/store.ts';
import { userJson, type Metadata } from '#worker/auth/service/user-json.ts';

/**
 * `signUpSecret`: with it the browser can prove later that it made this sign-up. `next`: the page
 * to show after confirming.
 */
export type SignUp = {
  email: string;
  password: string;
  metadata: Metadata;
  signUpSecret: string | null;
  next: string;
};

/** Throws 400 or 422 for a password that cannot be set. */
export function requireValidPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem === 'empty') throw badInput('Signup requires a valid password');
  if (problem === 'too_long') throw badInput('Password cannot be longer than 72 characters');
  if (problem === 'too_short')
    throw new AuthError(422, 'weak_password', 'Password should be at least 6 characters.', {
      weakReasons: ['length'],
    });
}

/**
 * Creates an account and sends an email that confirms its address, or creates a confirmed one with
 * autoconfirm.
 */
export const signUp = (
  context: AuthContext,
  input: SignUp,
  mailer: () => Mailer,
): Promise<TokenResponse | Record<string, unknown>> =>
  context.settings.autoconfirm
    ? signUpConfirmed(context, input)
    : signUpByMail({ ...context, mailer: mailer() }, input);

/**
 * Creates an account and sends an email. The answer is always the user that a new account would
 * have, with a fresh id: only the mailbox learns whether the address is new, unconfirmed or
 * confirmed. Throws 429.
 */
async function signUpByMail(context: MailContext, input: SignUp): Promise<Record<string, unknown>> {
  const { db, now } = context;
  // Before an email is counted: a person who has to try again must not lose one of the address's
  // emails.
  requireRoomInQueue();
  await consumeMail(context, 'signup', input.email, signUpLimits(context));
  const passwordHash = await hashOrRefund(context, input.password);
  const row = newAccount({ ...input, passwordHash, confirmed: false, now });
  await insertAccount(db, {
    ...row,
    confirmation_sent_at: now,
    sign_up_secret_hash: hashSignUpSecret(input.signUpSecret),
  });
  await mailConfirmation(context, input.email, input.next);
  return userJson({ ...row, confirmation_sent_at: now });
}

/**
 * Creates an account and starts a session. Sends nothing, so it needs no mailer. Throws 422 for a
 * known address, and 429.
 */
async function signUpConfirmed(context: AuthContext, input: SignUp): Promise<TokenResponse> {
  const { db, now } = context;
  requireRoomInQueue();
  await consumeSignUp(context);
  const passwordHash = await hashOrRefund(context, input.password);
  const created = await insertAccount(
    db,
    newAccount({ ...input, passwordHash, confirmed: true, now }),
  );
  // Also for an unconfirmed account from before autoconfirm was switched on: only an email may
  // confirm it.
  if (created === undefined)
    throw new AuthError(422, 'user_already_exists', 'User already registered');
  return startSession(context, created, passwordHash);
}

/** A sign-up that finds the hash queue full does not count. */
async function hashOrRefund(context: AuthContext, password: string): Promise<string> {
  try {
    return await hashPassword(password);
  } catch (error) {
    await refundSignUp(context);
    throw error;
  }
}
