import { expect, test } from 'vitest';
import { sanitizeAlias } from './sanitize-alias.ts';

test.each([
  ['spring-sale_2026', 'spring-sale_2026'],
  ['spring sale!', 'springsale'],
  ['café/ñ', 'caf'],
  ['https://x.y/z', 'httpsxyz'],
  ['２０２６', ''],
  ['a'.repeat(25), 'a'.repeat(20)],
  [`!!${'b'.repeat(20)}`, 'b'.repeat(20)],
])('%s → %s', (typed, kept) => {
  expect(sanitizeAlias(typed)).toBe(kept);
});
