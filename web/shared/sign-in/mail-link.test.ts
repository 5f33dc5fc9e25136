import { describe, expect, it } from 'vitest';
import { containsToken, mailLinkFromState, parseMailLink } from './mail-link.ts';

const ORIGIN = 'https://hop.example';

describe('parseMailLink', () => {
  it('reads a complete fragment', () => {
    expect(
      parseMailLink('#type=signup&token_hash=abc_-1&next=%2Fsettings%3Fa%3Db', ORIGIN),
    ).toEqual({
      type: 'signup',
      tokenHash: 'abc_-1',
      next: '/settings?a=b',
    });
    expect(parseMailLink('#type=recovery&token_hash=abc', ORIGIN)?.next).toBe('/dashboard');
    expect(parseMailLink(`#type=signup&token_hash=${'a'.repeat(256)}`, ORIGIN)).not.toBeNull();
  });

  it.each([
    '',
    '#',
    '#type=signup',
    '#token_hash=abc',
    '#type=secure&token_hash=abc',
    '#type=signup&token_hash=',
    '#type=signup&token_hash=a%20b',
    `#type=signup&token_hash=${'a'.repeat(257)}`,
  ])('returns null for "%s"', (hash) => {
    expect(parseMailLink(hash, ORIGIN)).toBeNull();
  });
});

describe('mailLinkFromState', () => {
  it('reads the link that was parsed before', () => {
    const mailLink = parseMailLink('#type=signup&token_hash=abc&next=%2Fsettings', ORIGIN);
    expect(mailLinkFromState({ mailLink }, ORIGIN)).toEqual(mailLink);
  });

  it('checks the target page again', () => {
    const mailLink = { type: 'signup', tokenHash: 'abc', next: 'https://evil.example/' };
    expect(mailLinkFromState({ mailLink }, ORIGIN)?.next).toBe('/dashboard');
  });

  it.each([
    null,
    undefined,
    'x',
    {},
    { mailLink: null },
    { mailLink: { type: 'signup' } },
    { mailLink: { tokenHash: 'a' } },
  ])('returns null for %j', (state) => {
    expect(mailLinkFromState(state, ORIGIN)).toBeNull();
  });
});

describe('containsToken', () => {
  it('returns true for a fragment with any token, and false for an anchor', () => {
    for (const name of ['token_hash', 'access_token', 'refresh_token', 'provider_token'])
      expect(containsToken(`#x=1&${name}=y`)).toBe(true);
    for (const hash of ['', '#features', '#error=access_denied'])
      expect(containsToken(hash)).toBe(false);
  });
});
