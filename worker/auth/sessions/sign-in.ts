import type { Attempt } from './limits/attempt.ts';
import { AuthError } from './errors.ts';
import { hashPassword, passwordProblem } from './password/password.ts';
import { tryPassword } from './password/password-try.ts';
import { invalidCredentials, startSession, type TokenResponse } from './sessions/sessions.ts';
import { findByEmail } from './store.ts';

type WeakPassword = { weak_password: { message: string; reasons: string[] } };

/**
 * Signs in with a password. Unknown address, no password set and wrong password are one answer after the same work;
 * that an address is unconfirmed is said only after the password was right.
 */
export async function signIn(attempt: Attempt, email: string, password: string): Promise<TokenResponse & Partial<WeakPassword>> {
  const account = await findByEmail(attempt.db, email);
  const hash = account?.password_hash ?? null;
  const check = await tryPassword(attempt, email, password, hash);
  if (account === undefined || hash === null || !check.right) throw invalidCredentials();
  if (account.email_confirmed_at === null) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  const better = check.stale ? { password_hash: await hashPassword(password) } : {};
  const tokens = await startSession(attempt, account, hash, better);
  if (passwordProblem(password) === null) return tokens;
  return { ...tokens, weak_password: { message: 'Password should be at least 6 characters.', reasons: ['length'] } };
}
