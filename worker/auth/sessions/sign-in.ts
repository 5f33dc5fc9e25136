import type { AuthContext } from '#worker/auth/service/context.ts';
import { describeProblem, refuse, weaknessOf, type Result } from '#worker/auth/service/problems.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import { passwordProblem } from '#worker/auth/password/password-policy.ts';
import { verifyPassword } from '#worker/auth/password/verify-password.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { startPasswordSession, type TokenResponse } from './sessions.ts';

type WeakPassword = { weak_password: { message: string; reasons: string[] } };

/**
 * Signs in with a password. An unknown address, an account without a password and a wrong password
 * get the same answer after the same work. Only a correct password reveals that an address is
 * unconfirmed.
 */
export async function signInWithPassword(
  context: AuthContext,
  email: string,
  password: string,
): Promise<Result<TokenResponse & Partial<WeakPassword>>> {
  const account = await findByEmail(context.db, email);
  const hash = account?.password_hash ?? null;
  const verified = await verifyPassword(context, email, password, hash);
  if (!verified.ok) return verified;
  const { matches, isStale } = verified.value;
  if (account === undefined || hash === null || !matches) return refuse('wrong_credentials');
  if (account.email_confirmed_at === null) return refuse('email_unconfirmed');
  const rehashed = isStale ? await hashPassword(context.hashers, password) : hash;
  if (rehashed === null) return refuse('busy');
  const started = await startPasswordSession(context, account, hash, { password_hash: rehashed });
  if (!started.ok) {
    // A sign-in at the same time may have rehashed the password.
    const isChanged = isStale && (await findByEmail(context.db, email))?.password_hash !== hash;
    return isChanged ? signInWithPassword(context, email, password) : started;
  }
  const problem = await passwordProblem(password, email, context.settings.passwordMin);
  const weakness = problem && weaknessOf(problem.reason);
  if (problem === null || weakness === null) return started;
  const { message } = describeProblem(problem);
  return { ok: true, value: { ...started.value, weak_password: { message, reasons: [weakness] } } };
}
