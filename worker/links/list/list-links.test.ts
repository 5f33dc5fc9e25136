import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { DAY_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { openDb } from '#worker/db/client.ts';
import { openShards } from '#worker/db/shards.ts';
import { withShards } from '#worker/testing/shards.ts';
import { insertRow, rowTimes } from '#worker/testing/stored-links.ts';
import { readAccountTotals } from './account-totals.ts';
import { listTrash } from './list-trash.ts';

const create = async (
  person: Person,
  customCode: string,
  longUrl = 'https://example.com/',
): Promise<void> => {
  const response = await call('/api/shorten', {
    json: { longUrl, customCode },
    headers: person.headers,
  });
  expect(response.status).toBe(201);
};
const list = async (person: Person, query = ''): Promise<MyLinksResponse> =>
  (await call(`/api/my-urls${query}`, { headers: person.headers })).json();

/**
 * Inserts links named `<prefix>1` to `<prefix>n`, oldest first, each with as many clicks by people
 * as its number.
 */
async function insertLinks(person: Person, prefix: string, n: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?3)
       INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
       SELECT ?2 || i, 'https://example.com/' || i, 'example.com', ?1, i, i FROM seq`,
    ).bind(person.id, prefix, n),
    env.DB.prepare(
      `INSERT INTO link_totals (link_id, human, bot) SELECT id, substr(code, length(?2) + 1), 1000 FROM links WHERE user_id = ?1`,
    ).bind(person.id, prefix),
  ]);
}

describe('GET /api/my-urls', () => {
  it('[T23] lists only the links of the member, newest first', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await create(me, 'first');
    await create(other, 'theirs');
    await create(me, 'second', 'https://example.org/x');
    const page = await list(me);
    expect(page.urls.map((link) => link.short_code)).toEqual(['second', 'first']);
    expect(page.urls[0]).toEqual({
      id: expect.any(Number),
      short_code: 'second',
      domain: '',
      earlier_codes: [],
      short_url: 'http://localhost:8787/second',
      long_url: 'https://example.org/x',
      click_count: 0,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      status: 'active',
      status_reason: null,
      expires_at: null,
      starts_at: null,
      fallback_url: '',
      redirect_status: 302,
      rules: [],
      variants: [],
      has_password: false,
      click_limit: null,
      limit_open: false,
      limit_used: 0,
      title: '',
      note: '',
      tags: [],
      favorite: false,
      archived: false,
      forward_params: 'none',
      suggest_on_typo: false,
      watch: 'off',
      watch_fallback: '',
      health: null,
      deleted_at: null,
    });
    expect(page).toMatchObject({ nextCursor: null, totals: { links: 2, clicks: 0, active: 0 } });
  });

  it('returns pages of 50 that together contain every link once, with its clicks', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await insertLinks(me, 'page-', 120);
    await insertLinks(other, 'other-', 3);
    const sizes: number[] = [];
    const seen: [string, number][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: MyLinksResponse = await list(me, `?cursor=${cursor}`);
      sizes.push(page.urls.length);
      seen.push(...page.urls.map((link): [string, number] => [link.short_code, link.click_count]));
      cursor = page.nextCursor;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => [`page-${120 - i}`, 120 - i]));
  });

  it('totals cover all pages, without deleted links and those of others', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await insertLinks(me, 'total-', 60);
    await insertLinks(other, 'others-', 5);
    await env.DB.prepare(
      "UPDATE link_totals SET human = 0 WHERE link_id = (SELECT id FROM links WHERE code = 'total-60')",
    ).run();
    const all = { links: 60, clicks: (59 * 60) / 2, active: 59, countedAt: null };
    expect((await list(me)).totals).toEqual(all);
    expect((await list(me, '?q=total-7')).totals).toEqual(all);
    expect(
      (await call('/api/links/total-10', { method: 'DELETE', headers: me.headers })).status,
    ).toBe(200);
    const page = await list(me);
    expect(page.totals).toEqual({
      links: 59,
      clicks: all.clicks - 10,
      active: 58,
      countedAt: null,
    });
    expect(page.urls.map((link) => link.short_code)).not.toContain('total-10');
    expect((await list(me, '?q=total-10')).urls).toEqual([]);
  });

  it('counts archived links in the totals of all pages', async () => {
    const me = await makePerson();
    await insertLinks(me, 'kept-', 4);
    const json = { codes: ['kept-1', 'kept-2'], action: 'archive' };
    expect((await call('/api/links/actions', { json, headers: me.headers })).status).toBe(200);
    const page = await list(me);
    expect(page.urls).toHaveLength(2);
    expect(page.totals).toMatchObject({ links: 4, clicks: 10, active: 4 });
  });

  it('[T30] searches words without case, and reads no character as a wildcard', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await create(me, 'Alpha_1', 'https://example.com/100%25');
    await create(me, 'beta', 'https://EXAMPLE.com/ALPHA');
    await create(me, 'gamma', 'https://example.com/');
    await create(other, 'alpha-other');
    const codes = async (q: string): Promise<string[]> =>
      (await list(me, `?q=${encodeURIComponent(q)}`)).urls.map((link) => link.short_code);
    expect(await codes('alpha')).toEqual(['beta', 'Alpha_1']);
    expect(await codes('ALPHA_1')).toEqual(['Alpha_1']);
    expect(await codes('al%z')).toEqual([]);
    for (const q of ['%', '_', '*']) expect(await codes(q), q).toEqual([]);
    expect(await codes("' OR 1=1 --")).toEqual([]);
  });

  it('rejects a search of more than 100 characters and an unknown cursor', async () => {
    const me = await makePerson();
    expect((await call(`/api/my-urls?q=${'a'.repeat(100)}`, { headers: me.headers })).status).toBe(
      200,
    );
    expect((await call(`/api/my-urls?q=${'a'.repeat(101)}`, { headers: me.headers })).status).toBe(
      400,
    );
    expect((await call('/api/my-urls?cursor=x', { headers: me.headers })).status).toBe(400);
  });

  it('filters by the host in any case', async () => {
    const me = await makePerson();
    await create(me, 'cased', 'https://Shop.example.org/x');
    expect((await list(me, '?host=SHOP.example.ORG')).urls.map((link) => link.short_code)).toEqual([
      'cased',
    ]);
  });

  it('finds a link by its pasted short URL, in any case', async () => {
    const me = await makePerson();
    await create(me, 'pasted');
    await create(me, 'not-it');
    for (const q of ['localhost:8787/pasted', ' HTTP://LOCALHOST:8787/Pasted '])
      expect(
        (await list(me, `?q=${encodeURIComponent(q)}`)).urls.map((link) => link.short_code),
      ).toEqual(['pasted']);
  });

  it('returns pages of the trash that together contain every link once', async () => {
    const me = await makePerson();
    const now = Date.now();
    // All but two were deleted at the same time.
    const codes: string[] = [];
    for (let i = 0; i < 53; i += 1)
      codes.unshift(
        await insertRow(now, {
          user_id: me.id,
          status: 'deleted',
          updated_at: now - 3000 + (i < 51 ? 0 : i),
        }),
      );
    const first = await list(me, '?status=trash');
    const second = await list(me, `?status=trash&cursor=${first.nextCursor}`);
    expect([first.urls.length, second.urls.length, second.nextCursor]).toEqual([50, 3, null]);
    expect([...first.urls, ...second.urls].map((link) => link.short_code)).toEqual(codes);
  });

  it('the trash has a link until the millisecond in which 30 days have passed', async () => {
    const me = await makePerson();
    const now = Date.now();
    const old = now - KEEP_TRASH_DAYS * DAY_MS;
    const own = { user_id: me.id, status: 'deleted' };
    const [, kept] = [
      await insertRow(now, { ...own, updated_at: old }),
      await insertRow(now, { ...own, updated_at: old + 1 }),
      await insertRow(now, { ...own, updated_at: old + 1, released_at: now }),
    ];
    const { rows } = await listTrash(openDb(env.DB), me.id, null, now);
    expect(rows.map(({ code }) => code)).toEqual([kept]);
  });

  it('shows each time of a link in its own member', async () => {
    const me = await makePerson();
    const now = Date.now();
    const code = await insertRow(now, { user_id: me.id });
    const times = rowTimes(now);
    const [link] = (await list(me)).urls;
    expect([link?.created_at, link?.expires_at, link?.deleted_at]).toEqual([
      new Date(times.created_at).toISOString(),
      new Date(times.expires_at).toISOString(),
      null,
    ]);
    await env.DB.prepare("UPDATE links SET status = 'deleted' WHERE code = ?1").bind(code).run();
    expect((await list(me, '?status=trash')).urls[0]?.deleted_at).toBe(
      new Date(times.updated_at).toISOString(),
    );
  });
});

describe('readAccountTotals', () => {
  const NOW = 1_800_000_000_000;
  const HOUR = 3_600_000;
  const store = (userId: string, countedAt: number, links = 5000) =>
    env.DB.prepare(
      'INSERT INTO account_totals (user_id, links, clicks, active, counted_at) VALUES (?1, ?2, 7, 3, ?3)',
    )
      .bind(userId, links, countedAt)
      .run();

  it.each([
    ['younger than an hour', NOW - HOUR + 1, 5000, 0],
    ['an hour old', NOW - HOUR, 5000, 1],
  ])('returns stored totals that are %s', async (_, countedAt, links, counts) => {
    const me = await makePerson();
    await store(me.id, countedAt, links);
    const later: Promise<unknown>[] = [];
    const read = () =>
      readAccountTotals(openDb(env.DB), me.id, NOW, (work) => void later.push(work));
    expect(await read()).toEqual({ links: 5000, clicks: 7, active: 3, countedAt });
    expect(later).toHaveLength(counts);
    await Promise.all(later);
    // The account has no links any more, so its totals are counted for each request from then on.
    if (counts > 0)
      expect(await read()).toEqual({ links: 0, clicks: 0, active: 0, countedAt: null });
  });

  it('counts now what was only recorded for a large account', async () => {
    const me = await makePerson();
    await store(me.id, 0);
    expect(await readAccountTotals(openDb(env.DB), me.id, NOW, () => undefined)).toEqual({
      links: 0,
      clicks: 0,
      active: 0,
      countedAt: null,
    });
  });

  it('counts links on other shards as active only with clicks', async () => {
    const sharded = await withShards(2);
    const me = await makePerson();
    for (const clicks of [0, 4])
      await insertRow(NOW, { user_id: me.id, shard: 1, ranked_clicks: clicks });
    await insertRow(NOW, { user_id: me.id, archived: 1 });
    await insertRow(NOW, { user_id: me.id, status: 'deleted' });
    const wait = () => undefined;
    expect(await readAccountTotals(openShards(sharded), me.id, NOW, wait)).toEqual({
      links: 3,
      clicks: 4,
      active: 1,
      countedAt: null,
    });
  });
});
