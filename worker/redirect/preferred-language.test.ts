import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

describe('preferredLanguage', () => {
  it.each([
    ['de-AT,de;q=0.9', 'de-at'],
    ['en;q=0.5, fr;q=0.8', 'fr'],
    ['en;q=0.8, fr;q=0.8', 'en'],
    ['en; Q=0.1, fr;q=0.2', 'fr'],
    ['en;q=2, fr;q=0.1', 'fr'],
    ['en;q=x, fr;q=0.1', 'fr'],
    ['en;q=0, *, ', ''],
  ])('reads from %j the language "%s"', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  it('reads 500 characters at most', () => {
    expect(preferredLanguage(`${' '.repeat(498)}en`)).toBe('en');
    expect(preferredLanguage(`${' '.repeat(500)}en`)).toBe('');
  });
});
