import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { hop, ORIGIN } from './testing/hop.ts';

const linkOf = (code: string) => ({
  id: code,
  code,
  shortUrl: `${ORIGIN}/${code}`,
  url: `https://example.com/${code}`,
  status: 'active',
  statusReason: null,
  clicks: 3,
  importedClicks: null,
  title: 'A, "b"',
  note: '',
  tags: ['x', 'y'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  forwardParams: ['a', 'b'],
  archived: false,
  favorite: true,
  externalId: 'id-1',
  earlierCodes: ['old'],
});
const server = (call: string) =>
  Response.json({
    data: [linkOf(call.includes('cursor=') ? 'two' : 'one')],
    nextCursor: call.includes('cursor=') ? null : 'next',
    previousCursor: null,
  });

describe('hop export', () => {
  it('reads all pages, oldest first, into a file that the import reads', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hop-')), 'links.csv');
    const { code, out, sent } = await hop(['export', '--tag', 'x', '-o', file], server);
    expect([code, out]).toEqual([0, `Wrote 2 links to ${file}.`]);
    expect(sent.map(({ call }) => call)).toEqual([
      'GET /links?tag=x&sort=createdAt&limit=100',
      'GET /links?tag=x&sort=createdAt&limit=100&cursor=next',
    ]);
    const { rows, format } = await readImport(readFileSync(file, 'utf8'), Date.now());
    expect(format).toBe('hop');
    expect(rows).toMatchObject([
      { url: 'https://example.com/one', code: 'one', title: 'A, "b"', tags: ['x', 'y'] },
      { url: 'https://example.com/two', code: 'two', externalId: 'id-1', favorite: true },
    ]);
  });

  it.each([['--json'], ['--format=json']])('prints the links as JSON with %s', async (option) => {
    const { out } = await hop(['export', option], server);
    expect(JSON.parse(out)).toEqual([linkOf('one'), linkOf('two')]);
  });
});
