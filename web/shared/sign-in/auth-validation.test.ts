import { describe, expect, it, vi } from 'vitest';
import { codeError, emailError, mailLinkError, newPasswordError } from './auth-validation.ts';

describe('emailError', () => {
  it.each(['a@b.co', 'first.last+tag@sub.example.com', 'ü@example.org', `${'a'.repeat(250)}@b.co`])(
    'accepts %s',
    (email) => {
      expect(emailError(email)).toBe('');
    },
  );
  it.each(['', 'a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b c.de', `${'a'.repeat(251)}@b.co`])(
    'rejects "%s"',
    (email) => {
      expect(emailError(email)).not.toBe('');
    },
  );
});

describe('newPasswordError', () => {
  it('requires 6 characters and allows 72 bytes', () => {
    expect(newPasswordError('12345')).toBe('Password should be at least 6 characters.');
    expect(newPasswordError('123456')).toBe('');
    expect(newPasswordError('a'.repeat(72))).toBe('');
    expect(newPasswordError('ü'.repeat(37))).toBe('This password is too long. Use a shorter one.');
  });

  it('of the rules of a hosted service, only the length is known', async () => {
    vi.resetModules();
    const { config } = await import('#web/shared/page/config.ts');
    config.auth = { ...config.auth, mode: 'hosted', passwordMin: 8 };
    const hosted = await import('./auth-validation.ts');
    expect([hosted.passwordHint, hosted.newPasswordError('1234567')]).toEqual([
      'At least 8 characters. Longer is safer.',
      'Password should be at least 8 characters.',
    ]);
  });
});

describe('mailLinkError', () => {
  it('returns fixed words, whatever text the address contains', () => {
    const message = 'This link was already used or has expired.';
    expect(
      mailLinkError({ search: '', hash: '#error=access_denied&error_description=Call+0900+123' }),
    ).toBe(message);
    expect(mailLinkError({ search: '?error=access_denied&error_code=otp_expired', hash: '' })).toBe(
      message,
    );
    expect(mailLinkError({ search: '?next=/dashboard', hash: '#features' })).toBe('');
  });
});

describe('codeError', () => {
  it('a sign-in code is six digits, with or without spaces', () => {
    expect(codeError('123456')).toBe('');
    expect(codeError(' 123 456')).toBe('');
    for (const code of ['', '12345', '1234567', '12345a'])
      expect(codeError(code)).toBe('Enter all 6 digits of the code.');
  });
});
