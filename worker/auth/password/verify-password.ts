import type { Attempt } from '#worker/auth/limits/attempt.ts';
import { beginPasswordTry, passwordWasRight, takeBackPasswordTry } from '#worker/auth/limits/limits.ts';
import { checkPassword } from './password.ts';

/**
 * Checks a password through the counters that every password of this address shares, wherever it is asked for: none of the
 * places can be used to get around the limits of another. Throws 429.
 */
export async function tryPassword(
  attempt: Attempt,
  email: string,
  password: string,
  hash: string | null,
): Promise<{ right: boolean; stale: boolean }> {
  await beginPasswordTry(attempt, email);
  const check = await checkPassword(password, hash).catch(takeBackPasswordTry(attempt, email));
  if (check.right) await passwordWasRight(attempt, email);
  return check;
}
