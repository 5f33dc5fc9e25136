import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLookalike } from './lookalike.ts';
import { hasInvalidPunycode, unicodeHost } from './unicode-host.ts';

const asciiHost = (text: string): string => new URL(`https://${text}/`).hostname;

describe('unicodeHost', () => {
  it.each([
    ['xn--80ak6aa92e.com', 'аррӏе.com'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['xn--wgv71a119e.jp', '日本語.jp'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['xn--ls8h.la', '💩.la'],
    ['plain.example', 'plain.example'],
    ['xn--.com', 'xn--.com'],
    ['xn--!!!.com', 'xn--!!!.com'],
  ])('[T10] reads %s as %s', (ascii, unicode) => {
    expect(unicodeHost(ascii)).toBe(unicode);
  });

  it('[T10] reads every host that the URL parser makes of Unicode text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), (label) => {
        if (!URL.canParse(`https://${label}.example/`)) return;
        const host = asciiHost(`${label}.example`);
        expect(hasInvalidPunycode(host)).toBe(false);
        expect(asciiHost(unicodeHost(host))).toBe(host);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe('hasInvalidPunycode', () => {
  it.each(['xn--a.com', 'a.xn--pokxncvks', 'xn--3apply7.example', 'xn--w2.example', 'a.xn--.com'])('is true for %s', (host) => {
    expect(hasInvalidPunycode(host)).toBe(true);
  });

  it.each(['plain.example', 'xn--bcher-kva.example', 'my-xn--site.example'])('is false for %s', (host) => {
    expect(hasInvalidPunycode(host)).toBe(false);
  });

  it('never throws for a broken label', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abcz0129-]{0,30}$/), (tail) => {
        expect(typeof hasInvalidPunycode(`xn--${tail}.example`)).toBe('boolean');
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

describe('isLookalike', () => {
  it.each(['pаypal.com', 'аррӏе.com', 'www.аррӏе.com', 'gοοgle.com', 'раура1.com', 'аbc.example.com'])(
    '[T10] is true for %s',
    (host) => {
      expect(isLookalike(asciiHost(host))).toBe(true);
    },
  );

  it.each(['вѕё.ru', 'сахар.рф', 'ура.bg', 'привет.com', 'bücher.example', 'example.com', '日本語.jp', 'ωμέγα.gr'])(
    'is false for %s',
    (host) => {
      expect(isLookalike(asciiHost(host))).toBe(false);
    },
  );
});
