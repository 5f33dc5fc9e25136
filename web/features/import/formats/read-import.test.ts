import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError } from './import-row.ts';
import { describeLoss } from './losses.ts';
import { readImport } from './read-import.ts';
import expected from './testdata/expected.json';

const FILES = import.meta.glob<string>(['./testdata/*', '!./testdata/expected.json'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const fixtures = Object.entries(FILES).map(
  ([path, text]) => [path.replace('./testdata/', ''), text] as const,
);
const EXPECTED: Record<string, unknown> = expected;

describe('readImport', () => {
  it.each(fixtures)('reads %s', async (name, text) => {
    const { format, rows, losses, notice } = await readImport(text);
    expect({
      format,
      rows,
      losses: losses.map(describeLoss),
      ...(notice !== undefined && { notice }),
    }).toEqual(EXPECTED[name]);
  });

  it('every expectation has a file', () => {
    expect(fixtures.map(([name]) => name).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it.each([
    ['Title,Link,Custom Link,Long URL,Created Date,Total Engagements', 'Bitly'],
    ['Titel,Kurzlink,Eigener Link,Ziel,Erstellt,Total Engagements', 'Bitly'],
  ])('recognizes Bitly by its links: %s', async (header, formatName) => {
    const file = await readImport(
      `${header}\nA,bit.ly/3xYz,bit.ly/spring,https://example.com/a?b=c,2024-01-02,12\nB,bit.ly/3xYq,,https://example.com/b,2024-01-03,3`,
    );
    expect(file.formatName).toBe(formatName);
    expect(file.rows).toMatchObject([
      { url: 'https://example.com/a?b=c', code: 'spring', sourceId: 'bit.ly/3xYz', clicks: 12 },
      { url: 'https://example.com/b', code: '3xYq', sourceId: 'bit.ly/3xYq', clicks: 3 },
    ]);
  });

  it('the only addresses are destinations, even if they look like short links', async () => {
    const { rows } = await readImport('A,B\n1,https://example.com/x\n2,https://example.com/y');
    expect(rows.map(({ url, code }) => [url, code])).toEqual([
      ['https://example.com/x', undefined],
      ['https://example.com/y', undefined],
    ]);
  });

  it('lets a member choose what columns mean', async () => {
    const text = 'Target,Campaign,Name\nhttps://a.example,sale,ann\n';
    const read = async (chosen: Record<string, string>) => {
      const { columns, rows } = await readImport(text, chosen);
      return [columns?.map(({ meaning }) => meaning), rows];
    };
    expect(await read({})).toEqual([
      ['url', null, 'title'],
      [{ line: 2, url: 'https://a.example', title: 'ann' }],
    ]);
    expect(await read({ Campaign: 'tags', Name: '' })).toEqual([
      ['url', 'tags', null],
      [{ line: 2, url: 'https://a.example', tags: ['sale'] }],
    ]);
    expect(await read({ Name: 'code', Campaign: 'title' })).toEqual([
      ['url', 'title', 'code'],
      [{ line: 2, url: 'https://a.example', title: 'sale', code: 'ann' }],
    ]);
  });

  it('finds the addresses in a column of any name', async () => {
    const { columns, rows } = await readImport(
      'Page;Where\nHome;https://a.example\nShop;https://b.example',
    );
    expect(columns).toEqual([
      { name: 'Page', meaning: null },
      { name: 'Where', meaning: 'url' },
    ]);
    expect(rows.map(({ url }) => url)).toEqual(['https://a.example', 'https://b.example']);
  });

  it('needs no quotation marks in a table with one column', async () => {
    const { rows } = await readImport('URL\nhttps://a.example/b,c\n"https://a.example/d,e"');
    expect(rows.map(({ url }) => url)).toEqual(['https://a.example/b,c', 'https://a.example/d,e']);
  });

  it('lists a line with more cells than columns as a problem', async () => {
    const { rows } = await readImport(
      'url,note\nhttps://a.example,one, two\nhttps://b.example,one',
    );
    expect(
      rows.map(({ line, problem }) => [
        line,
        problem?.startsWith('This line has 3 cells for 2 columns.'),
      ]),
    ).toEqual([
      [2, true],
      [3, undefined],
    ]);
  });

  it('lists a link whose end date it cannot read as a problem', async () => {
    const { rows } = await readImport(
      'url,expires,created\nhttps://a.example,03/04/2027,03/04/2024',
    );
    expect(rows).toEqual([
      {
        line: 2,
        url: 'https://a.example',
        losses: ['createdAt'],
        problem: 'The end date “03/04/2027” cannot be read. Write it like 2026-12-31.',
      },
    ]);
  });

  it.each([
    ['is_disabled', '1', true],
    ['is_disabled', 'spam', true],
    ['is_disabled', '0', undefined],
    ['active', 'false', true],
    ['active', 'yes', undefined],
    ['active', '', undefined],
    ['enabled', 'no', true],
    ['paused', 'true', true],
    ['secret_key', 'f3k2', true],
    ['password', 'NULL', undefined],
    ['max_visits', '10', undefined],
    ['max_visits', '9', true],
    ['status', 'Live', undefined],
    ['status', '301', undefined],
    ['status', '404', true],
    ['status', 'paused', true],
    ['status', 'hidden', undefined],
    ['status', 'In review', true],
    ['status', 'expired', true],
    ['State', 'paused', true],
  ])('a link with %s “%s” is disabled: %s', async (name, value, disabled) => {
    const { rows } = await readImport(`url,clicks,${name}\nhttps://a.example,9,${value}`);
    expect(rows.map((row) => row.disabled)).toEqual([disabled]);
  });

  it('counts every column that says that a link is off, whichever has the meaning', async () => {
    const text =
      'url,disabled,banned,enabled,active\na.example,no,yes,1,1\nb.example,0,0,1,0\nc.example,0,0,0,1\nd.example,0,0,null,1\ne.example,0,0,1,1';
    const { rows } = await readImport(text);
    expect(rows.map(({ disabled }) => disabled)).toEqual([true, true, true, undefined, undefined]);
  });

  it('counts the texts and tags that are cut', async () => {
    const tags = Array.from({ length: 11 }, (_, n) => `t${n}`).join(';');
    const text = `url,title,tags,clicks,created\na.example,${'x'.repeat(121)},${tags},many,soon`;
    const { losses } = await readImport(text);
    expect(losses.map(describeLoss)).toEqual([
      'Creation date that can’t be read: these links get the day of the import (1 link)',
      'Number of clicks that can’t be read: not kept (1 link)',
      'Title or note that is too long: cut (1 link)',
      'Tags that are too long or too many: cut or left out (1 link)',
    ]);
  });

  it('keeps five earlier codes and the latest history, and says what it leaves out', async () => {
    const stateOf = (at: number, title: string) => ({
      until: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      long_url: 'https://a.example/old',
      short_code: 'old',
      status: 'disabled',
      has_password: true,
      tags: ['sale'],
      title,
    });
    const read = async (codes: number, states: number, title = 'T') => {
      const link = {
        long_url: 'https://a.example',
        earlier_codes: Array.from({ length: codes }, (_, at) => `c${at}`),
        history: Array.from({ length: states }, (_, at) => stateOf(at, title)),
      };
      const { rows } = await readImport(JSON.stringify([link]));
      return rows[0];
    };
    const { until, title } = stateOf(1, 'T');
    expect(await read(5, 2)).toEqual({
      line: 1,
      url: 'https://a.example',
      earlierCodes: ['c0', 'c1', 'c2', 'c3', 'c4'],
      history: [
        {
          until,
          url: 'https://a.example/old',
          code: 'old',
          status: 'disabled',
          tags: ['sale'],
          title,
        },
        expect.objectContaining({ until: stateOf(0, 'T').until }),
      ],
    });
    const cut = await read(6, 151);
    expect(cut).toMatchObject({ earlierCodes: { length: 5 }, history: { length: 150 } });
    expect([cut?.history?.[0]?.until, cut?.losses]).toEqual([
      stateOf(150, '').until,
      ['earlierCodes', 'history'],
    ]);
    const long = await read(0, 150, 'x'.repeat(1000));
    expect([long?.history?.length, long?.losses]).toEqual([53, ['history']]);
    expect((await read(0, 150))?.losses).toBeUndefined();
  });

  it.each([
    ['{"clickLimit": 1000001}', { clickLimit: 1_000_000, losses: ['clickLimit'] }],
    ['{"clickLimit": 1000000}', { clickLimit: 1_000_000 }],
    [
      '{"clickLimit": 10, "clickLimitUsed": 4, "clicks": 9, "importedClicks": 3}',
      { clickLimit: 6, clicks: 12 },
    ],
    ['{"clickLimit": "x"}', { disabled: true, losses: ['usedUp'] }],
    ['{"redirectStatus": "301", "watch": "always"}', { redirectStatus: 301, watch: 'always' }],
    ['{"redirectStatus": "302", "watch": "off", "fallbackUrl": "none"}', {}],
    ['{"watch": true, "fallbackUrl": "a.example"}', { watch: 'on', fallbackUrl: 'a.example' }],
    ['{"suggestOnTypo": "no", "archived": "Yes"}', { archived: true }],
    ['{"deletedAt": "2026-01-01"}', { problem: 'This link has been deleted.' }],
    ['{"earlierCodes": "a b"}', { earlierCodes: ['a', 'b'] }],
    // An apostrophe before a formula belongs to the text, unless the file is a table of Hop.
    [
      '{"short_url": "hop.example/a", "status_reason": null, "title": "\'=1"}',
      { code: 'a', sourceId: 'hop.example/a', title: "'=1" },
    ],
    ['{"rules": "x"}', { losses: ['rules'] }],
    ['{"variants": "x"}', { losses: ['rules'] }],
    ['{"history": "x"}', { losses: ['history'] }],
    ['{"history": [{"until": "x", "status": "active"}]}', { losses: ['history'] }],
  ])('reads a link with %s', async (given, row) => {
    const link = { long_url: 'https://a.example', ...JSON.parse(given) };
    const { rows } = await readImport(JSON.stringify([link]));
    expect(rows).toEqual([{ line: 1, url: 'https://a.example', ...row }]);
  });

  it('reads several pages of JSON, in a list or on lines', async () => {
    const link = { link: 'kutt.it/a', url: 'https://kutt.it/a' };
    const pages = [
      { data: [{ address: 'a', target: 'https://a.example', link }], total: 3 },
      { data: [{ target: 'https://b.example' }] },
    ];
    for (const text of [
      JSON.stringify(pages),
      pages.map((page) => JSON.stringify(page)).join('\n\n'),
    ])
      expect(await readImport(text)).toEqual({
        format: 'kutt',
        formatName: 'Kutt',
        rows: [
          { line: 1, url: 'https://a.example', code: 'a', sourceId: 'kutt.it/a' },
          { line: 2, url: 'https://b.example' },
        ],
        losses: [],
        notice: 'This file has 2 of 3 links. Export the other pages, too.',
      });
  });

  it('reads JSON of any other form, and lists what is not a link', async () => {
    const text =
      '["https://a.example", 7, {"Web Site": "https://b.example", "meta": {"Title": "B"}}]';
    const { format, formatName, rows, columns } = await readImport(text, {
      'meta.Title': 'title',
    });
    expect([format, formatName]).toEqual(['csv', 'JSON']);
    expect(columns).toEqual([
      { name: 'Web Site', meaning: 'url' },
      { name: 'meta.Title', meaning: 'title' },
    ]);
    expect(rows).toEqual([
      { line: 1, url: 'https://a.example' },
      { line: 2, url: '', problem: 'This entry of the list is not a link.' },
      { line: 3, url: 'https://b.example', title: 'B' },
    ]);
  });

  it.each([
    ['an empty file', ' \r\n', 'This file is empty.'],
    ['text without addresses', 'hello, world\nfoo, bar', 'There is no web address in this file.'],
    ['JSON without addresses', '["a", {"b": 1}]', 'There is no web address in this file.'],
    ['a table without lines', 'url,code\n', 'There is no link below the names of the columns.'],
    [
      'a quotation mark that is not closed',
      'url,note\nhttps://a.example,"x\nhttps://b.example,y',
      'A quotation mark in line 2 is not closed, or not doubled. Correct the line and try again.',
    ],
    [
      'incomplete JSON',
      '{"links": [',
      'This file starts like JSON, but it is not complete. Export it again, then try again.',
    ],
    [
      'JSON of great depth',
      `${'{"links":'.repeat(100_000)}[]${'}'.repeat(100_000)}`,
      'There is no web address in this file.',
    ],
    ['JSON without links', '{"links": []}', 'There are no links in this file.'],
    [
      'a copy of a database',
      '-- MySQL dump',
      'This is a copy of a database in SQL, and it has no links of YOURLS. Export the table with the links as CSV instead.',
    ],
    [
      'a web page',
      '<!DOCTYPE html>',
      'This is a web page or XML. Choose a CSV, TSV, text or JSON file, bookmarks, or a copy of YOURLS’ database.',
    ],
    [
      'a spreadsheet',
      'PK\u0003\u0004',
      'This is a spreadsheet. Save it as CSV, then choose that file.',
    ],
  ])('explains why it cannot read %s', async (_, text, message) => {
    await expect(readImport(text)).rejects.toThrow(new ImportError(message));
  });
});

describe('readImport with text of any kind', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'url',
      'code',
      'https://a.example',
      '"',
      "'=1",
      '2026-12-31',
      'link',
      'tags',
      ',',
      '\n',
      '#',
      '|',
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(cell, { maxLength: 30 })
      .chain((cells) => fc.constantFrom(',', ';', '\t', '\n', '').map((glue) => cells.join(glue))),
    fc.json(),
    fc.array(fc.json(), { maxLength: 3 }).map((documents) => documents.join('\n')),
  );

  it('throws nothing but an explanation', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.dictionary(fc.string(), cell), async (content, chosen) => {
        const file = await readImport(content, chosen).catch((error: unknown) => error);
        if (file instanceof Error) expect(file).toBeInstanceOf(ImportError);
        else expect(file).toHaveProperty('rows');
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('makes a row of every line and of every entry', async () => {
    const links = fc.array(fc.record({ url: fc.webUrl(), title: cell, note: cell }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(links, fc.constantFrom(',', ';', '\t', '|'), async (list, delimiter) => {
        const quoted = list.map((link) =>
          Object.values(link)
            .map((value) => `"${value.replaceAll('"', '""')}"`)
            .join(delimiter),
        );
        const urls = list.map(({ url }) => url);
        const read = async (content: string) =>
          (await readImport(content)).rows.map(({ url }) => url);
        expect(
          await read(['url', 'title', 'note'].join(delimiter) + '\n' + quoted.join('\r\n')),
        ).toEqual(urls);
        expect(await read(JSON.stringify(list))).toEqual(urls);
        // Lines with separators could also be a table without column names.
        if (!urls.some((url) => /[,;|]/.test(url)))
          expect(await read(urls.join('\n'))).toEqual(urls);
      }),
      { seed: 1 },
    );
  });
});

/** Counts the characters that `run` reads from texts of at least `length` characters. */
async function charactersRead(length: number, run: () => Promise<unknown>): Promise<number> {
  let characters = 0;
  const restore = ['indexOf', 'split', 'replace', 'replaceAll', 'match', 'trim', 'trimStart'].map(
    (name) => {
      const original: unknown = Reflect.get(String.prototype, name);
      if (typeof original !== 'function') throw new TypeError(name);
      Reflect.set(String.prototype, name, function look(this: string, ...args: unknown[]): unknown {
        const result: unknown = Reflect.apply(original, this, args);
        const from = typeof args[1] === 'number' ? args[1] : 0;
        const to = typeof result === 'number' && result >= 0 ? result + 1 : this.length;
        if (this.length >= length) characters += to - from;
        return result;
      });
      return () => Reflect.set(String.prototype, name, original);
    },
  );
  try {
    await run();
  } finally {
    for (const undo of restore) undo();
  }
  return characters;
}

describe('readImport of a large file', () => {
  const csvOf = (rows: number): string =>
    `url,title,tags\n${Array.from({ length: rows }, (_, i) => `https://a.example/${i},"Title ""${i}""\nsecond line",a`).join('\n')}`;
  const jsonOf = (rows: number): string =>
    JSON.stringify(
      Array.from({ length: rows }, (_, i) => ({
        url: `https://a.example/${i}`,
        [`member ${i}`]: 1,
      })),
    );

  it.each([
    ['a table', csvOf],
    ['JSON', jsonOf],
    ['a list', (rows: number) => 'https://a.example\n'.repeat(rows)],
  ])('reads %s without going back', async (_, textOf) => {
    const costOf = async (rows: number) => {
      const text = textOf(rows);
      const cost = await charactersRead(text.length / 2, async () =>
        expect((await readImport(text)).rows).toHaveLength(rows),
      );
      return cost / text.length;
    };
    expect(await costOf(10_000)).toBeLessThan(1.5 * (await costOf(500)));
  });
});
