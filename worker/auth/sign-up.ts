import { AuthError, badInput } from './auth-problem.ts';
import type { Pkce } from './body.ts';
import { refuseIfFull } from './hash-queue.ts';
import { takeMailSlot } from './limits.ts';
import { mailLink, type AuthRequest } from './one-time.ts';
import { hashPassword, passwordProblem } from './password.ts';
import { startSession, type TokenResponse } from './sessions.ts';
import { findByEmail, insertAccount, type Account } from './store.ts';
import { lookAlikeJson, userJson, type Metadata } from './user-json.ts';

export type SignUp = { email: string; password: string; data: Metadata; redirectTo: string; pkce: Pkce | null };

/** Throws 400 or 422 for a password that may not be set (contract §3.1). */
export function checkNewPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem === 'empty') throw badInput('Signup requires a valid password');
  if (problem === 'too_long') throw badInput('Password cannot be longer than 72 characters');
  if (problem === 'too_short')
    throw new AuthError(422, 'weak_password', 'Password should be at least 6 characters.', { weakReasons: ['length'] });
}

/**
 * Creates an account; the password has been checked. With autoconfirm a session begins; else a mail goes out and the
 * bare user is the answer. An address that has a confirmed account gets a look-alike answer after the same work.
 */
export async function signUp(request: AuthRequest, input: SignUp): Promise<TokenResponse | Record<string, unknown>> {
  const { db, settings, now } = request;
  const { autoconfirm } = settings;
  // Before a mail is counted: a person who has to try again must not find the address's mails used up.
  refuseIfFull();
  if (!autoconfirm) await takeMailSlot(request, 'signup', input.email, request.post.leaves);
  const row = newAccount(input.email, await hashPassword(input.password), input.data, now, autoconfirm);
  const created = await insertAccount(db, { ...row, ...(autoconfirm ? {} : { confirmation_sent_at: now }) });
  if (autoconfirm) {
    // Also for an unconfirmed account from before the setting was switched: only its mail may confirm it.
    if (created === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered');
    return startSession(request, created, 'password');
  }
  const known = created ?? (await findByEmail(db, input.email));
  // An unconfirmed account keeps its password and data: nobody can be sure who claimed the address first.
  const account = known?.email_confirmed_at === null ? known : undefined;
  await request.post.afterAnswer(mailLink(request, { email: input.email, account }, 'signup', input.redirectTo, input.pkce));
  if (account === undefined) return lookAlikeJson(input.email, input.data, crypto.randomUUID(), now);
  return userJson({ ...account, confirmation_sent_at: now });
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
