import { AuthError, badInput } from './errors.ts';
import { refuseIfFull } from './password/hash-queue.ts';
import { takeMailSlot } from './limits/mail-limits.ts';
import { mailLink, secretHashOf, type AuthRequest } from './mailed-links/one-time.ts';
import { hashPassword, passwordProblem } from './password/password.ts';
import { startSession, type TokenResponse } from './sessions/sessions.ts';
import { findByEmail, insertAccount, type Account } from './store.ts';
import { userJson, type Metadata } from './user-json.ts';

/** `signUpSecret`: by which the browser can show later that it made this sign-up; `next`: the page after confirming. */
export type SignUp = { email: string; password: string; data: Metadata; signUpSecret: string | null; next: string };

/** Throws 400 or 422 for a password that may not be set. */
export function checkNewPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem === 'empty') throw badInput('Signup requires a valid password');
  if (problem === 'too_long') throw badInput('Password cannot be longer than 72 characters');
  if (problem === 'too_short')
    throw new AuthError(422, 'weak_password', 'Password should be at least 6 characters.', { weakReasons: ['length'] });
}

/**
 * Creates an account; the password has been checked. With autoconfirm a session begins. Otherwise a mail goes out, and the
 * answer is the user that a new account would be, with a fresh id: whether the address is new, unconfirmed or confirmed, and
 * when that happened, the answer does not tell.
 */
export async function signUp(request: AuthRequest, input: SignUp): Promise<TokenResponse | Record<string, unknown>> {
  const { db, settings, now } = request;
  const { autoconfirm } = settings;
  // Before a mail is counted: a person who has to try again must not find the address's mails used up.
  refuseIfFull();
  if (!autoconfirm) await takeMailSlot(request, 'signup', input.email, request.post.leaves);
  const hash = await hashPassword(input.password);
  const row = newAccount(input.email, hash, input.data, now, autoconfirm);
  if (autoconfirm) {
    const created = await insertAccount(db, row);
    // Also for an unconfirmed account from before the setting was switched: only its mail may confirm it.
    if (created === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered');
    return startSession(request, created, hash);
  }
  await insertAccount(db, { ...row, confirmation_sent_at: now, sign_up_secret_hash: secretHashOf(input.signUpSecret) });
  const known = await findByEmail(db, input.email);
  const account = known?.email_confirmed_at === null ? known : undefined;
  await request.post.afterAnswer(mailLink(request, { email: input.email, account }, 'signup', input.next));
  return userJson({ ...row, confirmation_sent_at: now });
}

/** A new row. The four reserved members win over what the client sends. */
export function newAccount(
  email: string,
  passwordHash: string,
  data: Metadata,
  now: number,
  confirmed: boolean,
  id = crypto.randomUUID(),
): Account {
  return {
    id,
    email,
    password_hash: passwordHash,
    email_confirmed_at: confirmed ? now : null,
    app_metadata: JSON.stringify({ provider: 'email', providers: ['email'] }),
    user_metadata: JSON.stringify({ ...data, sub: id, email, email_verified: confirmed, phone_verified: false }),
    created_at: now,
    updated_at: now,
    last_sign_in_at: null,
    confirmation_sent_at: null,
    recovery_sent_at: null,
    banned_until: null,
    proven_at: null,
    sign_up_secret_hash: null,
  };
}
