import { expect, it } from 'vitest';
import { isLinkKey, linkKey, splitKey } from './domain-key.ts';
import { isCodePath } from './link-key.ts';

/** The form that earlier releases know. They answer any other path with 404. */
const EARLIER = /^[A-Za-z0-9_-]{1,20}$/;

it.each(['a', 'Spring_Sale-2', '0/0', 'promo/2024/Summer', '-/_', 'x'.repeat(190)])(
  '%s is a key',
  (code) => expect(isCodePath(code) && isLinkKey(code)).toBe(true),
);

it.each(['', '/', 'a/', '/a', 'a//b', 'a.b/c', 'a:b', 'a b', 'é', 'a\n', '../a', 'x'.repeat(191)])(
  '%j is no key',
  (code) => expect(isCodePath(code) || isLinkKey(code)).toBe(false),
);

it.each(['0/0', 'x'.repeat(21), 'd.abc3467xyz/a'])(
  'an earlier release knows no link with the key %s',
  (code) => expect(EARLIER.test(code)).toBe(false),
);

const DOMAIN = 'd.abc3467xyz';

it.each(['a', 'promo/2024', 'x'.repeat(190)])(
  'a code on a domain, %s, is a key but no path of the own short host',
  (code) => {
    const key = linkKey(DOMAIN, code);
    expect(isLinkKey(key)).toBe(true);
    expect(isCodePath(key)).toBe(false);
    expect(splitKey(key)).toEqual({ domain: DOMAIN, code });
  },
);

it.each(['d.abc3467xyz', 'd.abc3467xyz/', 'd.short/a', 'e.abc3467xyz/a', 'd.ABC3467XYZ/a'])(
  '%s is no key of a link on a domain',
  (key) => expect(isLinkKey(key)).toBe(false),
);

it('a code without a domain is on the own short host', () =>
  expect(splitKey('promo/2024')).toEqual({ domain: '', code: 'promo/2024' }));
