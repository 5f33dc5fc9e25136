import { createHmac } from 'node:crypto';

/**
 * Derives a 32-byte key for one purpose, so that no two uses of `secret` (AUTH_SECRET) share a key.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`hop:${purpose}`).digest();
}

/**
 * HMAC-SHA-256 of `value` in hex. Equal values have the same hash, but nobody can recover them
 * without the secret.
 */
export function keyedHash(secret: string, purpose: string, value: string): string {
  return createHmac('sha256', deriveKey(secret, purpose)).update(value).digest('hex');
}
