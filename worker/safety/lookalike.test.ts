import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayHost, isLookalike } from './lookalike.ts';
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
  it.each(['xn--a.com', 'a.xn--pokxncvks', 'xn--3apply7.example', 'xn--w2.example', 'a.xn--.com'])(
    'returns true for invalid %s',
    (host) => {
      expect(hasInvalidPunycode(host)).toBe(true);
    },
  );

  it.each(['plain.example', 'xn--bcher-kva.example', 'my-xn--site.example'])(
    'returns false for valid %s',
    (host) => {
      expect(hasInvalidPunycode(host)).toBe(false);
    },
  );

  it('a broken label never throws', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abcz0129-]{0,30}$/), (tail) => {
        expect(typeof hasInvalidPunycode(`xn--${tail}.example`)).toBe('boolean');
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

/** What the reviews and the browsers' own tests use: the label, and how it deceives. */
const IMITATIONS = [
  ['accounts.google.com⁄signin.evil.example', 'U+2044'],
  ['accounts.google.com∕signin.evil.example', 'U+2215'],
  ['accounts.google.com⧸signin.evil.example', 'U+29F8'],
  ['accounts.google.com╱signin.evil.example', 'U+2571'],
  ['accounts.google.comノsignin.evil.example', 'Katakana no'],
  ['accounts.google.com丿signin.evil.example', 'a Han stroke'],
  ['accounts.google.com꞉443.evil.example', 'U+A789'],
  ['accounts.google.comː443.evil.example', 'U+02D0'],
  ['google·com.evil.example', 'U+00B7'],
  ['googleꞏcom.evil.example', 'U+A78F'],
  ['paypal–login.example', 'an en dash'],
  ['paypaꓲ.com', 'Lisu'],
  ['gⲟⲟgle.com', 'Coptic'],
  ['gჿogle.com', 'Georgian'],
  ['ᖯogin-bank.com', 'syllabics'],
  ['g๐๐gle.com', 'Thai digits'],
  ['g০ogle.com', 'a Bengali digit'],
  ['gഠഠgle.com', 'Malayalam letters'],
  ['gօօgle.com', 'Armenian'],
  ['ɡoogle.com', 'a phonetic g'],
  ['appɩe.com', 'a phonetic iota'],
  ['ɑpple.com', 'a phonetic a'],
  ['pаypal.com', 'one Cyrillic letter'],
  ['аррӏе.com', 'Cyrillic letters only'],
  ['www.аррӏе.com', 'Cyrillic letters only'],
  ['gοοgle.com', 'Greek'],
  ['раура1.com', 'Cyrillic letters and a digit'],
  ['аbc.example.com', 'Cyrillic in a subdomain'],
  ['раураλ.com', 'Cyrillic and Greek'],
] as const;

/** Names that imitate nothing, or not enough to be rejected, but are not shown in Unicode. */
const UNUSUAL = [
  ['whıtehouse.com', 'a dotless i outside Turkey'],
  ['paypaḷ.com', 'a rare letter with a mark'],
  ['paypạl.com', 'a Vietnamese letter outside Vietnam'],
  ['bətə.com', 'a schwa'],
  ['gopþer.com', 'a thorn'],
  ['i❤.example', 'a symbol'],
  ['💩.la', 'an emoji'],
  ['ꓑꓮꓬ.com', 'a script of limited use'],
  ['ᏣᎳᎩ.example', 'a script of limited use'],
  ['google.com.ノ.evil.example', 'a stroke alone'],
  ['ノsignin.example', 'a stroke at the beginning'],
  ['payー.example', 'a long vowel without a vowel'],
  ['παράδειγμα.пример.ɛwe.example', 'one unusual label of three'],
  ['סוס.com', 'Hebrew letters that look Latin'],
  ['հայ.com', 'Armenian letters that look Latin'],
  ['ไทย๒.example', 'foreign digits'],
  ['o’reilly.example', 'an apostrophe'],
] as const;

const HONEST = [
  'münchen.de',
  'bücher.example',
  'faß.de',
  'łódź.pl',
  'coração.com.br',
  'kırmızı.tr',
  'tiếngviệt.vn',
  'þór.is',
  'пример.рф',
  'привет.com',
  'вѕё.ru',
  'сахар.рф',
  'ура.bg',
  'київ.ua',
  'ελληνικά.gr',
  'ωμέγα.gr',
  'παράδειγμα.example',
  '日本語.jp',
  'ㄅ中文.tw',
  '朝日あさひ.jp',
  'ビタミンb6.example',
  'コーヒー.jp',
  'hello中国.example',
  '한국.kr',
  'ไทยแลนด์.example',
  'हिन्दी.example',
  'مثال.example',
  'ישראל.example',
  'հայ.am',
  'საქართველო.ge',
  'example.com',
];

describe('isLookalike', () => {
  it.each(IMITATIONS)('[T10] returns true for %s: %s', (host) => {
    expect(isLookalike(asciiHost(host))).toBe(true);
  });

  it.each([...HONEST, ...UNUSUAL.map(([host]) => host), 'paral·lel.cat'])(
    'returns false for %s',
    (host) => {
      expect(isLookalike(asciiHost(host))).toBe(false);
    },
  );
});

describe('displayHost', () => {
  it.each([...IMITATIONS, ...UNUSUAL])('[T52] shows %s in Punycode: %s', (host) => {
    for (const ascii of [asciiHost(host), `${asciiHost(host)}.`])
      expect(displayHost(ascii)).toBe(ascii);
    expect(asciiHost(host)).toContain('xn--');
  });

  it.each(HONEST)('[T52] shows %s as it is', (host) => {
    expect(displayHost(asciiHost(host))).toBe(host);
    expect(displayHost(`${asciiHost(host)}.`)).toBe(`${host}.`);
  });

  it.each([
    ['сахо', 'bg by kg kz mk mn rs ru su tj ua uz'],
    ['νατο', 'cy gr'],
    ['հայ', 'am'],
    ['ხიო', 'ge'],
    ['סוס', 'il'],
    ['ሀሠሰ', 'er et'],
    ['คน', 'th'],
    ['ပဝ', 'mm'],
    ['ടധ', 'in'],
    ['kırı', 'az tr'],
    ['bətə', 'az'],
    ['goþ', 'fo is'],
    ['phở', 'vn'],
  ])('[T52] shows %s as it is only in %s', (word, countries) => {
    const shownIn = (topLevel: string): boolean =>
      displayHost(asciiHost(`${word}.${topLevel}`)) === `${word}.${topLevel}`;
    expect(countries.split(' ').filter((country) => !shownIn(country))).toEqual([]);
    expect(['com', 'de', 'us'].filter(shownIn)).toEqual([]);
  });

  it('[T52] nothing but letters, ASCII digits, hyphens and dots is shown in Unicode', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), (label) => {
        const text = `a${label}.example`;
        if (!URL.canParse(`https://${text}/`)) return;
        const host = asciiHost(text);
        if (host.includes('xn--')) expect(displayHost(host)).toMatch(/^[\p{L}\p{M}0-9.-]+$/u);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  it('broken labels are shown as they are', () => {
    expect(displayHost('xn--a.com')).toBe('xn--a.com');
  });
});
