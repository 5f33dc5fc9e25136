import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import type { ExportedLink } from '#contract/account/account.ts';
import type { LinksFormat } from '#contract/files/links-file.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { openDb } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { importRows } from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { streamLinks } from './export-links.ts';

const db = openDb(env.DB);
const LINKS = 4_100;
const TARGET = 'https://example.com/a?b={c}&d=$e,f\\g`h';

/** Inserts links of which two redirect. The others are disabled, ended or deleted. */
async function insertLinks(person: Person, n: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
     INSERT INTO links (code, target, target_host, user_id, status, expires_at, created_at, updated_at)
     SELECT 'ex-' || i, ?3, 'example.com', ?1, CASE i % 3 WHEN 0 THEN 'disabled' WHEN 1 THEN 'deleted' ELSE 'active' END,
       iif(i > 5, 5, NULL), i, i FROM seq`,
  )
    .bind(person.id, n, TARGET)
    .run();
}
const read = async (person: Person, format: LinksFormat): Promise<Response> =>
  call(`/api/account/links?format=${format}`, { headers: person.headers });

describe('GET /api/account/links', () => {
  it('an outage is an error before the response begins', async () => {
    const { id } = await makePerson();
    const target = { origins: { short: ORIGIN, domains: NO_DOMAINS }, now: 0 };
    await expect(streamLinks(openDb(d1Down(env.DB)), id, 'csv', target)).rejects.toThrow();
  });

  it('exports every link once as CSV and JSON, and reads them as it sends them', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await insertLinks(me, LINKS);
    await env.DB.prepare(
      "INSERT INTO links (code, target, target_host, user_id, created_at, updated_at) VALUES ('theirs-1', 'https://example.com', '', ?1, 1, 1)",
    )
      .bind(other.id)
      .run();
    const csv = await read(me, 'csv');
    expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename="links.csv"');
    expect((await csv.text()).trimEnd().split('\r\n')).toHaveLength(LINKS + 1);
    const file = await read(me, 'json');
    expect(file.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="links.json"');
    const json = await file.json<ExportedLink[]>();
    expect(json.map((link) => link.short_code)).toEqual(
      Array.from({ length: LINKS }, (_, i) => `ex-${i + 1}`),
    );
    expect(await (await read(await makePerson(), 'json')).json()).toEqual([]);

    const counted = countRowsRead(env.DB);
    const stream = await streamLinks(openDb(counted.db), me.id, 'csv', {
      origins: { short: 'https://s.example', domains: NO_DOMAINS },
      now: 1,
    });
    const reader = stream.getReader();
    await reader.read();
    expect(counted.rowsRead()).toBeGreaterThan(0);
    // Each link costs three rows, so all of them would cost three times LINKS.
    expect(counted.rowsRead()).toBeLessThan(2 * LINKS);
    await reader.cancel();
  });

  it('writes files that Shlink, YOURLS and Dub read by their own rules', async () => {
    const me = await makePerson({ plan: 'premium' });
    const rows = [
      {
        line: 1,
        url: 'https://example.com/a,b',
        code: 'peer-1',
        title: 'A, "b"',
        tags: ['x', 'y | z'],
      },
      { line: 2, url: 'https://example.com/deep', code: 'peer/2', clicks: 7 },
      { line: 3, url: 'https://example.com/off', code: 'peer-3', disabled: true },
    ];
    await importRows(me, rows);
    const [counted] = await db
      .update(links)
      .set({ created_at: Date.UTC(2026, 0, 2) })
      .where(eq(links.code, 'peer-1'))
      .returning();
    await db
      .insert(link_totals)
      .values({ link_id: counted?.id ?? 0, human: 3, visitors: 2, bot: 1 });
    const linesOf = async (format: LinksFormat): Promise<string[][]> => {
      const file = await read(me, format);
      expect(file.headers.get('Content-Type')).toMatch(/^text\/csv/);
      const { data } = papa.parse<string[]>(await file.text(), { skipEmptyLines: true });
      return data;
    };
    const [shlink = [], ...lines] = await linesOf('shlink');
    // Shlink compares names in lower case and without spaces, and needs no domain.
    expect(shlink.map((name) => name.toLowerCase().replaceAll(' ', ''))).toEqual([
      'longurl',
      'shortcode',
      'title',
      'tags',
    ]);
    expect(lines).toEqual([
      ['https://example.com/a,b', 'peer-1', 'A, "b"', 'x|y   z'],
      ['https://example.com/deep', 'peer/2', '', ''],
    ]);
    // YOURLS reads by position and has no codes with slashes.
    expect(await linesOf('yourls')).toEqual([
      ['source', 'target', 'hits'],
      ['peer-1', 'https://example.com/a,b', '3'],
    ]);
    // Dub takes domain and key from the short link.
    const [names, ...dub] = await linesOf('dub');
    expect(names).toEqual(['Short link', 'Destination URL', 'Title', 'Created at', 'Tags']);
    expect(dub.map(([link = '']) => new URL(link).pathname.slice(1))).toEqual(['peer-1', 'peer/2']);
    expect(dub[0]?.slice(1)).toEqual([
      'https://example.com/a,b',
      'A, "b"',
      '2026-01-02T00:00:00.000Z',
      'x, y | z',
    ]);
  });

  it('keeps external ids and former clicks from an export to an import', async () => {
    const [me, next] = [await makePerson(), await makePerson()];
    const row = { line: 1, url: TARGET, code: 'kept-1', clicks: 5, externalId: 'order-7' };
    await importRows(me, [row, { ...row, line: 2, code: 'kept-2' }], { format: 'yourls' });
    await env.DB.prepare(
      "UPDATE links SET status = 'deleted' WHERE user_id = ?1 AND code = 'kept-2'",
    )
      .bind(me.id)
      .run();
    for (const format of ['csv', 'json'] as const) {
      const file = await readImport(await (await read(me, format)).text());
      const [first] = file.rows;
      expect(first).toMatchObject({ code: 'kept-1', clicks: 5, externalId: 'order-7' });
    }
    const [again] = await (await read(me, 'json')).json<ExportedLink[]>();
    expect(again).toMatchObject({ external_id: 'order-7', imported: { clicks: 5 } });
    expect((await importRows(next, [{ ...row, code: 'kept-4' }])).lines).toMatchObject([
      { verdict: 'created' },
    ]);
  });

  it('writes CSV and JSON from which the import reads every link as it is', async () => {
    const me = await makePerson();
    const send = (path: string, method: string, json: object) =>
      call(path, { method, headers: me.headers, json });
    const change = {
      title: '=SUM(A1), "x"; y',
      note: '+1\n\n"quoted", first\n@second',
      tags: ['50 | 50', 'a; b'],
      favorite: true,
      archived: true,
      expiresAt: Date.UTC(2100, 0, 1),
      forwardParams: ['ref', 'a[b]'],
    };
    expect(
      (await send('/api/shorten', 'POST', { longUrl: TARGET, customCode: 'rt-1' })).status,
    ).toBe(201);
    expect((await send('/api/links/rt-1', 'PATCH', change)).status).toBe(200);
    expect(
      (await send('/api/shorten', 'POST', { longUrl: 'https://example.com', customCode: 'rt-2' }))
        .status,
    ).toBe(201);
    expect(
      (await send('/api/links/rt-2', 'PATCH', { enabled: false, forwardParams: 'all' })).status,
    ).toBe(200);
    const [first, second] = await (await read(me, 'json')).json<ExportedLink[]>();
    for (const format of ['csv', 'json'] as const) {
      const file = await readImport(await (await read(me, format)).text());
      expect(file.format).toBe('hop');
      const { expiresAt, ...texts } = change;
      // worker/links/import/round-trip.test.ts is about the history. CSV has none.
      const history: unknown = format === 'json' ? expect.any(Array) : undefined;
      expect(file.rows).toEqual([
        {
          ...texts,
          line: format === 'csv' ? 2 : 1,
          code: 'rt-1',
          url: first?.long_url,
          createdAt: first?.created_at,
          expiresAt: new Date(expiresAt).toISOString(),
          clicks: 0,
          sourceId: 'localhost:8787/rt-1',
          history,
        },
        {
          // The note above has four lines.
          line: format === 'csv' ? 6 : 2,
          code: 'rt-2',
          url: second?.long_url,
          createdAt: second?.created_at,
          disabled: true,
          forwardParams: 'all',
          clicks: 0,
          sourceId: 'localhost:8787/rt-2',
          history,
        },
      ]);
    }
  });

  it('writes the links that redirect as maps for other servers', async () => {
    const me = await makePerson();
    await env.DB.prepare("DELETE FROM links WHERE code LIKE 'ex-%'").run();
    await insertLinks(me, 6);
    const target = 'https://example.com/a?b=%7Bc%7D&d=%24e,f%5Cg%60h';
    // What each server reads: lines without comments that contain a path or a URL and its target.
    const patterns: Record<string, RegExp> = {
      redirects: /^\/(\S+) (\S+) 302$/gm,
      nginx: /^location = \/(\S+) \{ return 302 "([^"$\\]+)"; \}$/gm,
      apache: /^(?!#)(\S+) (\S+)$/gm,
      caddy: /^\t\/(\S+) "([^"{}`]+)"$/gm,
      cloudflare: /^http:\/\/localhost:8787\/(\S+?),"(.+)",302$/gm,
    };
    for (const [format, pattern] of Object.entries(patterns)) {
      const response = await call(`/api/account/links?format=${format}`, { headers: me.headers });
      const type = format === 'cloudflare' ? 'text/csv' : 'text/plain';
      expect(response.headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
      const text = await response.text();
      const found = [...text.matchAll(pattern)].map(([, code, to]) => [code, to]);
      const to = format === 'cloudflare' ? TARGET : target;
      expect(found, `${format}: ${text}`).toEqual([
        ['ex-2', to],
        ['ex-5', to],
      ]);
    }
    expect((await call('/api/account/links?format=xml', { headers: me.headers })).status).toBe(400);
  });

  it('maps every code of a renamed link', async () => {
    const me = await makePerson();
    const shorten = { json: { longUrl: 'https://example.com/' }, headers: me.headers };
    const { code } = await (await call('/api/shorten', shorten)).json<{ code: string }>();
    const codes = [code, 'map-second', 'map-third'];
    for (const [i, next] of codes.slice(1).entries()) {
      const rename = { method: 'PATCH', json: { customCode: next }, headers: me.headers };
      expect((await call(`/api/links/${codes[i]}`, rename)).status).toBe(200);
    }
    await env.DB.prepare(
      `INSERT INTO link_totals (link_id, human) SELECT id, 5 FROM links WHERE user_id = ?1`,
    )
      .bind(me.id)
      .run();
    // The clicks of all codes are those of the link, which another service must not count again.
    const hits = await (await read(me, 'yourls')).text();
    expect(hits.split('\r\n').map((line) => line.split(','))).toEqual(
      expect.arrayContaining([
        [code, 'https://example.com/', '0'],
        ['map-third', 'https://example.com/', '5'],
      ]),
    );
    const map = await (await read(me, 'redirects')).text();
    const mapped = [...map.matchAll(/^\/(\S+) /gm)].map(([, each]) => each);
    expect(new Set(mapped)).toEqual(new Set(codes));
  });
});

describe('POST /api/account/links', () => {
  it('exports only the named links of the caller', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [a, , c] = [
      await makeLink(me, 'some-a'),
      await makeLink(me, 'some-b'),
      await makeLink(me, 'some-c'),
    ];
    const theirs = await makeLink(other, 'some-d');
    const file = await call('/api/account/links', {
      json: { ids: [c, a, theirs] },
      headers: me.headers,
    });
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="links.csv"');
    const { data } = papa.parse<Record<string, string>>((await file.text()).slice(1).trimEnd(), {
      header: true,
    });
    expect(data.map((row) => row['short_code'])).toEqual(['some-a', 'some-c']);
  });
});

async function makeLink(person: Person, code: string): Promise<number | null> {
  return env.DB.prepare(
    `INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
      VALUES (?1, 'https://example.com/', 'example.com', ?2, 1, 1) RETURNING id`,
  )
    .bind(code, person.id)
    .first<number>('id');
}
