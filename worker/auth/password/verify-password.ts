import type { AuthContext } from '#worker/auth/service/context.ts';
import {
  clearPasswordAttempts,
  consumePasswordAttempt,
  refundPasswordAttempt,
} from '#worker/auth/limits/password-limits.ts';
import { comparePassword, type Comparison } from './password.ts';

/**
 * Compares a password with the stored hash of an address, within the limits of that address. Every
 * place that asks for a password uses this function, so none of them offers a way around the limits
 * of another. Throws 429.
 */
export async function verifyPassword(
  context: AuthContext,
  email: string,
  password: string,
  hash: string | null,
): Promise<Comparison> {
  await consumePasswordAttempt(context, email);
  let result: Comparison;
  try {
    result = await comparePassword(password, hash);
  } catch (error) {
    await refundPasswordAttempt(context, email);
    throw error;
  }
  if (result.matches) await clearPasswordAttempts(context, email);
  return result;
}
