import { expect, it } from 'vitest';
import { isLinkKey } from './link-key.ts';

/** The form that earlier releases know. They answer any other path with 404. */
const EARLIER = /^[A-Za-z0-9_-]{1,20}$/;

it.each(['a', 'Spring_Sale-2', '0/0', 'promo/2024/Summer', '-/_', 'x'.repeat(190)])(
  '%s is a key',
  (code) => expect(isLinkKey(code)).toBe(true),
);

it.each(['', '/', 'a/', '/a', 'a//b', 'a.b/c', 'a:b', 'a b', 'é', 'a\n', '../a', 'x'.repeat(191)])(
  '%j is no key',
  (code) => expect(isLinkKey(code)).toBe(false),
);

it.each(['0/0', 'x'.repeat(21)])('an earlier release knows no link with the key %s', (code) =>
  expect(EARLIER.test(code)).toBe(false),
);
