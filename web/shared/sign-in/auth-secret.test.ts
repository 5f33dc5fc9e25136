import { afterEach, describe, expect, it } from 'vitest';
import { clearSignUpSecret, ensureSignUpSecret, loadSignUpSecret } from './auth-secret.ts';

const random = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);
const store = (): Storage => localStorage;
/** Throws as a browser does if a page may not store anything. */
const blocked = (): never => {
  throw new DOMException('denied', 'SecurityError');
};

afterEach(() => clearSignUpSecret(store));

describe('sign-up secret', () => {
  it('the sign-up secret has 32 bytes and is kept until it is cleared', () => {
    expect(loadSignUpSecret(store)).toBeNull();
    const secret = ensureSignUpSecret(store, random);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(ensureSignUpSecret(store, random)).toBe(secret);
    expect(Object.values(localStorage)).toContain(secret);
    clearSignUpSecret(store);
    expect(loadSignUpSecret(store)).toBeNull();
    expect(ensureSignUpSecret(store, random)).not.toBe(secret);
  });

  it('the sign-up secret is encoded in base64url', () => {
    expect(ensureSignUpSecret(store, (bytes) => bytes.fill(0xfb))).toBe(`${'-_v7'.repeat(10)}-_s`);
  });

  it('lasts as long as the page when storage throws', () => {
    const secret = ensureSignUpSecret(blocked, random);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(loadSignUpSecret(blocked)).toBe(secret);
    clearSignUpSecret(blocked);
    expect(loadSignUpSecret(blocked)).toBeNull();
  });

  it('replaces a stored text that is not a secret', () => {
    ensureSignUpSecret(store, random);
    const [key = ''] = Object.keys(localStorage);
    clearSignUpSecret(store);
    localStorage.setItem(key, '<script>');
    expect(loadSignUpSecret(store)).toBeNull();
    expect(ensureSignUpSecret(store, random)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
