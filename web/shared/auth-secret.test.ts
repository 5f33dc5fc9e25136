import { afterEach, expect, test } from 'vitest';
import { clearSignUpSecret, ensureSignUpSecret, readSignUpSecret } from './auth-secret.ts';

const random = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);
const store = (): Storage => localStorage;
/** What a browser does on a page that may not store anything. */
const blocked = (): never => {
  throw new DOMException('denied', 'SecurityError');
};

afterEach(() => clearSignUpSecret(store));

test('a browser makes one secret of 32 bytes and keeps it until it is forgotten', () => {
  expect(readSignUpSecret(store)).toBeNull();
  const secret = ensureSignUpSecret(store, random);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(ensureSignUpSecret(store, random)).toBe(secret);
  expect(Object.values(localStorage)).toContain(secret);
  clearSignUpSecret(store);
  expect(readSignUpSecret(store)).toBeNull();
  expect(ensureSignUpSecret(store, random)).not.toBe(secret);
});

test('encodes every byte in base64url', () => {
  expect(ensureSignUpSecret(store, (bytes) => bytes.fill(0xfb))).toBe(`${'-_v7'.repeat(10)}-_s`);
});

test('where storage throws, the secret lasts as long as the page', () => {
  const secret = ensureSignUpSecret(blocked, random);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(readSignUpSecret(blocked)).toBe(secret);
  clearSignUpSecret(blocked);
  expect(readSignUpSecret(blocked)).toBeNull();
});

test('a stored text that is no secret is replaced', () => {
  ensureSignUpSecret(store, random);
  const [key = ''] = Object.keys(localStorage);
  clearSignUpSecret(store);
  localStorage.setItem(key, '<script>');
  expect(readSignUpSecret(store)).toBeNull();
  expect(ensureSignUpSecret(store, random)).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
