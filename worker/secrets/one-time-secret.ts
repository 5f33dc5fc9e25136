import { createHash, randomBytes } from 'node:crypto';

/**
 * SHA-256 (hex) of a token, so that only the hash is stored. A plain hash is enough, because the
 * token is random.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** 32 random bytes in base64url: the secret part of a mailed link. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The largest multiple of 1,000,000 that fits into 32 bits. Values from here on would make low
 * codes more likely.
 */
const UNBIASED_LIMIT = 4_294_000_000;

/** A 6-digit code, uniformly distributed by rejection sampling. */
export function randomCode(): string {
  for (;;) {
    const value = randomBytes(4).readUInt32BE();
    if (value < UNBIASED_LIMIT) return String(value % 1_000_000).padStart(6, '0');
  }
}
