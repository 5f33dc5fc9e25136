import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '#worker/html.ts';
import { linkedHtml } from './linked-html.ts';

const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);

describe('linkedHtml', () => {
  it('links web addresses without the punctuation around them, and keeps the text', () => {
    const text =
      'See https://example.com/a?b=c&d#e, or\n(http://example.org/x_(y)). “https://a.example/z”…';
    const html = linkedHtml(text);
    expect(hrefs(html)).toEqual([
      'https://example.com/a?b=c&amp;d#e',
      'http://example.org/x_(y)',
      'https://a.example/z',
    ]);
    expect(html.replaceAll(/<\/?a[^>]*>/g, '')).toBe(escapeHtml(text));
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'ftp://a.example',
    'mailto:a@b.example',
    '//a.example',
    'www.a.example',
  ])('text without a full address stays text: %s', (text) => {
    expect(linkedHtml(text)).toBe(escapeHtml(text));
  });

  it('[T18] contains no markup but links to http and https, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'https://',
        'http://a.b',
        '"><script>alert(1)</script>',
        "' onclick=",
        'javascript:',
        '&lt;',
        ').',
        '</a>',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const html = linkedHtml(text);
        const link =
          /<a target="_blank" rel="noopener noreferrer nofollow" href="https?:\/\/[^"<>]*">([^<>]*)<\/a>/g;
        expect(html.replaceAll(link, '$1')).toBe(escapeHtml(text));
      }),
      { seed: 1 },
    );
  });

  it.each([
    ['https://a.example/x)).', 'https://a.example/x'],
    ['https://a.example/(x).)', 'https://a.example/(x)'],
    ['https://a.example/[x]}.!)', 'https://a.example/[x]'],
    ['https://a.example/)(', 'https://a.example/)('],
    ['https://a.example/a.)b)', 'https://a.example/a.)b'],
  ])('an address in %s ends after its last matched bracket', (text, address) => {
    expect(hrefs(linkedHtml(text))).toEqual([address]);
  });

  // A scan that starts again at each character takes minutes for these, and a recursion overflows
  // the stack.
  it.each([
    ...Array.from('()[]{}<>"\'“”‘’«»/\\.,;:!?…'),
    '()',
    ')(',
    ').',
    'https://',
    'http://a.b/)',
  ])('[T56] links 100,000 characters of %s in one pass', (unit) => {
    const run = unit.repeat(100_000 / unit.length);
    for (const text of [
      run,
      `https://a.example/x${run}`,
      `https://a.example/x(${run}y`,
      `https://${run} z`,
    ]) {
      const html = linkedHtml(text);
      expect(html.replaceAll(/<\/?a [^>]*>|<\/a>/g, '') === escapeHtml(text)).toBe(true);
    }
  });
});
