import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import type { FilteredTotals } from '#contract/links/links.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { insertRow } from '#worker/testing/stored-links.ts';
import { filtersOf } from './query-filters.ts';
import { countSelectedLinks, selectLinks } from './select-links.ts';

/** Makes the link of a number: to one of two hosts, with as many clicks. */
async function makeLink(person: Person, n: number): Promise<string> {
  const response = await call('/api/shorten', {
    json: {
      longUrl: `https://${n % 2 === 0 ? 'even' : 'odd'}.example/poster-number${n}`,
      title: `Poster number${n}`,
    },
    headers: person.headers,
  });
  const { code } = await response.json<{ code: string }>();
  await env.DB.prepare(
    'INSERT INTO link_totals (link_id, human, bot) SELECT id, ?2, 100 FROM links WHERE code = ?1',
  )
    .bind(code, n)
    .run();
  return code;
}
const totalsOf = async (person: Person, query: string): Promise<FilteredTotals> =>
  (await call(`/api/my-urls/totals?${query}`, { headers: person.headers })).json();
const act = (person: Person, action: string, codes: string[], tags?: string[]) =>
  call('/api/links/actions', { json: { action, codes, tags }, headers: person.headers });

describe('GET /api/my-urls/totals', () => {
  it('[T23] counts the own links that the filters accept, and their clicks by people', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [one = '', two = '', three = '', four = ''] = await Promise.all(
      [1, 2, 3, 4].map((n) => makeLink(me, n)),
    );
    await makeLink(other, 2);
    await act(me, 'add_tags', [one, two], ['Fair']);
    await act(me, 'favorite', [three]);
    await act(me, 'disable', [two]);
    for (const [query, links, clicks] of [
      ['', 4, 10],
      ['host=even.example', 2, 6],
      ['tag=fair', 2, 3],
      ['tag=fair&host=odd.example', 1, 1],
      ['favorite=1', 1, 3],
      ['status=disabled', 1, 2],
      ['min_clicks=3', 2, 7],
      ['q=poster+number4', 1, 4],
      ['q=%21', 0, 0],
      ['tag=unknown', 0, 0],
    ] as const)
      expect([query, await totalsOf(me, query)]).toEqual([
        query,
        { links, clicks, isComplete: true },
      ]);
    await act(me, 'archive', [one]);
    await act(me, 'delete', [four]);
    expect(await totalsOf(me, '')).toMatchObject({ links: 2, clicks: 5 });
    expect(await totalsOf(me, 'status=archived')).toMatchObject({ links: 1, clicks: 1 });
    expect(await totalsOf(me, 'status=trash')).toMatchObject({ links: 1, clicks: 4 });
  });

  it('counts the newest links of an account with too many, and says so', async () => {
    const me = await makePerson();
    for (const n of [1, 2, 3]) await makeLink(me, n);
    const selection = filtersOf({ q: '' }, HOP);
    const count = (max: number) =>
      countSelectedLinks(openDb(env.DB), selection, { userId: me.id, max, now: Date.now() });
    expect(await count(2)).toEqual({ links: 2, clicks: 5, isComplete: false });
    expect(await count(3)).toEqual({ links: 3, clicks: 6, isComplete: true });
  });
});

describe('selectLinks', () => {
  it('a link is among the expired ones from the millisecond of its end', async () => {
    const me = await makePerson();
    const now = 1_800_000_000_000;
    for (const expires_at of [now, now + 1]) await insertRow(now, { user_id: me.id, expires_at });
    const countOf = async (status: 'active' | 'expired' | undefined, limit: number) => {
      const selection = { words: [], codePrefix: '', archived: false, status };
      return selectLinks(openDb(env.DB), selection, { userId: me.id, limit, now });
    };
    expect(await countOf('active', 0)).toEqual({ matched: 1, ids: [] });
    const expired = await countOf('expired', 9);
    const stored = await env.DB.prepare(
      'SELECT id FROM links WHERE user_id = ?1 AND expires_at = ?2',
    )
      .bind(me.id, now)
      .first<number>('id');
    expect(expired).toEqual({ matched: 1, ids: [stored] });
    // The oldest of all.
    expect(await countOf(undefined, 1)).toEqual({ matched: 2, ids: [stored] });
  });
});

describe('GET /api/account/links?listed=1', () => {
  it('[T23] exports the links that the list shows with the same filters', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const codes = [await makeLink(me, 1), await makeLink(me, 2), await makeLink(me, 3)];
    await makeLink(other, 1);
    await act(me, 'archive', codes.slice(2));
    const exported = async (query: string): Promise<string[]> => {
      const path = `/api/account/links?format=json&${query}`;
      const file = await call(path, { headers: me.headers });
      return (await file.json<{ short_code: string }[]>()).map(({ short_code: code }) => code);
    };
    expect(await exported('')).toEqual(codes);
    expect(await exported('listed=1')).toEqual(codes.slice(0, 2));
    expect(await exported('listed=1&host=odd.example')).toEqual(codes.slice(0, 1));
    expect(await exported('listed=1&status=archived')).toEqual(codes.slice(2));
    expect(await exported('listed=1&q=%21')).toEqual([]);
    await act(me, 'delete', codes.slice(0, 1));
    expect(await exported('listed=1&status=trash')).toEqual(codes.slice(0, 1));
  });
});
