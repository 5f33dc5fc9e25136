import type { LinkSettings } from '#contract/link-settings.ts';
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
 * Does the same for a link with the hash `present`. The same password again changes nothing, so that
 * visitors who entered it need not do so again.
 */
export async function hashChangedPassword(
  hashers: Hashers,
  given: WithPassword,
  present: string,
): Promise<boolean> {
  const { newPassword = '' } = given;
  if (newPassword !== '' && present !== '') {
    const compared = await comparePassword(hashers, newPassword, present);
    if (compared === null) return false;
    if (compared.matches) delete given.newPassword;
  }
  return hashNewPassword(hashers, given);
}

/** Hashes the new passwords of lines, each once. False if too many hashes are waiting. */
export async function hashNewPasswords(hashers: Hashers, lines: readonly Line[]): Promise<boolean> {
  const hashes = new Map([['', '']]);
  for (const line of lines)
    if (line.ok && !(await hashNewPassword(hashers, line.draft, hashes))) return false;
  return true;
}

/** The lines whose password is one more than a request may have. */
export function linesOverLimit<Of extends Line>(lines: readonly Of[], max: number): Set<Of> {
  const seen = new Set<string>();
  return new Set(
    lines.filter((line) => {
      const password = line.ok ? (line.draft.newPassword ?? '') : '';
      if (password !== '' && seen.size < max) seen.add(password);
      return password !== '' && !seen.has(password);
    }),
  );
}
