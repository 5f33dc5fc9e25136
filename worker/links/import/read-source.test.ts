import { describe, expect, it } from 'vitest';
import type { ImportSourceRequest } from '#contract/files/import.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { call } from '#worker/testing/call.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { makePerson } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { readSourcePage } from './read-source.ts';

const PUBLIC = { Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] };
const NONE = { Status: 0 };
const KEY = 'secret-of-the-other-service';
const POLICY = { ownHosts: ['localhost'], shorteners: new Set(['kutt.example']) };
const OWN = { domains: ['hop.example'], allowed: new Set<string>() };

type Asked = { url: string; init: RequestInit };

/** Reads a page where the server answers so. */
async function readFrom(
  answer: (asked: Asked) => Response | Promise<Response>,
  request: Partial<ImportSourceRequest> = {},
  address: object = PUBLIC,
) {
  const asked: Asked[] = [];
  const fetcher = async (url: string, init: RequestInit = {}): Promise<Response> => {
    if (url.startsWith('https://cloudflare-dns.com/'))
      return Response.json(url.includes('type=AAAA') ? NONE : address);
    asked.push({ url, init });
    return answer({ url, init });
  };
  const given = { source: 'kutt', address: 'https://kutt.example', key: KEY, cursor: 0 } as const;
  const result = await readSourcePage(
    { ...given, ...request },
    { policy: POLICY, own: OWN, fetcher },
  );
  return { result, asked };
}

const shlinkPage = (page: number) => ({
  shortUrls: {
    data: [
      {
        shortCode: `s${page}`,
        longUrl: `https://example.com/${page}`,
        dateCreated: '2020-01-01T00:00:00+00:00',
      },
    ],
    pagination: { currentPage: page, pagesCount: 2, totalItems: 2 },
  },
});

describe('readSourcePage', () => {
  it('reads the pages of Shlink with the key, which goes to its server only', async () => {
    const links: unknown[] = [];
    let cursor: number | null = 0;
    while (cursor !== null) {
      const { result, asked } = await readFrom(
        ({ url }) => Response.json(shlinkPage(Number(new URL(url).searchParams.get('page')))),
        { source: 'shlink', address: 'https://s.example.com/links/', cursor },
      );
      if (!result.ok) expect.fail(result.reason);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.url).toContain('https://s.example.com/links/rest/v3/short-urls?page=');
      expect(asked[0]?.init).toMatchObject({ redirect: 'manual', headers: { 'X-Api-Key': KEY } });
      expect(result.page.total).toBe(2);
      links.push(...result.page.links);
      cursor = result.page.next;
    }
    const { format, rows } = await readImport(JSON.stringify({ data: links, total: 2 }));
    expect([format, rows.map(({ code }) => code)]).toEqual(['shlink', ['s1', 's2']]);
  });

  it('reads Kutt in steps of what it answers, also from a known shortener', async () => {
    const data = [{ address: 'a', target: 'https://example.com/' }];
    const page = await readFrom(() => Response.json({ data, total: 3, limit: 1, skip: 1 }), {
      cursor: 1,
    });
    expect(page.asked[0]?.url).toBe('https://kutt.example/api/v2/links?limit=50&skip=1');
    expect(page.result).toEqual({ ok: true, page: { links: data, total: 3, next: 2 } });
    const last = await readFrom(() => Response.json({ data: [], total: 3 }), { cursor: 2 });
    expect(last.result).toMatchObject({ page: { next: null } });
  });

  it.each([
    ['http', { address: 'http://kutt.example' }, 'source_not_https'],
    ['an address in a private network', { address: 'https://10.0.0.1' }, 'source_bad_address'],
    ['no address', { address: 'kutt' }, 'source_bad_address'],
    ['our own domain', { address: 'https://api.hop.example' }, 'source_own_host'],
  ])('[T43] asks no server for %s', async (_, request, reason) => {
    const { result, asked } = await readFrom(() => Response.json({}), request);
    expect([result, asked]).toEqual([expect.objectContaining({ ok: false, reason }), []]);
  });

  it('[T43] asks no server whose host is private or unknown', async () => {
    const inside = { Status: 0, Answer: [{ type: 1, data: '192.168.0.7' }] };
    for (const [address, reason] of [
      [inside, 'source_private_host'],
      [{ Status: 3, Answer: [] }, 'source_unknown_host'],
    ] as const) {
      const { result, asked } = await readFrom(() => Response.json({}), {}, address);
      expect([result, asked]).toEqual([expect.objectContaining({ reason }), []]);
    }
  });

  it.each([
    ['a redirect', () => Response.redirect('https://elsewhere.example/'), 'source_redirects'],
    ['a wrong key', () => new Response('no', { status: 401 }), 'source_key_refused'],
    ['a key without rights', () => new Response('no', { status: 403 }), 'source_key_refused'],
    ['an error', () => new Response('no', { status: 500 }), 'source_status'],
    ['a web page', () => new Response('<html>'), 'source_no_links'],
    ['another form', () => Response.json({ data: {} }), 'source_no_links'],
    ['no connection', () => Promise.reject(new TypeError('refused')), 'source_unreachable'],
    ['3 MB', () => new Response(new Uint8Array(3 * 1024 * 1024)), 'source_too_large'],
  ])('says what is wrong: %s', async (_, answer, reason) => {
    const { result, asked } = await readFrom(answer);
    expect([result, asked.length]).toEqual([expect.objectContaining({ ok: false, reason }), 1]);
  });
});

describe('POST /api/links/import/source', () => {
  it('[T43] keeps the key in no table, log line or answer', async () => {
    const me = await makePerson();
    const json = { source: 'kutt', address: 'https://192.168.0.7/', key: KEY, cursor: 0 };
    const lines = logLines();
    const response = await call('/api/links/import/source', { json, headers: me.headers });
    const text = await response.text();
    expect([response.status, JSON.parse(text).field]).toEqual([400, 'address']);
    expect(text + JSON.stringify(lines())).not.toContain(KEY);
    const bad = await call('/api/links/import/source', {
      json: { ...json, key: 'a\r\nHost: b' },
      headers: me.headers,
    });
    expect(bad.status).toBe(400);
    const LIMIT_WRITES = { limit: async () => ({ success: false }) };
    const often = await call(
      '/api/links/import/source',
      { json, headers: me.headers },
      { LIMIT_WRITES },
    );
    expect(often.status).toBe(429);
    expect(await findInDatabase(new RegExp(KEY))).toEqual([]);
  });
});
