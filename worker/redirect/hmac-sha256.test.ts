import { asyncProperty, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProperty } from '#worker/testing/soak.ts';
import { createHmacKey, hmacSha256 } from './hmac-sha256.ts';

/** The digest that WebCrypto computes, as hex. */
async function expectedHex(key: Uint8Array, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey(
    'raw',
    key,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return toHex(
    new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))),
  );
}

const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const hexOf = (words: Int32Array): string =>
  [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

describe('hmacSha256', () => {
  it('returns the digests of RFC 4231, test cases 1 and 2', () => {
    expect(hexOf(hmacSha256(createHmacKey(new Uint8Array(20).fill(0x0b)), 'Hi There'))).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    );
    expect(
      hexOf(
        hmacSha256(createHmacKey(new TextEncoder().encode('Jefe')), 'what do ya want for nothing?'),
      ),
    ).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  it('agrees with WebCrypto for every length up to five blocks', async () => {
    const key = new Uint8Array(32).fill(7);
    for (let length = 0; length <= 320; length++) {
      const text = 'abcdefghijk'.repeat(30).slice(0, length);
      expect(hexOf(hmacSha256(createHmacKey(key), text)), `${length}`).toBe(
        await expectedHex(key, text),
      );
    }
  });

  it('agrees with WebCrypto for random keys and ASCII texts', async () => {
    const key = uint8Array({ minLength: 1, maxLength: 64 });
    const text = string({ unit: 'binary-ascii', maxLength: 600 });
    const property = asyncProperty(key, text, async (rawKey, message) => {
      expect(hexOf(hmacSha256(createHmacKey(rawKey), message))).toBe(
        await expectedHex(rawKey, message),
      );
    });
    await checkProperty('HMAC-SHA-256', property, 200);
  });

  it.each([0, 65])('rejects a key of %i bytes', (length) => {
    expect(() => createHmacKey(new Uint8Array(length))).toThrow(/64 bytes/);
  });
});
