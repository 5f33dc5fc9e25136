import { countAttempt, forgetAttempts, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { PASSWORD_LIMITS } from '#worker/auth/limits/limits.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { comparePassword, type Comparison } from './password.ts';

/**
 * Compares a password with the stored hash of an address, within the limits of that address. Every
 * place that asks for a password uses this function, so none of them offers a way around the limits
 * of another. An attempt counts unless the password is correct or was not compared.
 */
export async function verifyPassword(
  context: AuthContext,
  email: string,
  password: string,
  hash: string | null,
): Promise<Result<Comparison>> {
  const counted = await countAttempt(context, PASSWORD_LIMITS, email);
  if (!counted.ok) return counted;
  let result: Comparison | null = null;
  try {
    result = await comparePassword(context.hashers, password, hash);
  } finally {
    if (result === null) await refundAttempt(context, PASSWORD_LIMITS, email);
  }
  if (result === null) return refuse('busy');
  if (result.matches) {
    await refundAttempt(context, ['account', 'network'], email);
    await forgetAttempts(context, email, ['pair']);
  }
  return { ok: true, value: result };
}
