import { expect, test } from 'vitest';
import { codeError, emailError, mailLinkError, newPasswordError } from './auth-validation.ts';

test.each(['a@b.co', 'first.last+tag@sub.example.com', 'ü@example.org'])('%s is an address', (email) => {
  expect(emailError(email)).toBe('');
});
test.each(['', 'a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b c.de', `${'a'.repeat(251)}@b.co`])('%s is none', (email) => {
  expect(emailError(email)).not.toBe('');
});

test('a new password has 6 characters at least and 72 bytes at most', () => {
  expect(newPasswordError('12345')).toBe('The password needs at least 6 characters.');
  expect(newPasswordError('123456')).toBe('');
  expect(newPasswordError('a'.repeat(72))).toBe('');
  expect(newPasswordError('ü'.repeat(37))).toBe('This password is too long.');
});

test('a link that failed is reported in our words, whatever the address says', () => {
  const said = 'This link did not work. It was used already, or it is too old.';
  expect(mailLinkError({ search: '', hash: '#error=access_denied&error_description=Call+0900+123' })).toBe(said);
  expect(mailLinkError({ search: '?error=access_denied&error_code=otp_expired', hash: '' })).toBe(said);
  expect(mailLinkError({ search: '?next=/dashboard', hash: '#features' })).toBe('');
});

test('a code has six digits, however it is spaced', () => {
  expect(codeError('123456')).toBe('');
  expect(codeError(' 123 456')).toBe('');
  for (const code of ['', '12345', '1234567', '12345a']) expect(codeError(code)).toBe('The code has six digits.');
});
