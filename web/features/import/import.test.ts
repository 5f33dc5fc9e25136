import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportCheckLine, ImportLine } from '#contract/files/import.ts';
import { config } from '#web/shared/page/config.ts';
import { findChoices, rememberChoices } from './column-choices.ts';
import { splitRows, toRequestRows } from './import-requests.ts';
import type { ImportRow } from './formats/import-row.ts';
import { countVerdicts, forecast, outcomes, resultCsv, type RowVerdict } from './verdicts.ts';

const { shortOrigin } = config;
beforeEach(() => void (config.shortOrigin = 'https://hop.example'));
afterEach(() => void (config.shortOrigin = shortOrigin));

const url = (n: number): string => `https://example.com/${n}`;
const byLine = <T extends { line: number }>(lines: T[]): Map<number, T> =>
  new Map(lines.map((line) => [line.line, line]));
const kindsAndCodes = (verdicts: readonly RowVerdict[]) =>
  verdicts.map(({ kind, code }) => [kind, code]);

describe('requests of an import', () => {
  it('requests have what the server accepts, and a different line for each row', () => {
    const OTHER = { externalId: 'e', earlierCodes: ['b'], history: [], disabled: true };
    const rows: ImportRow[] = [
      {
        line: 2,
        url: url(1),
        code: 'a',
        tags: ['x'],
        createdAt: '2020-01-01T02:00:00+02:00',
        expiresAt: '2030-01-01T02:00:00+02:00',
        forwardParams: 'all',
        clicks: 5,
        sourceId: 'go.example/a',
        ...OTHER,
      },
      { line: 2, url: '', problem: 'This row has no destination.' },
      {
        line: 4,
        url: `${url(2)}${'x'.repeat(9000)}`,
        createdAt: 'soon',
        expiresAt: '+012345-01-01T00:00:00Z',
        clicks: 1.5,
      },
      { line: 5, url: url(3), clicks: -1, archived: true },
      { line: 6, url: url(4), clicks: 1e12 },
      { line: 7, url: url(5), clicks: 1e12 + 1 },
    ];
    expect(toRequestRows(rows)).toEqual([
      {
        line: 1,
        url: url(1),
        code: 'a',
        tags: ['x'],
        createdAt: '2020-01-01T00:00:00.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
        forwardParams: 'all',
        clicks: 5,
        sourceId: 'go.example/a',
        domain: 'go.example',
        ...OTHER,
      },
      { line: 3, url: expect.stringMatching(/^.{4096}$/) },
      { line: 4, url: url(3), archived: true },
      { line: 5, url: url(4), clicks: 1e12 },
      { line: 6, url: url(5) },
    ]);
  });

  it('requests number rows that have only a destination, and the same one', () => {
    const rows = [
      { url: url(1) },
      { url: url(2) },
      { url: url(1) },
      { url: url(1), code: 'a' },
      { url: url(1), sourceId: 's' },
      { url: url(1) },
    ];
    expect(
      toRequestRows(rows.map((row, at) => Object.assign(row, { line: at + 1 }))).map(
        ({ nth }) => nth,
      ),
    ).toEqual([undefined, undefined, 2, undefined, undefined, 3]);
  });

  it('requests are limited in rows and in bytes, and lose no row', () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ line: at + 1, url: url(at) }));
    expect(splitRows(rows, 100).map((part) => part.length)).toEqual([100, 100, 50]);
    const long = rows.map((row) => Object.assign(row, { note: 'é'.repeat(2000) }));
    const parts = splitRows(long, 100);
    expect(parts.flat()).toEqual(long);
    for (const part of parts)
      expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(210_000);
    expect(parts.length).toBe(6);
    const locked = Array.from('abcdeefghijjk', (password, at) => ({
      line: at,
      url: url(at),
      password,
    }));
    expect(splitRows(locked, 100).map((part) => part.length)).toEqual([6, 6, 1]);
  });
});

describe('choices for columns', () => {
  it('choices are remembered for the last 20 files with different columns', () => {
    for (let n = 0; n <= 20; n += 1) rememberChoices({ [`Column ${n}`]: 'url' });
    rememberChoices({ 'column-20': 'title' });
    expect(findChoices(['Column 0'])).toBeUndefined();
    expect(findChoices(['column_1'])).toEqual({ 'Column 1': 'url' });
    expect(findChoices(['Column 20'])).toEqual({ 'column-20': 'title' });
    localStorage.setItem('hop-import-columns', '[null, {"header":"column1","choices":{"a":1}}]');
    expect(findChoices(['Column 1'])).toBeUndefined();
    localStorage.clear();
  });
});

describe('verdicts on the rows of a file', () => {
  const rows: ImportRow[] = [
    { line: 2, url: url(1), code: 'a' },
    { line: 3, url: url(2), code: 'A' },
    { line: 4, url: url(3), code: 'b' },
    { line: 5, url: '', problem: 'This row has no destination.' },
    { line: 6, url: url(4) },
    { line: 7, url: 'x:y' },
    { line: 8, url: url(5), code: 'e' },
  ];
  const lines = byLine<ImportCheckLine>([
    { line: 1, verdict: 'new', code: 'a' },
    { line: 2, verdict: 'new', code: 'A' },
    { line: 3, verdict: 'taken', code: 'b', suffixed: 'b-2', error: 'Another link has this code.' },
    { line: 5, verdict: 'new', code: null },
    { line: 6, verdict: 'rejected', error: 'Only http.' },
    { line: 7, verdict: 'exists', code: 'old' },
  ]);

  it('verdicts follow the choice for codes that are taken', () => {
    const always = [
      ['unreadable', null],
      ['new', null],
      ['rejected', null],
      ['exists', 'old'],
    ];
    const skipping = forecast(rows, { lines: lines, room: 9, allowance: 0, at: 0 }, 'skip');
    expect(kindsAndCodes(skipping)).toEqual([
      ['new', 'a'],
      ['skipped', null],
      ['skipped', null],
      ...always,
    ]);
    const sameCode = byLine<ImportCheckLine>([
      { line: 1, verdict: 'new', code: 'B' },
      { line: 2, verdict: 'new', code: 'b' },
    ]);
    const checked = { lines: sameCode, room: 9, allowance: 0, at: 0 };
    expect(kindsAndCodes(forecast(rows.slice(0, 2), checked, 'skip'))).toEqual([
      ['new', 'B'],
      ['skipped', null],
    ]);
    expect(skipping.map(({ text }) => text)).toEqual([
      '',
      'Another row has this code.',
      'Another link has this code.',
      'This row has no destination.',
      'Gets a new code.',
      'Only http.',
      '',
    ]);
    expect(
      kindsAndCodes(forecast(rows, { lines: lines, room: 9, allowance: 0, at: 0 }, 'new_code')),
    ).toEqual([['new', 'a'], ['new', null], ['new', null], ...always]);
    expect(
      kindsAndCodes(forecast(rows, { lines: lines, room: 9, allowance: 0, at: 0 }, 'suffix')),
    ).toEqual([['new', 'a'], ['new', null], ['new', 'b-2'], ...always]);
  });

  it('verdicts stop at the quota', () => {
    const verdicts = forecast(rows, { lines: lines, room: 2, allowance: 0, at: 0 }, 'suffix');
    expect(countVerdicts(verdicts)).toEqual([
      { kind: 'new', count: 2 },
      { kind: 'exists', count: 1 },
      { kind: 'rejected', count: 1 },
      { kind: 'unreadable', count: 1 },
      { kind: 'over_quota', count: 2 },
    ]);
    expect(verdicts[2]).toMatchObject({
      kind: 'over_quota',
      text: 'Your quota has no room for this link.',
    });
  });

  it('rows with a code of their own use the allowance before the quota', () => {
    const moved: ImportRow[] = [1, 2, 3].map((n) => ({ line: n, url: url(n), code: `c${n}` }));
    const mixed: ImportRow[] = [{ line: 4, url: url(4) }, ...moved];
    const checked = byLine<ImportCheckLine>(
      mixed.map(({ code = null }, at) => ({ line: at + 1, verdict: 'new', code })),
    );
    const kindsWith = (room: number, allowance: number) =>
      forecast(mixed, { lines: checked, room, allowance, at: 0 }, 'skip').map(({ kind }) => kind);
    expect(kindsWith(0, 9)).toEqual(['over_quota', 'new', 'new', 'new']);
    expect(kindsWith(2, 1)).toEqual(['new', 'new', 'new', 'over_quota']);
    expect(kindsWith(1, 0)).toEqual(['new', 'over_quota', 'over_quota', 'over_quota']);
  });

  it('verdicts say that a link has ended', () => {
    const expiresAt = '2020-01-01T00:00:00.000Z';
    const ended: ImportRow[] = [
      { line: 2, url: url(1), code: 'a', expiresAt },
      { line: 3, url: url(2), code: 'A', expiresAt },
    ];
    const at = Date.UTC(2020, 0, 1);
    const texts = (now: number) =>
      forecast(ended, { lines: lines, room: 9, allowance: 0, at: now }, 'new_code').map(
        ({ text }) => text,
      );
    expect(texts(at)).toEqual([
      'Has ended, so it will not redirect.',
      'Gets a new code. Has ended, so it will not redirect.',
    ]);
    expect(texts(at - 1)).toEqual(['', 'Gets a new code.']);
  });

  it('verdicts say that a link will be disabled', () => {
    const locked: ImportRow[] = [{ line: 2, url: url(1), code: 'a', disabled: true }];
    const [verdict] = forecast(locked, { lines: lines, room: 9, allowance: 0, at: 0 }, 'skip');
    expect(verdict?.text).toBe('Will be disabled, so it will not redirect.');
  });

  it('verdicts say what a link loses in this account', () => {
    const [given] = rows;
    const checked = byLine<ImportCheckLine>([
      { line: 1, verdict: 'new', code: 'a', lostCodes: ['b', 'c'], losesExternalId: true },
    ]);
    const [verdict] = forecast(
      given ? [given] : [],
      { lines: checked, room: 9, allowance: 0, at: 0 },
      'skip',
    );
    expect(verdict?.text).toBe(
      'Earlier codes that can’t be used: b, c. Another link has its external ID.',
    );
  });

  it('[T19] the file of verdicts after an import is safe in spreadsheets', () => {
    const done = byLine<ImportLine>([
      { line: 1, verdict: 'created', code: 'a' },
      { line: 2, verdict: 'skipped', error: 'Another link has this code.' },
    ]);
    const given: ImportRow[] = [
      ...rows.slice(0, 2),
      { line: 4, url: '=1+"1"' },
      { line: 5, url: '', problem: 'Empty.' },
    ];
    const verdicts = outcomes(given, done);
    expect(verdicts.map(({ kind }) => kind)).toEqual([
      'created',
      'skipped',
      'waiting',
      'unreadable',
    ]);
    expect(resultCsv(verdicts).split('\r\n')).toEqual([
      '"line","verdict","short_url","destination","code_in_file","reason"',
      '"2","Created","https://hop.example/a","https://example.com/1","a",""',
      '"3","Code unavailable","","https://example.com/2","A","Another link has this code."',
      `"4","Not imported","","'=1+""1""","","The import was stopped before this row."`,
      '"5","Unreadable","","","","Empty."',
      '',
    ]);
  });

  it('a link on a domain has the host of its row, and no id', () => {
    const row: ImportRow = {
      line: 2,
      url: url(1),
      code: 'a',
      sourceId: 'https://Go.Example.com/a',
    };
    const verdicts = outcomes(
      [row],
      byLine<ImportLine>([{ line: 1, verdict: 'created', code: 'd.abcdefghjk/a' }]),
    );
    expect(resultCsv(verdicts)).toContain('"https://go.example.com/a"');
    const [verdict] = forecast(
      [row],
      {
        lines: byLine<ImportCheckLine>([
          { line: 1, verdict: 'new', code: 'd.abcdefghjk/a', lostCodes: ['d.abcdefghjk/b', 'c'] },
        ]),
        room: 1,
        allowance: 0,
        at: 0,
      },
      'skip',
    );
    expect(verdict?.text).toBe('Stays on go.example.com. Earlier codes that can’t be used: b, c.');
  });
});
