import { expect, test } from 'vitest';
import { codeProblem, emailProblem, linkProblem, newPasswordProblem } from './rules.ts';

test.each(['a@b.co', 'first.last+tag@sub.example.com', 'ü@example.org'])('%s is an address', (email) => {
  expect(emailProblem(email)).toBe('');
});
test.each(['', 'a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b c.de', `${'a'.repeat(251)}@b.co`])('%s is none', (email) => {
  expect(emailProblem(email)).not.toBe('');
});

test('a new password has 6 characters at least and 72 bytes at most', () => {
  expect(newPasswordProblem('12345')).toBe('The password needs at least 6 characters.');
  expect(newPasswordProblem('123456')).toBe('');
  expect(newPasswordProblem('a'.repeat(72))).toBe('');
  expect(newPasswordProblem('ü'.repeat(37))).toBe('This password is too long.');
});

test('a link that failed says why', () => {
  expect(
    linkProblem('#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb='),
  ).toBe('Email link is invalid or has expired');
  expect(linkProblem('#error=access_denied')).toBe('This link did not work.');
  expect(linkProblem('')).toBe('');
});

test('a code has six digits, however it is spaced', () => {
  expect(codeProblem('123456')).toBe('');
  expect(codeProblem(' 123 456')).toBe('');
  for (const code of ['', '12345', '1234567', '12345a']) expect(codeProblem(code)).toBe('The code has six digits.');
});
