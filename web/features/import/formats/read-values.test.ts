import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  codeOfShortLink,
  codesOf,
  linkCodeOf,
  countOf,
  forwardOf,
  hostOfLink,
  isYes,
  lineOf,
  linesOf,
  passwordOf,
  tagsOf,
  timeOf,
} from './read-values.ts';

describe('timeOf', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29 23:59', '2024-02-29T23:59:00.000Z'],
    ['2024-02-29T23:59:59.5+0530', '2024-02-29T18:29:59.500Z'],
    ['2024-02-29 23:59:59 UTC', '2024-02-29T23:59:59.000Z'],
    ['2024-02-29T23:59:59-08', '2024-03-01T07:59:59.000Z'],
    ['12/31/2026', '2026-12-31T00:00:00.000Z'],
    ['3/3/2026', '2026-03-03T00:00:00.000Z'],
    ['31/12/2026 10:00', '2026-12-31T10:00:00.000Z'],
    ['1.2.2024 10:00', '2024-02-01T10:00:00.000Z'],
    ['Feb 29, 2024 1:00 PM', '2024-02-29T13:00:00.000Z'],
    ['Thu, 29 Feb 2024 13:00:00 GMT', '2024-02-29T13:00:00.000Z'],
    ['1709211600', '2024-02-29T13:00:00.000Z'],
    [1709211600000, '2024-02-29T13:00:00.000Z'],
    ['99999999999', '5138-11-16T09:46:39.000Z'],
    ['100000000000', '1973-03-03T09:46:40.000Z'],
    ['100000000', '1973-03-03T09:46:40.000Z'],
    ['13/12/2026', '2026-12-13T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });

  it('takes a written time without a zone as UTC, wherever the reader is', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(timeOf('Feb 29, 2024 1:00 PM')).toBe('2024-02-29T13:00:00.000Z');
  });

  it.each([
    null,
    undefined,
    false,
    '',
    'NULL',
    '\\N',
    'Never',
    0,
    '0000-00-00 00:00:00',
    'none',
    'No',
    'N/A',
    '-',
  ])('takes %j for no time', (value) => {
    expect(timeOf(value)).toBeNull();
  });

  it.each([
    '2023-02-29',
    '2024-13-01',
    '03/04/2024',
    '11/12/2024',
    '12/11/2024',
    '12345678',
    '9999-12-31T23:59:59-05:00',
    'tomorrow',
    'May be 1',
    '1969-12-31',
    '10000-01-01',
    true,
    {},
    [],
  ])('returns no time for the ambiguous %j', (value) => {
    expect(timeOf(value)).toBeUndefined();
  });
});

describe('codeOfShortLink', () => {
  it.each([
    ['https://go.example/abc', 'abc'],
    ['go.example/a/b', 'a/b'],
    ['http://localhost/abc', 'abc'],
    ['localhost:8787/abc', 'abc'],
    ['abc', 'abc'],
    ['promo/2024', 'promo/2024'],
    ['/abc/', 'abc'],
    ['acme.link', ''],
    ['', ''],
  ])('finds the code in %j', (value, code) => {
    expect(codeOfShortLink(value)).toBe(code);
  });
});

describe('linkCodeOf', () => {
  it.each([
    ['https://go.example/Summer?x=1#y', 'Summer'],
    ['go.example/a/b', 'a/b'],
    ['//localhost:8787/a', 'a'],
    ['/ozh/', 'ozh'],
    ['v1.2', 'v1.2'],
    ['v1.2/notes', 'v1.2/notes'],
    ['summer', 'summer'],
    ['https://go.example/caf%C3%A9', 'café'],
    ['https://go.example/%', '%'],
    ['https://go.example', ''],
    ['https://go.example/a, https://go.example/b', 'a'],
    [['https://go.example/a', 'https://go.example/b'], 'a'],
    [[], ''],
    [7, '7'],
    [null, ''],
  ])('finds the code in %j', (value, code) => {
    expect(linkCodeOf(value)).toBe(code);
  });
});

describe('texts, tags and numbers', () => {
  it('cuts titles and notes to what Hop stores, without breaking a character', () => {
    expect(lineOf(' a\u0000 \n b ', 120)).toBe('a b');
    expect(lineOf('a'.repeat(120), 120)).toBe('a'.repeat(120));
    expect(lineOf('a'.repeat(121), 120)).toBe(`${'a'.repeat(119)}…`);
    expect(lineOf('ab cde', 4)).toBe('ab…');
    expect([lineOf('e\u0301', 9), linesOf('e\u0301', 9)]).toEqual(['\u00E9', '\u00E9']);
    expect(lineOf(`${'a'.repeat(118)}🎉b`, 120)).toBe(`${'a'.repeat(118)}…`);
    expect(linesOf('a\u0007\r\n\tb', 2000)).toBe('a\n\tb');
    expect(linesOf('a'.repeat(2001), 2000)).toHaveLength(2000);
  });

  it('reads tags from lists, objects and text, each once', () => {
    expect(tagsOf(['a', { name: 'b, c' }, 7, null, 'A'])).toEqual(['a', 'b c', '7']);
    expect(tagsOf('a, b;c | b')).toEqual(['a', 'b', 'c']);
    expect(tagsOf('["a, b", "c"]')).toEqual(['a b', 'c']);
    expect(tagsOf('[a]')).toEqual(['[a]']);
    expect(tagsOf(Array.from({ length: 40 }, (_, i) => `tag ${i >> 1}`))).toHaveLength(10);
    expect(tagsOf(`${'a'.repeat(41)}, b\u00ADc`)).toEqual([`${'a'.repeat(39)}…`, 'b c']);
  });

  it('reads whole numbers of clicks only', () => {
    const values = ['1,234', '1 234 567', 0, '', null, '-1', '1.5', '1e3', 'many', '12,34'];
    expect(values.map(countOf)).toEqual([
      1234,
      1234567,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
      1000,
      undefined,
      undefined,
    ]);
  });

  it('reads the names to forward, and services that forward all parameters or none', () => {
    expect(['all', true, 'true', 'None', 'false', false, '', null].map(forwardOf)).toEqual([
      'all',
      'all',
      'all',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(forwardOf('ref, a[b],qr,no name,ref')).toEqual(['ref', 'a[b]']);
    expect(forwardOf(['all', 'x'.repeat(41)])).toEqual(['all']);
    expect(forwardOf(Array.from({ length: 22 }, (_, i) => `p${i >> 1}`))).toHaveLength(10);
  });

  it('reads the host of a short link, and codes with spaces between them', () => {
    const links = ['https://Go.Example/a', 'go.example:8080/a', 'v1.2', 'localhost/a', 'a', ''];
    expect(links.map(hostOfLink)).toEqual(['go.example', 'go.example', '', '', '', '']);
    expect(codesOf('a b  a')).toEqual(['a', 'b']);
    expect(codesOf(['a b', 7, ''])).toEqual(['a b', '7']);
  });

  it('reads what says yes', () => {
    const values = [true, 'True', 'YES', 'y', 1, 'archived', false, 'no', 0, '', null, 'x'];
    expect(values.map(isYes)).toEqual(values.map((_, at) => at < 6));
  });

  it('reads a password, and no hash or answer to whether there is one', () => {
    const longest = 'x'.repeat(100);
    const hash = 'd41d8cd98f00b204e9800998ecf8427e';
    for (const password of ['secret', longest, hash.slice(1), '12', 'trust', '$5'])
      expect(passwordOf(password)).toBe(password);
    for (const none of [`${longest}x`, hash, '$2b$10$abc', '{SHA}x', '1', 'true', '***', '•', 'no'])
      expect(passwordOf(none)).toBeUndefined();
  });
});
