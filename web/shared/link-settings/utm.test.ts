import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUtm, writeUtm } from './utm.ts';

describe('UTM values of a link', () => {
  it('UTM values are read from the query of a link, decoded', () => {
    const link = 'example.com/p?a=1&utm_source=Spring%20mail&utm_term=a+b#utm_medium=x';
    expect(readUtm(link)).toEqual({
      source: 'Spring mail',
      medium: '',
      campaign: '',
      term: 'a b',
      content: '',
    });
  });

  it('UTM values are written once, and other text stays as it was typed', () => {
    expect(writeUtm('example.com', { source: 'news letter' })).toBe(
      'example.com?utm_source=news%20letter',
    );
    expect(
      writeUtm('https://e.com/p?a=%20b;c&utm_source=x&d&utm_source=y#f?g', {
        source: 'z',
        medium: 'email',
      }),
    ).toBe('https://e.com/p?a=%20b;c&utm_source=z&d&utm_medium=email#f?g');
    expect(writeUtm('https://e.com/?utm_source=x', { source: '' })).toBe('https://e.com/');
    expect(writeUtm('https://e.com/p?', {})).toBe('https://e.com/p?');
  });

  it('UTM values are read as they were written, for any text', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string({ unit: 'grapheme' }),
        (url, value) => {
          const written = writeUtm(url, { campaign: value });
          expect(readUtm(written).campaign).toBe(value);
          expect(writeUtm(written, { campaign: value })).toBe(written);
          expect(new URL(written).hash).toBe(new URL(url).hash);
        },
      ),
      { seed: 1 },
    );
  });
});
