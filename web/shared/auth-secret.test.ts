import { afterEach, expect, test } from 'vitest';
import { forgetSignUpSecret, makeSignUpSecret, signUpSecret } from './auth-secret.ts';

const random = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);
const store = (): Storage => localStorage;
/** What a browser does on a page that may not store anything. */
const blocked = (): never => {
  throw new DOMException('denied', 'SecurityError');
};

afterEach(() => forgetSignUpSecret(store));

test('a browser makes one secret of 32 bytes and keeps it until it is forgotten', () => {
  expect(signUpSecret(store)).toBeNull();
  const secret = makeSignUpSecret(store, random);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(makeSignUpSecret(store, random)).toBe(secret);
  expect(Object.values(localStorage)).toContain(secret);
  forgetSignUpSecret(store);
  expect(signUpSecret(store)).toBeNull();
  expect(makeSignUpSecret(store, random)).not.toBe(secret);
});

test('encodes every byte in base64url', () => {
  expect(makeSignUpSecret(store, (bytes) => bytes.fill(0xfb))).toBe(`${'-_v7'.repeat(10)}-_s`);
});

test('where storage throws, the secret lasts as long as the page', () => {
  const secret = makeSignUpSecret(blocked, random);
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(signUpSecret(blocked)).toBe(secret);
  forgetSignUpSecret(blocked);
  expect(signUpSecret(blocked)).toBeNull();
});

test('a stored text that is no secret is replaced', () => {
  makeSignUpSecret(store, random);
  const [key = ''] = Object.keys(localStorage);
  forgetSignUpSecret(store);
  localStorage.setItem(key, '<script>');
  expect(signUpSecret(store)).toBeNull();
  expect(makeSignUpSecret(store, random)).toMatch(/^[A-Za-z0-9_-]{43}$/);
});
