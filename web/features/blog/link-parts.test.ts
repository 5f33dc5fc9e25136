import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLinks } from './link-parts.ts';

const links = (text: string): string[] =>
  splitLinks(text)
    .filter((part) => part.kind === 'link')
    .map((part) => part.text);

test('web addresses are found, without what ends the sentence', () => {
  expect(links('See https://example.com/a?b=c#d, or (http://example.org).')).toEqual([
    'https://example.com/a?b=c#d',
    'http://example.org',
  ]);
  expect(links('https://en.wikipedia.org/wiki/Hop_(plant)')).toEqual(['https://en.wikipedia.org/wiki/Hop_(plant)']);
});

test('nothing else becomes a link', () => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'https://', 'ftp://example.com', 'mailto:a@b.c', '<script>']) {
    expect(links(text)).toEqual([]);
  }
});

test('whatever the text: the parts give it back, and every link is http(s)', () => {
  const pieces = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('https://', 'http://a.b', 'https://a.b/)', ').', 'javascript:')),
  );
  fc.assert(
    fc.property(pieces, (array) => {
      const text = array.join('');
      const parts = splitLinks(text);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      for (const part of parts) if (part.kind === 'link') expect(new URL(part.text).protocol).toMatch(/^https?:$/);
    }),
  );
});
