import { deriveKey } from './keyed-hash.ts';

/**
 * Encrypts with AES-GCM under a key derived from `secret` (AUTH_SECRET) for one purpose, and returns
 * base64url(iv ‖ ciphertext). `owner` is authenticated too, so that values cannot be moved to
 * another row.
 */
export async function encrypt({ secret, purpose, owner }: Sealing, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const ciphertext = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bytesOf(owner) },
    await aesKey(secret, purpose),
    bytesOf(text),
  );
  return Buffer.concat([iv, new Uint8Array(ciphertext)]).toString('base64url');
}

/** Returns the text; null if it was encrypted with another secret, for another use or owner. */
export async function decrypt(
  { secret, purpose, owner }: Sealing,
  encrypted: string,
): Promise<string | null> {
  const bytes = new Uint8Array(Buffer.from(encrypted, 'base64url'));
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData: bytesOf(owner) },
      await aesKey(secret, purpose),
      bytes.slice(12),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

/** What a value is encrypted with. `owner` is the id of its row. */
export type Sealing = { secret: string; purpose: 'signing-key' | 'totp'; owner: string };

const aesKey = (secret: string, purpose: Sealing['purpose']): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new Uint8Array(deriveKey(secret, purpose)), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text));
