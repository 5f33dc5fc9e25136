import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createClient } from './client.ts';
import { PartlyFailed } from './command.ts';
import { importCommand } from './import.ts';

const QUOTA = { code: 'quota_reached', title: 'Quota', detail: 'No links left.', status: 403 };
const created = (code: string) => ({ id: code, code, shortUrl: `https://hop.example/${code}` });

afterEach(() => vi.unstubAllGlobals());

/**
 * Imports five links from a server that creates two links and then has no quota left. Returns the
 * paths of the requests and the output.
 */
async function importFive(linksPerBulkRequest: number) {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-')), 'links.txt');
  writeFileSync(file, [1, 2, 3, 4, 5].map((n) => `https://example.com/${n}`).join('\n'));
  const paths: string[] = [];
  let left = 2;
  const create = () =>
    left-- > 0 ? { ok: true, link: created(`c${left}`) } : { ok: false, ...QUOTA };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname.replace('/api/v1', ''));
    if (pathname.endsWith('/me')) return Response.json({ limits: { linksPerBulkRequest } });
    if (pathname.endsWith('/bulk')) {
      const body: unknown = await request.json();
      const links = z.object({ links: z.array(z.unknown()) }).parse(body).links;
      return Response.json({ results: links.map(create) });
    }
    const line = create();
    return line.ok
      ? Response.json(line.link, { status: 201 })
      : Response.json(QUOTA, { status: 403 });
  });
  const print = vi.fn();
  const run = importCommand.run({
    args: [file],
    text: () => undefined,
    has: () => false,
    env: {},
    client: () => createClient('https://hop.example', 'a key'),
    print,
  });
  await expect(run).rejects.toThrow(new PartlyFailed('2 created, 3 failed.'));
  return { paths, printed: print.mock.calls[0]?.[0] };
}

describe('hop import', () => {
  it('an import stops at the end of the quota when it creates one link at a time', async () => {
    const { paths, printed } = await importFive(0);
    expect(paths).toEqual(['/me', '/links', '/links', '/links']);
    expect(printed).toMatchObject({ created: 2, failed: 3 });
  });

  it('an import stops after the bulk request in which the quota ends', async () => {
    const { paths } = await importFive(2);
    expect(paths).toEqual(['/me', '/links/bulk', '/links/bulk']);
  });
});
