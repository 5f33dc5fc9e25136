import type { LinkSettings } from '#contract/links/link-settings.ts';
import { PASSWORDS_PER_REQUEST } from '#contract/limits.ts';
import type { Hashers } from '#worker/auth/password/hasher-pool.ts';
import { comparePassword, hashPassword } from '#worker/auth/password/password.ts';

/** What a request gives a link. `newPassword` is not hashed yet; '' removes the password. */
type WithPassword = Partial<Pick<LinkSettings, 'password'>> & { newPassword?: string | undefined };
type Line = { ok: true; draft: WithPassword } | { ok: false };

export const PASSWORDS_BUSY = { ok: false, reason: 'passwords_busy' } as const;

/** Stores the hash of a new password instead of it. False if too many hashes are waiting. */
export async function hashNewPassword(
  hashers: Hashers,
  given: WithPassword,
  hashes = new Map<string, string>([['', '']]),
): Promise<boolean> {
  const { newPassword } = given;
  if (newPassword === undefined) return true;
  const hash = hashes.get(newPassword) ?? (await hashPassword(hashers, newPassword));
  if (hash === null) return false;
  hashes.set(newPassword, hash);
  given.password = hash;
  delete given.newPassword;
  return true;
}

/**
 * Does the same for a link that has the hash `currentHash` or none (''). The same password keeps
 * its hash, so that visitors who have entered it need not enter it again.
 */
export async function hashChangedPassword(
  hashers: Hashers,
  given: WithPassword,
  currentHash: string,
): Promise<boolean> {
  const { newPassword = '' } = given;
  if (newPassword !== '' && currentHash !== '') {
    const compared = await comparePassword(hashers, newPassword, currentHash);
    if (compared === null) return false;
    if (compared.matches) delete given.newPassword;
  }
  return hashNewPassword(hashers, given);
}

const TOO_MANY_PASSWORDS = { ok: false, reason: 'too_many_passwords' } as const;

/**
 * Hashes each new password once. Rejects lines with further passwords than a request may have.
 * Returns null if too many hashes are waiting.
 */
export async function hashNewPasswords<Of extends Line>(
  hashers: Hashers,
  lines: readonly Of[],
): Promise<Of[] | null> {
  const hashes = new Map([['', '']]);
  const hashed: Of[] = [];
  for (const line of lines) {
    const password = line.ok ? (line.draft.newPassword ?? '') : '';
    const isOneTooMany = !hashes.has(password) && hashes.size > PASSWORDS_PER_REQUEST;
    if (isOneTooMany) hashed.push({ ...line, ...TOO_MANY_PASSWORDS });
    else if (line.ok && !(await hashNewPassword(hashers, line.draft, hashes))) return null;
    else hashed.push(line);
  }
  return hashed;
}
