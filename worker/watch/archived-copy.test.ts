import { describe, expect, it } from 'vitest';
import { findArchivedCopy } from './archived-copy.ts';

const PAGE = 'https://page.example/a?b=c&d';
const COPY = 'http://web.archive.org/web/20260102/https://page.example/';
const snapshot = (url: string, more: object = {}) =>
  JSON.stringify({
    archived_snapshots: { closest: { available: true, status: '200', url, ...more } },
  });

describe('findArchivedCopy', () => {
  it('asks for the whole address, and returns the copy with https', async () => {
    const asked: string[] = [];
    const found = await findArchivedCopy(PAGE, async (url, init) => {
      asked.push(url);
      expect(init).toMatchObject({ redirect: 'manual', signal: expect.any(AbortSignal) });
      return new Response(snapshot(COPY));
    });
    expect(found).toBe(COPY.replace('http:', 'https:'));
    const query = encodeURIComponent(PAGE);
    expect(asked).toEqual([`https://archive.org/wayback/available?url=${query}`]);
  });

  it.each<[string, string, number?]>([
    ['an address of another host', snapshot('https://evil.example/web/20260102/x')],
    ['an address that is no copy', snapshot('https://web.archive.org/save/https://a.example/')],
    ['a copy of an error', snapshot(COPY, { status: '404' })],
    ['a copy that is not available', snapshot(COPY, { available: false })],
    ['no copy', '{"archived_snapshots":{}}'],
    ['an error', snapshot(COPY), 503],
    ['no JSON', '<html>'],
    ['an answer that is too long', snapshot(COPY, { more: 'x'.repeat(64_000) })],
  ])('returns null for %s', async (_, body, status = 200) => {
    expect(await findArchivedCopy(PAGE, async () => new Response(body, { status }))).toBeNull();
  });

  it('returns null while the service cannot be reached', async () => {
    expect(await findArchivedCopy(PAGE, () => Promise.reject(new Error('down')))).toBeNull();
  });
});
