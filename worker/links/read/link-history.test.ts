import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LinkHistory } from '#contract/links/links.ts';
import { LINK_CHANGES_MAX, TARGET_CHANGES_KEPT } from '#contract/limits.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';
import { changeLink } from '#worker/links/write/change-link.ts';
import { idsAsJson } from './link-history.ts';
import type { LinkEdit } from '#worker/links/write/link-draft.ts';

const create = async (person: Person): Promise<string> => {
  const response = await call('/api/shorten', {
    json: { longUrl: 'https://example.com/1' },
    headers: person.headers,
  });
  return (await response.json<{ code: string }>()).code;
};
const patch = async (person: Person, code: string, json: object): Promise<void> => {
  expect(
    (await call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers })).status,
  ).toBe(200);
  // Changes within one millisecond are one entry.
  await scheduler.wait(2);
};
const edit = (person: Person, code: string, change: LinkEdit, now: number) =>
  changeLink(openDb(env.DB), {
    actor: { userId: person.id, keyName: null },
    ref: { code },
    edit: change,
    reputation: null,
    now,
  });
const leadTo = (n: number): LinkEdit => ({
  target: { href: `https://example.com/${n}`, host: 'example.com' },
});
const read = async (person: Person, code: string): Promise<LinkHistory['changes']> => {
  const response = await call(`/api/links/${code}/history`, { headers: person.headers });
  expect(response.status).toBe(200);
  return (await response.json<LinkHistory>()).changes;
};

/**
 * Adds records `from` to `to` of one link, each like its latest one with other members. A change by
 * the API takes 15 ms.
 */
async function addRecords(
  [from, to]: readonly [number, number],
  membersOf: (n: number) => Record<string, unknown>,
): Promise<void> {
  const latest = await env.DB.prepare(
    'SELECT * FROM link_changes ORDER BY link_id DESC, at DESC LIMIT 1',
  ).first();
  const rows = Array.from({ length: to - from + 1 }, (_, i) =>
    Object.assign({}, latest, { at: (from + i) * SPACED_MS }, membersOf(from + i)),
  );
  const names = Object.keys(latest ?? {});
  await env.DB.prepare(
    `INSERT INTO link_changes (${names.join(', ')})
     SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows))
    .run();
}
const titled = (n: number) => ({ title: `n${n - 1}` });

// A link can be changed 30 times a minute.
const SPACED_MS = 3_000;

describe('GET /api/links/:code/history', () => {
  it('the history has every change with both states and the key that made it', async () => {
    const me = await makePerson({ plan: 'premium' });
    const holder = await makeKey({ person: me, name: 'CI' });
    const code = await create(me);
    expect(await read(me, code)).toEqual([]);
    await patch(me, code, { longUrl: 'https://example.com/2', title: 'Two' });
    await patch(me, code, { tags: ['x'], favorite: true, title: 'Two' });
    await patch(me, code, { note: 'Why' });
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1')
      .bind(code)
      .first<number>('id');
    await send(holder, `PATCH /links/${await publicIdOf(id ?? 0)}`, { json: { enabled: false } });
    const changes = await read(me, code);
    const same = {
      short_code: code,
      domain: '',
      tags: ['x'],
      archived: false,
      expires_at: null,
      starts_at: null,
      fallback_url: '',
      redirect_status: 302,
      rules: [],
      variants: [],
      click_limit: null,
      limit_open: false,
      forward_params: 'none',
      card_at: null,
      watch: 'off',
      watch_fallback: '',
      has_password: false,
    };
    const last = { ...same, long_url: 'https://example.com/2', title: 'Two' };
    expect(changes).toEqual([
      {
        at: expect.any(String),
        keyName: 'CI',
        isByWatcher: false,
        isPasswordReplaced: false,
        before: { ...last, note: 'Why', status: 'active' },
        after: { ...last, note: 'Why', status: 'disabled' },
      },
      {
        at: expect.any(String),
        keyName: '',
        isByWatcher: false,
        isPasswordReplaced: false,
        before: { ...last, note: '', status: 'active' },
        after: { ...last, note: 'Why', status: 'active' },
      },
      {
        at: expect.any(String),
        keyName: '',
        isByWatcher: false,
        isPasswordReplaced: false,
        before: { ...last, tags: [], note: '', status: 'active' },
        after: { ...last, note: '', status: 'active' },
      },
      {
        at: expect.any(String),
        keyName: '',
        isByWatcher: false,
        isPasswordReplaced: false,
        before: {
          ...same,
          tags: [],
          long_url: 'https://example.com/1',
          title: '',
          note: '',
          status: 'active',
        },
        after: { ...last, tags: [], note: '', status: 'active' },
      },
    ]);
  });

  it('the history names the key that changed a note, and ignores the order of tags', async () => {
    const me = await makePerson({ plan: 'premium' });
    const holder = await makeKey({ person: me, name: 'Notes' });
    const code = await create(me);
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1')
      .bind(code)
      .first<number>('id');
    await send(holder, `PATCH /links/${await publicIdOf(id ?? 0)}`, {
      json: { note: 'From a key', tags: ['b', 'a'] },
    });
    await patch(me, code, { tags: ['a', 'b'] });
    expect((await read(me, code)).map((change) => change.keyName)).toEqual(['Notes']);
    expect(idsAsJson([10, 9, 100])).toBe('[9,10,100]');
  });

  it('[T23] the history is for the owner only, and keeps the last changes', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const code = await create(me);
    expect((await call(`/api/links/${code}/history`, { headers: other.headers })).status).toBe(404);
    const last = LINK_CHANGES_MAX + 5;
    await edit(me, code, { title: 'n1' }, SPACED_MS);
    await addRecords([2, last - 2], titled);
    for (const n of [last - 1, last]) await edit(me, code, { title: `n${n}` }, n * SPACED_MS);
    const changes = await read(me, code);
    expect(changes).toHaveLength(LINK_CHANGES_MAX);
    expect(changes.at(-1)?.before.title).toBe('n5');
  });

  it('[T51] the history keeps a changed destination, however many changes follow', async () => {
    const me = await makePerson();
    const code = await create(me);
    await edit(me, code, leadTo(2), 1);
    await edit(me, code, leadTo(3), 2);
    const last = 2 * LINK_CHANGES_MAX + 3;
    await edit(me, code, { title: 'n3' }, 3 * SPACED_MS);
    await addRecords([4, last - 2], titled);
    for (const n of [last - 1, last]) await edit(me, code, { title: `n${n}` }, n * SPACED_MS);
    const changes = await read(me, code);
    expect(changes).toHaveLength(LINK_CHANGES_MAX + 2);
    expect(changes.slice(-2).map(({ at, before }) => [Date.parse(at), before.long_url])).toEqual([
      [2, 'https://example.com/2'],
      [1, 'https://example.com/1'],
    ]);
  });

  it('[T51] the history keeps only the first and the last changes of the destination', async () => {
    const me = await makePerson();
    const code = await create(me);
    const last = 2 * TARGET_CHANGES_KEPT + 20;
    const changeTo = async (n: number) => edit(me, code, leadTo(n), n * SPACED_MS);
    await changeTo(2);
    await addRecords([3, last - 2], (n) => ({ target: `https://example.com/${n - 1}` }));
    await env.DB.prepare('UPDATE links SET target = ?2 WHERE code = ?1')
      .bind(code, `https://example.com/${last - 2}`)
      .run();
    for (const n of [last - 1, last]) await changeTo(n);
    const end = last + LINK_CHANGES_MAX + 5;
    await edit(me, code, { title: 'first' }, (last + 1) * SPACED_MS);
    await addRecords([last + 2, end - 2], titled);
    for (const n of [end - 1, end]) await edit(me, code, { title: `n${n}` }, n * SPACED_MS);
    const replaced = [
      ...new Set(
        (await read(me, code)).map(({ before }) => Number(before.long_url.split('/').at(-1))),
      ),
    ];
    const numbers = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => from - at);
    expect(replaced).toEqual([
      last,
      ...numbers(last - 1, TARGET_CHANGES_KEPT),
      ...numbers(TARGET_CHANGES_KEPT, TARGET_CHANGES_KEPT),
    ]);
    expect(await read(me, code)).toHaveLength(LINK_CHANGES_MAX + 2 * TARGET_CHANGES_KEPT);
  });
});

describe('the preview', () => {
  it('the preview says when the destination last changed, and no other change', async () => {
    const me = await makePerson();
    const code = await create(me);
    const preview = async (): Promise<string> => (await call(`/${code}+`)).text();
    await patch(me, code, { title: 'A title' });
    expect(await preview()).toContain('<dt>Destination last changed</dt><dd>Never</dd>');
    await patch(me, code, { longUrl: 'https://example.com/2' });
    expect(await preview()).not.toContain('<dd>Never</dd>');
    const response = await call(`/${code}+`, { headers: { Accept: 'application/json' } });
    expect(
      (await response.json<{ destination_changed_at: string }>()).destination_changed_at,
    ).toMatch(/Z$/);
  });

  it('the row of a link keeps when its destination last changed', async () => {
    const me = await makePerson();
    const code = await create(me);
    const changedAt = () =>
      env.DB.prepare('SELECT target_changed_at AS at FROM links WHERE code = ?1')
        .bind(code)
        .first('at');
    await edit(me, code, { expiresAt: null, title: 'Other' }, 4000);
    expect(await changedAt()).toBeNull();
    await edit(me, code, leadTo(2), 5000);
    await edit(me, code, { ...leadTo(2), expiresAt: null }, 6000);
    expect(await changedAt()).toBe(5000);
  });
});
