import { describe, expect, it } from 'vitest';
import { checkAlias } from '#worker/edge/codes.ts';
import { isReserved, isReservedKey } from './reserved.ts';

describe('isReserved', () => {
  it.each([
    'sign-in',
    'Sign_In',
    'sign-up',
    'log-in',
    'LOG-OUT',
    'reset-password',
    'password_reset',
    'verification',
    'verified',
    'wallet',
    'wallets',
    'my-wallet',
    'verify-account',
    'my-account',
    'secure-login',
    'login-page',
    'login2',
    'account-verification',
    'hop-admin',
    '2fa-code',
    'authenticator',
    'l0gin',
    'l0g1n',
    'passw0rd',
    'wa11et',
    's1gn-1n',
    'ｗａｌｌｅｔ',
    'a-p-i',
    'mfa-code',
    'forgot-password',
    'au7h',
    '_own',
  ])('[T67] returns true for %s', (alias) => {
    expect(isReserved(alias)).toBe(true);
  });

  it.each([
    'newsletter-signup',
    'sign-up-2026',
    'sign-in-sheet',
    'account-1001',
    'help-center',
    'support-team',
    'secure-shop',
    'update-2026',
    'bank-holiday',
    'my-code',
    'signal',
    'design-in',
    'blog-in',
    'login-screen-design',
    'wallet-sale',
    'author',
    'authentic',
    'passage',
    'admission',
    'logic',
    'spring-2026',
    '2026',
    '1',
  ])('returns false for %s', (alias) => {
    expect(isReserved(alias)).toBe(false);
    expect(checkAlias(alias)).toEqual({ ok: true });
  });
});

describe('isReservedKey', () => {
  it.each([
    ['terms/2026', true],
    ['summer/terms', false],
    ['summer/reset-password', true],
    ['summer/sale', false],
  ])('of %s is %s', (code, reserved) => {
    expect(isReservedKey(code)).toBe(reserved);
  });
});
