import { expect, test } from 'vitest';
import { bringsSession, parseStored, storageKey } from './session.ts';

test('the storage key is the one the sign-in client uses', () => {
  expect(storageKey('http://localhost:8787/api')).toBe('sb-localhost-auth-token');
  expect(storageKey('https://abcdefgh.supabase.co')).toBe('sb-abcdefgh-auth-token');
});

test('a stored session is read, and what is none is refused', () => {
  const stored = { access_token: 't', expires_at: 1, refresh_token: 'r', user: { id: 'u', email: 'a@b.co' } };
  expect(parseStored(JSON.stringify(stored))).toMatchObject({
    access_token: 't',
    expires_at: 1,
    user: { id: 'u', email: 'a@b.co' },
  });
  for (const text of [null, '', 'null', '[]', '{}', '"x"', '{"access_token":"t"}', JSON.stringify({ ...stored, user: null })])
    expect(parseStored(text)).toBeNull();
});

test('only a fragment with tokens brings a session', () => {
  expect(bringsSession({ hash: '#access_token=x&type=signup' })).toBe(true);
  expect(bringsSession({ hash: '#error=access_denied' })).toBe(false);
  expect(bringsSession({ hash: '#features' })).toBe(false);
});
