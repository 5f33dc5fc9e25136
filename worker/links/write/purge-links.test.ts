import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { PurgeLine } from '#contract/links/link-actions.ts';
import type { MatchingLinksResponse, MyLinksResponse } from '#contract/links/links.ts';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { purgeLinks } from './purge-links.ts';

const DAY_MS = 86_400_000;
let serial = 0;

/** A link with everything that its owner can note about it, in the trash. */
async function trash(person: Person): Promise<{ id: number; code: string }> {
  const code = `purge-${(serial += 1)}`;
  const json = { longUrl: 'https://secret.example/before', customCode: code };
  expect((await call('/api/shorten', { json, headers: person.headers })).status).toBe(201);
  const change = {
    title: 'A title',
    note: 'A note',
    tags: ['a tag'],
    longUrl: 'https://secret.example/',
    fallbackUrl: 'https://secret.example/after',
    rules: [{ if: { country: ['BR'] }, to: 'https://secret.example/br' }],
    variants: [{ url: 'https://secret.example/b', weight: 30 }],
  };
  const changed = await call(`/api/links/${code}`, {
    method: 'PATCH',
    json: change,
    headers: person.headers,
  });
  const { id } = await changed.json<{ id: number }>();
  await env.DB.prepare(
    'INSERT INTO link_totals (link_id, human, recent) VALUES (?1, 5, \'[[1,"DE"]]\')',
  )
    .bind(id)
    .run();
  await env.DB.prepare(
    "INSERT INTO link_imports (user_id, row_key, link_id, import_id, line) VALUES (?1, ?2, ?3, 'i', 1)",
  )
    .bind(person.id, code, id)
    .run();
  await call(`/api/links/${code}`, { method: 'DELETE', headers: person.headers });
  return { id, code };
}
const purge = async ({ headers }: Person, ids: number[]): Promise<PurgeLine[]> => {
  const response = await call('/api/links/purge', { json: { ids }, headers });
  expect(response.status).toBe(200);
  return (await response.json<{ lines: PurgeLine[] }>()).lines;
};
const restore = async ({ headers }: Person, ids: number[]) =>
  (await call('/api/links/actions', { json: { ids, action: 'restore' }, headers })).json<{
    lines: PurgeLine[];
  }>();
const inTrash = async ({ headers }: Person): Promise<string[]> =>
  (await (await call('/api/my-urls?status=trash', { headers })).json<MyLinksResponse>()).urls.map(
    (link) => link.short_code,
  );
const rowOf = (id: number) => env.DB.prepare('SELECT * FROM links WHERE id = ?1').bind(id).first();
const count = (table: string, id: number) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE link_id = ?1`).bind(id).first('n');

describe('POST /api/links/purge', () => {
  it('deletes what the link led to, its notes, its history and its single clicks', async () => {
    const me = await makePerson();
    const { id, code } = await trash(me);
    for (const table of ['link_changes', 'link_destinations'])
      expect(await count(table, id)).toBeGreaterThan(0);
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE links SET recheck_at = 1, disabled_reason = 'secret', external_id = 'secret',
          imported_clicks = 7, imported_from = 'secret', limit_id = 'secret' WHERE id = ?`,
      ).bind(id),
      env.DB.prepare(`UPDATE link_totals SET visitor_sets = '{"1":"v"}' WHERE link_id = ?`).bind(
        id,
      ),
    ]);
    expect(await purge(me, [id])).toEqual([{ ok: true, code }]);
    const gone = { target: '', recheck_at: null, imported_clicks: null };
    const purged = { code, user_id: me.id, status: 'deleted', ...gone };
    expect(await rowOf(id)).toMatchObject(purged);
    expect(JSON.stringify(await rowOf(id))).not.toMatch(/secret|A title|A note/);
    for (const table of [
      'link_changes',
      'link_destinations',
      'link_tags',
      'link_imports',
      'link_words',
    ])
      expect([table, await count(table, id)]).toEqual([table, 0]);
    const totals = await env.DB.prepare(
      'SELECT human, recent, visitor_sets FROM link_totals WHERE link_id = ?1',
    )
      .bind(id)
      .first();
    expect(totals).toEqual({ human: 5, recent: '[]', visitor_sets: '{}' });
    expect(await inTrash(me)).toEqual([]);
    expect((await restore(me, [id])).lines).toMatchObject([{ ok: false }]);
    expect((await call(`/${code}`)).status).toBe(410);
  });

  it('keeps the code from others, and gives it back to its owner', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const { id, code } = await trash(me);
    await purge(me, [id]);
    const json = { longUrl: 'https://example.com/', customCode: code };
    expect((await call('/api/shorten', { json, headers: other.headers })).status).toBe(409);
    expect((await call('/api/shorten', { json, headers: me.headers })).status).toBe(201);
    expect((await call(`/${code}`)).status).toBe(302);
  });

  it('deletes nothing outside the trash, and nothing of somebody else', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [mine, theirs, late] = [await trash(me), await trash(other), await trash(me)];
    await env.DB.prepare('UPDATE links SET updated_at = ?1 WHERE id = ?2')
      .bind(Date.now() - 31 * DAY_MS, late.id)
      .run();
    await restore(me, [mine.id]);
    const lines = await purge(me, [mine.id, theirs.id, late.id]);
    expect(lines.map(({ ok }) => ok)).toEqual([false, false, false]);
    for (const { id } of [mine, theirs, late])
      expect(await rowOf(id)).toMatchObject({ target: 'https://secret.example/' });
  });

  it('[T51] keeps links that moderation holds or has acted on', async () => {
    const me = await makePerson();
    const [held, acted, reported] = [await trash(me), await trash(me), await trash(me)];
    const report = (id: number, status: string) =>
      env.DB.prepare(
        "INSERT INTO abuse_reports (link_id, reason, status, created_at) VALUES (?1, 'spam', ?2, 1)",
      ).bind(id, status);
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO link_holds (link_id, kind, created_at) VALUES (?1, 'host', 1)",
      ).bind(held.id),
      report(acted.id, 'acted'),
      report(reported.id, 'open'),
    ]);
    expect(await purge(me, [held.id, acted.id, reported.id])).toEqual([
      { ok: false, code: held.code, error: expect.stringMatching(/cannot be deleted for good/) },
      { ok: false, code: acted.code, error: expect.stringMatching(/cannot be deleted for good/) },
      { ok: true, code: reported.code },
    ]);
    expect(await rowOf(held.id)).toMatchObject({ target: 'https://secret.example/' });
  });

  it('forgets the counts of purged links only, also while clicks cannot be deleted', async () => {
    const me = await makePerson();
    const [held, free] = [await trash(me), await trash(me)];
    const ids = [held.id, free.id];
    await env.DB.batch([
      env.DB.prepare("UPDATE links SET limit_id = 'count-' || id WHERE user_id = ?1").bind(me.id),
      env.DB.prepare(
        "INSERT INTO link_holds (link_id, kind, created_at) VALUES (?1, 'host', 1)",
      ).bind(held.id),
    ]);
    const DB = withMethods(env.DB, {
      prepare: (query: string) => {
        if (query.includes('visitor_sets')) throw new Error('D1 is down');
        return env.DB.prepare(query);
      },
    });
    const forgotten: string[] = [];
    const trashed = { userId: me.id, ids, now: Date.now() };
    const outcomes = await purgeLinks(openDb(DB), trashed, async (names) =>
      forgotten.push(...names),
    );
    expect(outcomes.map(({ error }) => error === null)).toEqual([false, true]);
    expect(forgotten).toEqual([`count-${free.id}`]);
  });

  it('the export of links leaves them out', async () => {
    const me = await makePerson();
    const [gone, kept] = [await trash(me), await trash(me)];
    await purge(me, [gone.id]);
    const file = await call('/api/account/links?format=json', { headers: me.headers });
    expect((await file.json<{ short_code: string }[]>()).map((link) => link.short_code)).toEqual([
      kept.code,
    ]);
  });
});

describe('GET /api/my-urls/ids', () => {
  const ids = async ({ headers }: Person, query: string): Promise<MatchingLinksResponse> =>
    (await call(`/api/my-urls/ids?${query}`, { headers })).json();
  const make = async ({ headers }: Person, json: object): Promise<number> => {
    const { code } = await (
      await call('/api/shorten', { json: { longUrl: 'https://example.com/', ...json }, headers })
    ).json<{ code: string }>();
    return (await (await call(`/api/links/${code}`, { headers })).json<{ id: number }>()).id;
  };

  it('finds the links that the list shows with the same filters, on all pages', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const a = await make(me, {});
    const b = await make(me, { longUrl: 'https://other.example/find-me' });
    await make(other, {});
    expect(await ids(me, '')).toEqual({ links: 2, ids: [a, b] });
    expect(await ids(me, 'host=other.example')).toEqual({ links: 1, ids: [b] });
    expect(await ids(me, 'q=find-me&sort=code')).toEqual({ links: 1, ids: [b] });
    expect(await ids(me, 'q=%20%21')).toMatchObject({ links: 0 });
    await call('/api/links/actions', {
      json: { ids: [a], action: 'archive' },
      headers: me.headers,
    });
    expect(await ids(me, 'status=archived')).toEqual({ links: 1, ids: [a] });
    const trashed = await trash(me);
    expect(await ids(me, 'status=trash&q=no-such-word')).toEqual({ links: 1, ids: [trashed.id] });
    expect(
      (await call('/api/my-urls/ids?host=a&min_clicks=x', { headers: me.headers })).status,
    ).toBe(400);
  });
});
