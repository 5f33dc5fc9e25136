import { describe, expect, it } from 'vitest';
import {
  codeOfShortLink,
  linkCodeOf,
  countOf,
  forwardOf,
  lineOf,
  linesOf,
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
  ])('reads %s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });

  it.each([null, undefined, false, '', 'NULL', '\\N', 'Never', 0, '0000-00-00 00:00:00'])(
    'takes %j for no time',
    (value) => {
      expect(timeOf(value)).toBeNull();
    },
  );

  it.each([
    '2023-02-29',
    '2024-13-01',
    '03/04/2024',
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
    expect(lineOf('a'.repeat(121), 120)).toBe(`${'a'.repeat(119)}…`);
    expect(lineOf(`${'a'.repeat(118)}🎉b`, 120)).toBe(`${'a'.repeat(118)}…`);
    expect(linesOf('a\u0007\r\n\tb', 2000)).toBe('a\n\tb');
    expect(linesOf('a'.repeat(2001), 2000)).toHaveLength(2000);
  });

  it('reads tags from lists, objects and text, each once', () => {
    expect(tagsOf(['a', { name: 'b, c' }, 7, null, 'A'])).toEqual(['a', 'b c', '7']);
    expect(tagsOf('a, b;c | b')).toEqual(['a', 'b', 'c']);
    expect(tagsOf('["a, b", "c"]')).toEqual(['a b', 'c']);
    expect(tagsOf('[a]')).toEqual(['[a]']);
    expect(tagsOf(Array.from({ length: 20 }, (_, i) => `tag ${i}`))).toHaveLength(10);
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
    expect(forwardOf(Array.from({ length: 11 }, (_, i) => `p${i}`))).toHaveLength(10);
  });
});
