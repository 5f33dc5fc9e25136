import { AuthError } from './auth-problem.ts';
import { beginPasswordTry, passwordWasRight, takeBackPasswordTry, type Attempt } from './limits.ts';
import { checkPassword, hashPassword, passwordProblem } from './password.ts';
import { startSession, type TokenResponse } from './sessions.ts';
import { findByEmail } from './store.ts';

type WeakPassword = { weak_password: { message: string; reasons: string[] } };

/**
 * Signs in with a password. Unknown address, no password set and wrong password are one answer after the same work;
 * that an address is unconfirmed is said only after the password was right (contract §3.2).
 */
export async function signIn(attempt: Attempt, email: string, password: string): Promise<TokenResponse & Partial<WeakPassword>> {
  await beginPasswordTry(attempt, email);
  const account = await findByEmail(attempt.db, email);
  const check = await checkPassword(password, account?.password_hash ?? null).catch(takeBackPasswordTry(attempt, email));
  if (account === undefined || !check.right) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
  await passwordWasRight(attempt, email);
  if (account.email_confirmed_at === null) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  const better = check.stale ? { password_hash: await hashPassword(password) } : {};
  const tokens = await startSession(attempt, account, 'password', better);
  if (passwordProblem(password) === null) return tokens;
  return { ...tokens, weak_password: { message: 'Password should be at least 6 characters.', reasons: ['length'] } };
}
