import { PASSWORD_MAX_BYTES } from '#contract/limits.ts';
import { refuse, type Refusal } from '#worker/auth/service/problems.ts';

/** Returns why a password cannot be set because of its length, or null. In UTF-8 bytes. */
export function lengthProblem(password: string, min: number): Refusal | null {
  const bytes = Buffer.byteLength(password);
  if (bytes === 0) return refuse('password_empty');
  if (bytes > PASSWORD_MAX_BYTES) return refuse('password_too_long');
  return bytes < min ? refuse('password_too_short', { detail: String(min) }) : null;
}

/**
 * Returns why an account with this address cannot get the password, or null. `email` is in lower
 * case. Capitals make no difference to what is easy to guess.
 */
export async function passwordProblem(
  password: string,
  email: string,
  min: number,
): Promise<Refusal | null> {
  const problem = lengthProblem(password, min);
  if (problem !== null) return problem;
  const guess = password.toLowerCase();
  if (guess === email || guess === email.slice(0, email.lastIndexOf('@')))
    return refuse('password_is_address');
  return (await isCommon(guess)) ? refuse('password_common') : null;
}

async function isCommon(password: string): Promise<boolean> {
  const { hasCommonPassword } = await import('./common-passwords.ts');
  return hasCommonPassword(password);
}
