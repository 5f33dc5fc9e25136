import { expect, test } from 'vitest';
import { containsToken, parseMailLink, mailLinkFromState } from './mail-link.ts';

const ORIGIN = 'https://hop.example';

test('a complete fragment is a link, and so is what the history kept of it', () => {
  const link = parseMailLink('#type=signup&token_hash=abc_-1&next=%2Fsettings%3Fa%3Db', ORIGIN);
  expect(link).toEqual({ type: 'signup', tokenHash: 'abc_-1', next: '/settings?a=b' });
  expect(mailLinkFromState({ mailLink: link }, ORIGIN)).toEqual(link);
  expect(parseMailLink('#type=recovery&token_hash=abc', ORIGIN)?.next).toBe('/dashboard');
});

test.each([
  '',
  '#',
  '#type=signup',
  '#token_hash=abc',
  '#type=secure&token_hash=abc',
  '#type=signup&token_hash=',
  '#type=signup&token_hash=a%20b',
  `#type=signup&token_hash=${'a'.repeat(257)}`,
])('%s is no link', (hash) => {
  expect(parseMailLink(hash, ORIGIN)).toBeNull();
});

test.each([null, undefined, 'x', {}, { mailLink: null }, { mailLink: { type: 'signup' } }, { mailLink: { tokenHash: 'a' } }])(
  'the state %j holds no link',
  (state) => {
    expect(mailLinkFromState(state, ORIGIN)).toBeNull();
  },
);

test('a fragment with a token of any kind is a secret; an anchor is none', () => {
  for (const name of ['token_hash', 'access_token', 'refresh_token']) expect(containsToken(`#x=1&${name}=y`)).toBe(true);
  for (const hash of ['', '#features', '#error=access_denied']) expect(containsToken(hash)).toBe(false);
});
