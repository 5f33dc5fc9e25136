import { AuthError, badInput } from '#worker/auth/errors.ts';
import { consumeMail } from '#worker/auth/limits/mail-limits.ts';
import type { MailContext } from '#worker/auth/mail/mailer.ts';
import { mailConfirmation } from '#worker/auth/mailed-links/mail-link.ts';
import { hashSignUpSecret } from '#worker/auth/mailed-links/redeem.ts';
import { requireRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { hashPassword, passwordProblem } from '#worker/auth/password/password.ts';
import { startSession, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { insertAccount, newAccount } from '#worker/auth/store.ts';
import { userJson, type Metadata } from './user-json.ts';

/** `signUpSecret`: with it the browser can prove later that it made this sign-up. `next`: the page to show after confirming. */
export type SignUp = { email: string; password: string; metadata: Metadata; signUpSecret: string | null; next: string };

/** Throws 400 or 422 for a password that cannot be set. */
export function requireValidPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem === 'empty') throw badInput('Signup requires a valid password');
  if (problem === 'too_long') throw badInput('Password cannot be longer than 72 characters');
  if (problem === 'too_short')
    throw new AuthError(422, 'weak_password', 'Password should be at least 6 characters.', { weakReasons: ['length'] });
}

/**
 * Creates an account. The password must have been validated. With autoconfirm a session starts. Otherwise an email is sent, and
 * the answer is always the user that a new account would have, with a fresh id: only the mailbox learns whether the address is
 * new, unconfirmed or confirmed. Throws 422 for a known address with autoconfirm, and 429.
 */
export async function signUp(context: MailContext, input: SignUp): Promise<TokenResponse | Record<string, unknown>> {
  const { db, settings, now, mailer } = context;
  const { autoconfirm } = settings;
  // Before an email is counted: a person who has to try again must not lose one of the address's emails.
  requireRoomInQueue();
  if (!autoconfirm) await consumeMail(context, 'signup', input.email, mailer.isExternal);
  const passwordHash = await hashPassword(input.password);
  const row = newAccount({ email: input.email, passwordHash, metadata: input.metadata, confirmed: autoconfirm, now });
  if (autoconfirm) {
    const created = await insertAccount(db, row);
    // Also for an unconfirmed account from before autoconfirm was switched on: only an email may confirm it.
    if (created === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered');
    return startSession(context, created, passwordHash);
  }
  await insertAccount(db, { ...row, confirmation_sent_at: now, sign_up_secret_hash: hashSignUpSecret(input.signUpSecret) });
  await mailConfirmation(context, input.email, input.next);
  return userJson({ ...row, confirmation_sent_at: now });
}
