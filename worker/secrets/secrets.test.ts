import { describe, expect, it } from 'vitest';
import { hashUserId } from './hash-user-id.ts';
import { deriveKey, keyedHash } from './keyed-hash.ts';
import { hashToken, randomCode, randomToken } from './one-time-secret.ts';

const SHA256_OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('secrets', () => {
  it('a code has six digits, and every digit occurs at every place', () => {
    const codes = Array.from({ length: 2_000 }, randomCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    for (let place = 0; place < 6; place += 1)
      expect(new Set(codes.map((code) => code[place])).size).toBe(10);
  });

  it('a token is 32 random bytes in base64url', () => {
    const tokens = Array.from({ length: 100 }, randomToken);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).toBe(100);
  });

  it('tokens and user ids are stored as their SHA-256', () => {
    expect([hashToken('abc'), hashUserId('abc')]).toEqual([SHA256_OF_ABC, SHA256_OF_ABC]);
  });

  it('a keyed hash depends on the secret, the purpose and the value', () => {
    const hashes = [
      keyedHash('secret', 'purpose', 'value'),
      keyedHash('another', 'purpose', 'value'),
      keyedHash('secret', 'another', 'value'),
      keyedHash('secret', 'purpose', 'another'),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(keyedHash('secret', 'purpose', 'value')).toBe(hashes[0]);
    expect(deriveKey('secret', 'one')).toHaveLength(32);
    expect(deriveKey('secret', 'one').equals(deriveKey('secret', 'two'))).toBe(false);
  });
});
