import { afterEach, expect, it } from 'vitest';
import { storeSession } from '#web/testing/session.ts';
import { readProviderSession } from './provider-session.ts';

afterEach(() => localStorage.clear());

const NOW = 1_800_000_000_000;
/** Seconds before NOW at which the member has proven something, by its method. */
const tokenOf = (proofs: Record<string, number>): string => {
  const amr = Object.entries(proofs).map(([method, ago]) => ({
    method,
    timestamp: NOW / 1000 - ago,
  }));
  // A text whose encoding has the characters that base64url replaces.
  const payload = Buffer.from(JSON.stringify({ name: '?>~ÿ', amr })).toString('base64url');
  return `h.${payload}.s`;
};

it.each([
  [{ oauth: 539 }, 'provider'],
  [{ oauth: 540 }, null],
  [{ oauth: 10, webauthn: 20 }, 'passkey'],
  [{ oauth: 10, webauthn: 700 }, 'provider'],
  [{ password: 10 }, null],
])('of the proofs %o, the recent one is by %s', (proofs, fresh) => {
  storeSession({ accessToken: tokenOf(proofs) });
  expect(readProviderSession(NOW)).toEqual({ began: false, hasPassword: true, fresh });
});

it('a token that cannot be read proves nothing', () => {
  expect(readProviderSession(NOW)).toEqual({ began: false, hasPassword: true, fresh: null });
  storeSession({ accessToken: 'x', atProvider: 1, hasPassword: false });
  expect(readProviderSession(NOW)).toEqual({ began: true, hasPassword: false, fresh: null });
});
