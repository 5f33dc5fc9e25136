import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A 32-byte key of its own for each purpose, so that no two uses of AUTH_SECRET ever share a key. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`hop:${purpose}`).digest();
}

/** A keyed fingerprint (hex): tells equal inputs apart from others without keeping them. */
export function fingerprint(secret: string, purpose: string, value: string): string {
  return createHmac('sha256', deriveKey(secret, purpose)).update(value).digest('hex');
}

/** SHA-256 (hex) of a token with enough randomness of its own; only this is stored. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** 32 random bytes as base64url: the secret part of a mailed link. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A 6-digit code, uniform by rejection sampling. */
export function randomCode(): string {
  for (;;) {
    const value = randomBytes(4).readUInt32BE();
    // 4294 whole ranges of a million fit into 32 bits; what lies above them would favour low codes.
    if (value < 4_294_000_000) return String(value % 1_000_000).padStart(6, '0');
  }
}
