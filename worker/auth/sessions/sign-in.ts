import type { AuthContext } from '#worker/auth/service/context.ts';
import { AuthError } from '#worker/auth/service/errors.ts';
import { hashPassword, passwordProblem } from '#worker/auth/password/password.ts';
import { verifyPassword } from '#worker/auth/password/verify-password.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { invalidCredentials, startSession, type TokenResponse } from './sessions.ts';

type WeakPassword = { weak_password: { message: string; reasons: string[] } };

/**
 * Signs in with a password. An unknown address, an account without a password and a wrong password
 * get the same answer after the same work. Only a correct password reveals that an address is
 * unconfirmed. Throws 400 and 429.
 */
export async function signIn(
  context: AuthContext,
  email: string,
  password: string,
): Promise<TokenResponse & Partial<WeakPassword>> {
  const account = await findByEmail(context.db, email);
  const hash = account?.password_hash ?? null;
  const { matches, isStale } = await verifyPassword(context, email, password, hash);
  if (account === undefined || hash === null || !matches) throw invalidCredentials();
  if (account.email_confirmed_at === null)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  const rehashed = isStale ? { password_hash: await hashPassword(password) } : {};
  const tokens = await startSession(context, account, hash, rehashed);
  if (passwordProblem(password) === null) return tokens;
  return {
    ...tokens,
    weak_password: { message: 'Password should be at least 6 characters.', reasons: ['length'] },
  };
}
