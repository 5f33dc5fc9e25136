import { domainToUnicode } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicodeHost, unicodeLabel } from './punycode.ts';

test.each([
  ['xn--80ak6aa92e.com', 'аррӏе.com'],
  ['xn--bcher-kva.example', 'bücher.example'],
  ['xn--wgv71a119e.jp', '日本語.jp'],
  ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  ['xn--ls8h.la', '💩.la'],
  ['plain.example', 'plain.example'],
  ['xn--.com', 'xn--.com'],
  ['xn--!!!.com', 'xn--!!!.com'],
])('%s reads %s', (ascii, unicode) => {
  expect(unicodeHost(ascii)).toBe(unicode);
});

test('reads whatever the URL parser wrote, as the platform’s own decoder does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), (label) => {
      let host: string;
      try {
        host = new URL(`https://${label}.example/`).hostname;
      } catch {
        return;
      }
      if (host.includes('xn--')) expect(unicodeHost(host)).toBe(domainToUnicode(host));
    }),
    { numRuns: 3000 },
  );
});

test('never throws on broken labels', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[abcz0129-]{0,30}$/), (tail) => {
      expect(typeof unicodeLabel(`xn--${tail}`)).toBe('string');
    }),
    { numRuns: 2000 },
  );
});
