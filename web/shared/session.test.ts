import { expect, test } from 'vitest';
import { hasAuthCode, parseStoredSession, storageKey } from './session.ts';

test('the storage key is the one the sign-in client uses', () => {
  expect(storageKey('http://localhost:8787/api')).toBe('sb-localhost-auth-token');
  expect(storageKey('https://abcdefgh.supabase.co')).toBe('sb-abcdefgh-auth-token');
});

test('a stored session is read, and what is none is refused', () => {
  const stored = { access_token: 't', expires_at: 1, refresh_token: 'r', user: { id: 'u', email: 'a@b.co' } };
  expect(parseStoredSession(JSON.stringify(stored))).toMatchObject({
    access_token: 't',
    expires_at: 1,
    user: { id: 'u', email: 'a@b.co' },
  });
  for (const text of [null, '', 'null', '[]', '{}', '"x"', '{"access_token":"t"}', JSON.stringify({ ...stored, user: null })])
    expect(parseStoredSession(text)).toBeNull();
});

test('only a hosted service’s code on a page of the sign-in brings a session', () => {
  expect(hasAuthCode({ pathname: '/auth', search: '?next=%2F&code=x' }, 'hosted')).toBe(true);
  expect(hasAuthCode({ pathname: '/auth/reset', search: '?code=x' }, 'hosted')).toBe(true);
  expect(hasAuthCode({ pathname: '/auth', search: '?code=x' }, 'embedded')).toBe(false);
  expect(hasAuthCode({ pathname: '/report', search: '?code=x' }, 'hosted')).toBe(false);
  expect(hasAuthCode({ pathname: '/auth', search: '?next=%2F' }, 'hosted')).toBe(false);
});
