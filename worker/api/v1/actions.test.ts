import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { TAGS_MAX } from '#contract/limits.ts';
import type { ActionResult } from '#contract/v1/v1-actions.ts';
import type { V1Link, V1LinkList } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';
import { ensureTags } from '#worker/tags/tags.ts';

const url = 'https://example.com/a';

async function make(holder: KeyHolder, more: object = {}): Promise<V1Link> {
  const response = await send(holder, 'POST /links', { json: { url, ...more } });
  expect(response.status).toBe(201);
  return response.json();
}
async function act(holder: KeyHolder, json: object): Promise<ActionResult> {
  const response = await send(holder, 'POST /links/actions', { json });
  expect(response.status).toBe(200);
  return response.json();
}
async function refusal(holder: KeyHolder, json: object) {
  const response = await send(holder, 'POST /links/actions', { json });
  const { code, errors = [] } = await response.json<Problem>();
  return [response.status, code, errors[0]?.pointer];
}
const list = async (holder: KeyHolder, query = ''): Promise<V1Link[]> =>
  (await (await send(holder, `GET /links${query}`)).json<V1LinkList>()).data;
const count = async (holder: KeyHolder, query = ''): Promise<unknown> =>
  (await send(holder, `GET /links/count${query}`)).json();
const done = (changed: number) => ({ changed, failed: 0, failures: [] });

describe('POST /api/v1/links/actions', () => {
  it('changes links by their ids, and says which it could not change', async () => {
    const holder = await makeKey();
    const [a, b, held] = [await make(holder), await make(holder), await make(holder)];
    const theirs = await make(await makeKey());
    await env.DB.prepare(
      "UPDATE links SET status = 'disabled', disabled_by = 'admin' WHERE code = ?",
    )
      .bind(held.code)
      .run();
    const ids = [a.id, held.id, theirs.id, 'x', b.id, a.id];
    expect(await act(holder, { action: 'disable', ids })).toMatchObject({
      dryRun: false,
      matched: 5,
      changed: 2,
      failed: 3,
      failures: [
        { id: held.id, code: 'forbidden' },
        { id: theirs.id, code: 'not_found' },
        { id: 'x', code: 'not_found' },
      ],
    });
    const enabled = await act(holder, { action: 'enable', ids: [a.id] });
    expect(enabled).toMatchObject({ matched: 1, ...done(1) });
    const states = (await list(holder)).map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(states)).toEqual({
      [a.id]: 'active',
      [b.id]: 'disabled',
      [held.id]: 'disabled',
    });
  });

  it('changes links by a filter only with the number that a dry run returned', async () => {
    const holder = await makeKey();
    for (const tags of [['old'], ['old', 'x'], ['x']]) await make(holder, { tags });
    const filter = { tag: 'OLD' };
    expect(await refusal(holder, { action: 'disable', filter })).toEqual([
      400,
      'invalid_body',
      '/expectedCount',
    ]);
    expect(await act(holder, { action: 'disable', filter, dryRun: true })).toMatchObject({
      dryRun: true,
      matched: 2,
      ...done(0),
    });
    await make(holder, { tags: ['old'] });
    expect(await refusal(holder, { action: 'disable', filter, expectedCount: 2 })).toEqual([
      409,
      'conflict',
      '/expectedCount',
    ]);
    expect(await list(holder, '?status=disabled')).toEqual([]);
    expect(await act(holder, { action: 'disable', filter, expectedCount: 3 })).toMatchObject(
      done(3),
    );
    expect(await count(holder, '?status=disabled')).toEqual({ count: 3 });
    expect(await count(holder, '?status=active')).toEqual({ count: 1 });
  });

  it('links that nobody has clicked for 90 days are one request', async () => {
    const holder = await makeKey();
    const [old, clicked, recent, never] = [
      await make(holder),
      await make(holder),
      await make(holder),
      await make(holder),
    ];
    const day = (daysAgo: number) => Date.now() - daysAgo * 86_400_000;
    const last = day(91);
    const clicks = [
      makeClick(await numberOf(old.id), { t: last }),
      makeClick(await numberOf(clicked.id), { t: day(91) }),
      makeClick(await numberOf(clicked.id), { t: day(2) }),
      makeClick(await numberOf(recent.id), { t: day(1) }),
    ];
    await foldWindows(env.DB, [makeWindow(clicks)], Date.now());
    const since = new Date(day(90)).toISOString();
    const query = `?lastClickBefore=${since}`;
    const found = await list(holder, query);
    expect(found.map(({ id }) => id)).toEqual([never.id, old.id]);
    expect(await count(holder, query)).toEqual({ count: 2 });
    for (const [time, links] of [
      [last, 1],
      [last + 1, 2],
    ] as const)
      expect(await count(holder, `?lastClickBefore=${new Date(time).toISOString()}`)).toEqual({
        count: links,
      });
    const filter = { lastClickBefore: since };
    expect(await act(holder, { action: 'archive', filter, expectedCount: 2 })).toMatchObject(
      done(2),
    );
    expect((await list(holder)).map(({ id }) => id)).toEqual([recent.id, clicked.id]);
  });

  it('tags, archives, ends, watches, deletes and restores many links', async () => {
    const holder = await makeKey();
    const links = [await make(holder, { tags: ['a'] }), await make(holder)];
    const ids = links.map(({ id }) => id);
    const all = { filter: { archived: false }, expectedCount: 2 };
    expect(await act(holder, { action: 'add_tags', tags: ['b'], ids })).toMatchObject(done(2));
    expect(await act(holder, { action: 'remove_tags', tags: ['a'], ids })).toMatchObject(done(2));
    const expiresAt = '2099-01-01T00:00:00.000Z';
    expect(await act(holder, { action: 'set_end', expiresAt, ...all })).toMatchObject(done(2));
    expect(await list(holder)).toMatchObject([
      { tags: ['b'], expiresAt },
      { tags: ['b'], expiresAt },
    ]);
    expect(await act(holder, { action: 'set_watch', watch: 'on', ...all })).toMatchObject(done(2));
    expect(await list(holder)).toMatchObject([{ watch: 'on' }, { watch: 'on' }]);
    expect(await act(holder, { action: 'archive', ...all })).toMatchObject(done(2));
    expect(await count(holder)).toEqual({ count: 0 });
    expect(await act(holder, { action: 'delete', ids })).toMatchObject(done(2));
    expect(await count(holder, '?archived=true')).toEqual({ count: 0 });
    const filter = { tag: 'b' };
    expect(await act(holder, { action: 'restore', filter, dryRun: true })).toMatchObject({
      matched: 2,
    });
    expect(await act(holder, { action: 'restore', filter, expectedCount: 2 })).toMatchObject(
      done(2),
    );
    expect(await count(holder, '?archived=true')).toEqual({ count: 2 });
  });

  it.each([
    [{ action: 'disable' }, ''],
    [{ action: 'disable', ids: ['1'], filter: { tag: 'a' }, dryRun: true }, ''],
    [{ action: 'disable', ids: [] }, '/ids'],
    [{ action: 'disable', ids: Array(1001).fill('1') }, '/ids'],
    [{ action: 'disable', filter: {}, dryRun: true }, '/filter'],
    [{ action: 'disable', filter: { tags: 'old' }, dryRun: true }, '/filter/tags'],
    [{ action: 'disable', ids: ['1'], tags: ['a'] }, '/tags'],
    [{ action: 'add_tags', ids: ['1'], tags: ['a,b'] }, '/tags'],
    [{ action: 'set_end', ids: ['1'] }, '/expiresAt'],
    [{ action: 'set_watch', ids: ['1'] }, '/watch'],
    [{ action: 'archive', ids: ['1'], watch: 'on' }, '/watch'],
    [{ action: 'restore', filter: { q: 'a' }, dryRun: true }, '/filter'],
    [{ action: 'burn', ids: ['1'] }, '/action'],
  ])('rejects the request %j', async (json, pointer) => {
    expect(await refusal(await makeKey(), json)).toEqual([400, 'invalid_body', pointer]);
  });

  it('[T53] a key with a code prefix reaches only links that it sees, and no tags', async () => {
    const holder = await makeKey();
    const agency = await makeKey({ person: holder.person, codePrefix: 'ag-' });
    const [outside, inside] = [await make(holder), await make(agency)];
    expect(await count(agency)).toEqual({ count: 1 });
    const ids = [outside.id, inside.id];
    expect(await act(agency, { action: 'disable', ids })).toMatchObject({
      changed: 1,
      failures: [{ id: outside.id, code: 'not_found' }],
    });
    const filter = { status: 'active' };
    expect(await act(agency, { action: 'delete', filter, dryRun: true })).toMatchObject({
      matched: 0,
    });
    expect(await refusal(agency, { action: 'add_tags', tags: ['a'], ids })).toEqual([
      403,
      'forbidden',
      '/tags',
    ]);
    await send(holder, `PATCH /links/${inside.id}`, { json: { tags: ['a'] } });
    const removal = { action: 'remove_tags', tags: ['a'], ids: [inside.id] };
    expect(await act(agency, removal)).toMatchObject({ changed: 1 });
  });

  it('names every link that it could not change, also beyond its first batch', async () => {
    const ids = Array.from({ length: 341 }, (_, at) => `unknown${at}`);
    const { failures } = await act(await makeKey(), { action: 'archive', ids });
    expect(failures.map(({ id }) => id)).toEqual(ids);
  });

  it('changes nothing if the tags are too many for the account', async () => {
    const holder = await makeKey();
    const names = Array.from({ length: TAGS_MAX }, (_, at) => `t${at}`);
    await ensureTags(openDb(env.DB), holder.person.id, names, Date.now());
    const json = { action: 'add_tags', tags: ['new'], ids: [(await make(holder)).id] };
    expect(await refusal(holder, json)).toEqual([409, 'conflict', '/tags']);
  });

  it('records the key in the history of each link, and once in the audit log', async () => {
    const holder = await makeKey();
    const ids = [(await make(holder)).id, (await make(holder)).id];
    await act(holder, { action: 'disable', ids });
    await act(holder, { action: 'archive', ids: ['unknown'] });
    const { results } = await env.DB.prepare(
      'SELECT key_name FROM link_changes WHERE link_id IN (SELECT id FROM links WHERE user_id = ?)',
    )
      .bind(holder.person.id)
      .all();
    expect(results).toEqual([{ key_name: 'Test' }, { key_name: 'Test' }]);
    const logged = await env.DB.prepare(
      "SELECT after FROM admin_log WHERE admin_id = ? AND action = 'change_links'",
    )
      .bind(holder.person.id)
      .all<{ after: string }>();
    expect(logged.results.map(({ after }) => JSON.parse(after))).toEqual([
      { key: 'Test', action: 'disable', links: 2 },
    ]);
  });

  it('changes 1,000 links with less than 50 queries, up to the limit of the day', async () => {
    const person = await makePerson();
    const holder = await makeKey({ person });
    await env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < 1001)
       INSERT INTO links (code, target, target_host, user_id, version, created_at, updated_at)
       SELECT 'many-' || i, 'https://example.com/', 'example.com', ?, 1, 5, 5 FROM seq`,
    )
      .bind(person.id)
      .run();
    const filter = { archived: false };
    expect(await refusal(holder, { action: 'archive', filter, expectedCount: 1001 })).toEqual([
      400,
      'invalid_body',
      '/filter',
    ]);
    await env.DB.prepare("DELETE FROM links WHERE code = 'many-7'").run();
    let queries = 0;
    const DB = withMethods(env.DB, {
      prepare: (query: string) => (queries++, env.DB.prepare(query)),
    });
    const json = { action: 'archive', filter, expectedCount: 1000 };
    const response = await send(holder, 'POST /links/actions', { json }, { DB });
    expect(await response.json()).toMatchObject({ matched: 1000, ...done(1000) });
    expect(queries).toBeLessThan(50);
    // A Free account has used up its 1,000 changes of the day.
    const ids = [(await list(holder, '?archived=true&limit=1'))[0]?.id];
    expect(await act(holder, { action: 'unarchive', ids })).toMatchObject({
      failures: [{ code: 'rate_limited' }],
    });
  });
});
