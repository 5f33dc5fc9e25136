import { randomBytes } from 'node:crypto';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { toBase32 } from './totp.ts';

export const RECOVERY_CODES = 10;

/**
 * New codes, such as `K7QD-2MXA-PT4N-V6HZ`. With 80 random bits a plain hash is enough, so the codes
 * still work after AUTH_SECRET has changed.
 */
export const randomRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(10)).replaceAll(/(.{4})(?=.)/g, '$1-'),
  );

/** The hash of a code as somebody types it; null if it cannot be one. */
export function hashRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return /^[A-Z2-7]{16}$/.test(code) ? hashToken(code) : null;
}
