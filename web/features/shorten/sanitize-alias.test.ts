import { describe, expect, it } from 'vitest';
import { sanitizeAlias } from './sanitize-alias.ts';

describe('sanitizeAlias', () => {
  it.each([
    ['spring-sale_2026', 'spring-sale_2026'],
    ['spring sale!', 'springsale'],
    ['café/ñ', 'caf'],
    ['https://x.y/z', 'httpsxyz'],
    ['２０２６', ''],
    ['a'.repeat(25), 'a'.repeat(20)],
    [`!!${'b'.repeat(20)}`, 'b'.repeat(20)],
  ])('turns %s into %s', (typed, alias) => {
    expect(sanitizeAlias(typed)).toBe(alias);
  });
});
