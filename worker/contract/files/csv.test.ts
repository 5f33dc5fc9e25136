import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvPart, csvText } from './csv.ts';

/** Parses CSV according to RFC 4180; every cell must be quoted. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    expect(text[at]).toBe('"');
    let cell = '';
    for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
      if (text[at] === '"') at += 1;
      cell += text[at];
    }
    row.push(cell);
    at += 1;
    if (text[at] === ',') at += 1;
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n');
      rows.push(row);
      row = [];
      at += 2;
    }
  }
  return rows;
}

const nasty = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\0',
    '"',
    ',',
    "'",
    ';',
    '|',
    'a',
    '＝',
  ),
  maxLength: 12,
});
const cell = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 }));

describe('csvText', () => {
  it('[T19] round-trips any cells, and none starts a formula', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
        (rows) => {
          const read = parse(csvText(rows));
          expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
          for (const [r, row] of rows.entries())
            for (const [c, text] of row.entries()) {
              const back = read[r]?.[c] ?? '';
              expect(back === text || back === `'${text}`).toBe(true);
              expect(back).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
            }
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });

  it('prefixes formulas with an apostrophe and leaves numbers alone', () => {
    expect(csvCell('=HYPERLINK("https://evil.example")')).toBe(
      `"'=HYPERLINK(""https://evil.example"")"`,
    );
    expect(csvCell('@SUM(A1)')).toBe(`"'@SUM(A1)"`);
    expect(csvCell(-5)).toBe('"-5"');
    expect(csvCell('https://example.com/?a=-1')).toBe('"https://example.com/?a=-1"');
  });
});

describe('csvPart', () => {
  it.each([
    ['=1', '=1'],
    ['a b', 'a b'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\rb', '"a\rb"'],
    ['a\nb', '"a\nb"'],
  ])('of %j is %j', (text, part) => {
    expect(csvPart(text)).toBe(part);
  });
});
