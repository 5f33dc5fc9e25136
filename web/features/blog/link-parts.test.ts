import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLinks } from './link-parts.ts';

const links = (text: string): string[] =>
  splitLinks(text)
    .filter((part) => part.kind === 'link')
    .map((part) => part.text);

describe('splitLinks', () => {
  it('finds web addresses without the punctuation around them', () => {
    expect(links('See https://example.com/a?b=c#d, or (http://example.org).')).toEqual([
      'https://example.com/a?b=c#d',
      'http://example.org',
    ]);
    expect(links('https://en.wikipedia.org/wiki/Hop_(plant)')).toEqual([
      'https://en.wikipedia.org/wiki/Hop_(plant)',
    ]);
    expect(links('“https://example.com/a” and https://example.com/b…')).toEqual([
      'https://example.com/a',
      'https://example.com/b',
    ]);
  });

  it('reports where each part starts', () => {
    expect(splitLinks('a http://b.example c')).toEqual([
      { kind: 'text', text: 'a ', start: 0 },
      { kind: 'link', text: 'http://b.example', start: 2 },
      { kind: 'text', text: ' c', start: 18 },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'ftp://example.com',
    'mailto:a@b.example',
    'a@b.example',
    'www.example.com',
    '//example.com/x',
    '<script>',
  ])('finds no link in %s', (text) => {
    expect(links(text)).toEqual([]);
  });

  it('[T18] finds only http and https links in any text, and keeps the text', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          'https://',
          'http://a.b',
          'https://a.b/)',
          ').',
          'javascript:',
          '"><',
          'user:pw@',
        ),
      ),
    );
    fc.assert(
      fc.property(pieces, (array) => {
        const text = array.join('');
        const parts = splitLinks(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts)
          if (part.kind === 'link') expect(new URL(part.text).protocol).toMatch(/^https?:$/);
      }),
      { seed: 1 },
    );
  });

  // A scan that restarts at each character takes minutes for these texts.
  it.each([
    ...Array.from('()[]{}<>"\'“”‘’«»/\\.,;:!?…'),
    '()',
    ')(',
    ').',
    'https://',
    'http://a.b/)',
  ])('[T56] splits 100,000 characters of %s in one pass', (unit) => {
    const run = unit.repeat(100_000 / unit.length);
    for (const text of [
      run,
      `https://a.example/x${run}`,
      `https://a.example/x(${run}y`,
      `https://${run} z`,
    ]) {
      const parts = splitLinks(text);
      expect(parts.map((part) => part.text).join('') === text).toBe(true);
    }
  });
});
