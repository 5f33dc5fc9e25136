import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { EARLIER_CODES_MAX } from '#contract/limits.ts';
import type { LinkHistory, ListedLink } from '#contract/links/links.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { drainOutbox } from '#worker/edge/drain-outbox.ts';

const TARGET = 'https://example.com/renamed';
const UNREMEMBERED = { LINK_MEMORY_MS: '0', CLICK_WINDOW_MS: '1' };

const create = (person: Person, customCode: string, longUrl = TARGET): Promise<Response> =>
  call('/api/shorten', { json: { longUrl, customCode }, headers: person.headers });
const change = (
  person: Person,
  code: string,
  json: object,
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers }, overrides);
const rename = (
  person: Person,
  code: string,
  customCode: string,
  overrides: Partial<Env> = {},
): Promise<Response> => change(person, code, { customCode }, overrides);
const act = (
  person: Person,
  action: string,
  codes: string[],
  json: object = {},
): Promise<Response> =>
  call('/api/links/actions', { json: { action, codes, ...json }, headers: person.headers });
const get = (person: Person, path: string): Promise<Response> =>
  call(path, { headers: person.headers });
const recordOf = (code: string) =>
  env.LINKS.get<{ v: number; i: number; s: string; u: string }>(code, 'json');
const visit = (code: string, overrides: Partial<Env> = {}): Promise<Response> =>
  call(`/${code}`, {}, { ...UNREMEMBERED, ...overrides });
const rowsOf = async (code: string) =>
  (await env.DB.prepare('SELECT * FROM links WHERE code = ?1').bind(code).all()).results;

/** A member with a link that had the codes `codes`, in their order. */
async function renamed(...codes: string[]): Promise<Person> {
  const me = await makePerson();
  const [first = '', ...later] = codes;
  expect((await create(me, first)).status).toBe(201);
  let current = first;
  for (const code of later) {
    expect((await rename(me, current, code)).status).toBe(200);
    current = code;
  }
  return me;
}

describe('a link that was renamed', () => {
  it('a renamed link redirects and counts under both codes, without reading D1', async () => {
    stopClock();
    const me = await renamed('before-a', 'after-a');
    const [old, current] = [await recordOf('before-a'), await recordOf('after-a')];
    expect(old).toEqual(current);
    expect(current).toMatchObject({ v: 2, s: 'a', u: TARGET });
    for (const code of ['before-a', 'after-a'])
      expect((await visit(code, { DB: UNTOUCHABLE_DB })).headers.get('Location')).toBe(TARGET);
    const link = await (await get(me, '/api/links/before-a')).json<ListedLink>();
    expect(link).toMatchObject({
      id: current?.i,
      short_code: 'after-a',
      earlier_codes: ['before-a'],
    });
    expect(await (await get(me, '/api/subscription')).json()).toMatchObject({ current_usage: 1 });
  });

  it('D1 finds a link by an earlier code that KV lacks, and KV gets every code back', async () => {
    await renamed('lost-a', 'lost-b', 'lost-c');
    await env.DB.prepare("UPDATE links SET updated_at = 1 WHERE code = 'lost-c'").run();
    for (const code of ['lost-a', 'lost-b', 'lost-c']) await env.LINKS.delete(code);
    expect((await visit('lost-a')).headers.get('Location')).toBe(TARGET);
    for (const code of ['lost-a', 'lost-b', 'lost-c'])
      expect(await recordOf(code)).toMatchObject({ v: 3, s: 'a' });
  });

  it('a renamed link stops and works again under all codes, whichever is named', async () => {
    const me = await renamed('all-a', 'all-b', 'all-c');
    const admin = await makePerson({ role: 'admin' });
    const statuses = async () =>
      Promise.all(['all-a', 'all-b', 'all-c'].map(async (code) => (await visit(code)).status));
    const moderate = (action: string) =>
      call('/api/admin/moderation', {
        json: { action, scope: { kind: 'link', code: 'all-b' }, reason: 'Phishing.' },
        headers: admin.headers,
      });
    expect((await change(me, 'all-a', { enabled: false })).status).toBe(200);
    expect(await statuses()).toEqual([410, 410, 410]);
    await change(me, 'all-b', { enabled: true });
    expect(await statuses()).toEqual([302, 302, 302]);
    expect(await (await act(me, 'delete', ['all-a'])).json()).toMatchObject({
      lines: [{ ok: true, code: 'all-a' }],
    });
    expect(await statuses()).toEqual([410, 410, 410]);
    await act(me, 'restore', ['all-c']);
    expect(await statuses()).toEqual([302, 302, 302]);
    expect((await moderate('disable')).status).toBe(200);
    expect(await statuses()).toEqual([410, 410, 410]);
    expect((await rename(me, 'all-c', 'all-d')).status).toBe(403);
    expect((await moderate('enable')).status).toBe(200);
    expect(await statuses()).toEqual([302, 302, 302]);
    await env.DB.prepare('UPDATE links SET expires_at = 1 WHERE code = ?1').bind('all-c').run();
    await change(me, 'all-c', { longUrl: 'https://example.com/other' });
    expect(await statuses()).toEqual([410, 410, 410]);
  });

  it('an action on ids names each link by its current code', async () => {
    const me = await renamed('named-a', 'named-b');
    const { id } = await (await get(me, '/api/links/named-a')).json<ListedLink>();
    const json = { action: 'disable', ids: [id] };
    const response = await call('/api/links/actions', { json, headers: me.headers });
    expect(await response.json()).toMatchObject({ lines: [{ ok: true, code: 'named-b' }] });
  });

  it('an earlier code leads to the analytics, preview, QR code and reports', async () => {
    const me = await renamed('seen-a', 'seen-b');
    expect(await (await get(me, '/api/analytics/seen-a')).json()).toMatchObject({
      url: { short_code: 'seen-b' },
    });
    expect(await (await call('/seen-a+')).text()).toContain(TARGET);
    expect((await call('/api/qr/seen-a')).status).toBe(200);
    await call('/api/reports', { json: { code: 'seen-a', reason: 'phishing' } });
    const admin = await makePerson({ role: 'admin' });
    const { reports } = await (
      await get(admin, '/api/admin/reports')
    ).json<{ reports: { code: string }[] }>();
    expect(reports.map(({ code }) => code)).toContain('seen-b');
    const links = await (
      await get(admin, '/api/admin?action=urls&q=seen-a')
    ).json<{ urls: { short_code: string }[] }>();
    expect(links.urls.map(({ short_code }) => short_code)).toEqual(['seen-b']);
    const { urls } = await (await get(me, '/api/my-urls?q=seen-a')).json<{ urls: ListedLink[] }>();
    expect(urls.map(({ short_code }) => short_code)).toEqual(['seen-b']);
  });

  it('a renamed link stays in the outbox until KV has every code', async () => {
    const me = await makePerson();
    await create(me, 'half-a');
    const failing = withMethods(env.LINKS, {
      put: (key: string, value: string) =>
        key === 'half-a' ? Promise.reject(new Error('KV is down')) : env.LINKS.put(key, value),
    });
    expect((await rename(me, 'half-a', 'half-b', { LINKS: failing })).status).toBe(200);
    expect(await recordOf('half-a')).toMatchObject({ v: 1 });
    expect(await recordOf('half-b')).toMatchObject({ v: 2 });
    const later = Date.now() + 120_000;
    await drainOutbox({ ...env, LINKS: failing }, later);
    await drainOutbox(env, later);
    expect(await recordOf('half-a')).toMatchObject({ v: 2, s: 'a' });
  });

  it('a renamed link counts each of its codes as a write of the publishing job', async () => {
    const later = Date.now() + 120_000;
    await drainOutbox(env, later);
    await renamed('budget-a', 'budget-b');
    await renamed('budget-c', 'budget-d');
    const budget = { canContinue: () => true, kvWrites: () => 3 };
    expect(await drainOutbox(env, later, budget)).toMatchObject({ left: 1 });
    expect(await drainOutbox(env, later, budget)).toMatchObject({ done: { links_published: 2 } });
  });

  it('an earlier code looks like a deleted link of nobody to an older Worker', async () => {
    await renamed('older-a', 'older-b');
    expect(await rowsOf('older-a')).toMatchObject([
      { released_at: null, status: 'deleted', user_id: null, target: '' },
    ]);
  });
});

describe('the codes of a link that was renamed', () => {
  it('[T13] codes of a renamed link belong to nobody else, in any spelling', async () => {
    const me = await renamed('mine-one', 'mine-two');
    const other = await makePerson();
    await create(other, 'theirs');
    for (const person of [me, other])
      for (const code of ['mine-one', 'mine-two', 'Mine-One', 'MINE-TWO'])
        expect((await create(person, code)).status, code).toBe(409);
    for (const code of ['mine-one', 'MINE-ONE', 'mine-two'])
      expect(await (await rename(other, 'theirs', code)).json(), code).toMatchObject({
        code: 'alias_taken',
        field: 'customCode',
      });
    expect((await rename(me, 'mine-two', 'theirs')).status).toBe(409);
    await call('/api/links/mine-two', { method: 'DELETE', headers: me.headers });
    expect((await create(other, 'mine-one')).status).toBe(409);
    // Its former owner can use the code of the deleted link for a new one, and the earlier code
    // still answers 410.
    expect((await create(me, 'mine-two', 'https://example.com/again')).status).toBe(201);
    expect((await visit('mine-one')).status).toBe(410);
  });

  it('an earlier code can be taken back, also in another spelling', async () => {
    const me = await renamed(
      'spelling',
      'Spelling',
      'SPELLING',
      'other-word',
      'Spelling',
      'spelling',
    );
    const other = await makePerson();
    const link = await (await get(me, '/api/links/spelling')).json<ListedLink>();
    expect(link).toMatchObject({
      short_code: 'spelling',
      earlier_codes: ['Spelling', 'other-word', 'SPELLING'],
    });
    for (const code of ['spelling', 'Spelling', 'SPELLING', 'other-word']) {
      expect((await visit(code)).status, code).toBe(302);
      expect(await recordOf(code)).toMatchObject({ i: link.id, v: 6 });
    }
    for (const code of ['SpelliNG', 'Other-Word'])
      expect((await create(other, code)).status, code).toBe(409);
  });

  it(`a link has at most ${EARLIER_CODES_MAX} earlier codes`, async () => {
    const me = await renamed('n-0', 'n-1', 'n-2', 'n-3', 'n-4', 'n-5');
    expect(await (await rename(me, 'n-5', 'n-6')).json()).toMatchObject({
      code: 'conflict',
      field: 'customCode',
    });
    expect((await rename(me, 'n-5', 'n-0')).status).toBe(200);
    expect((await rename(me, 'n-0', 'n-5')).status).toBe(200);
  });

  it('new codes follow the rules of an alias', async () => {
    const me = await renamed('rules-a');
    for (const [code, error] of [
      ['api', 'reserved_alias'],
      ['with space', 'invalid_alias'],
      ['', 'invalid_alias'],
    ])
      expect(await (await rename(me, 'rules-a', code ?? '')).json()).toMatchObject({
        code: error,
        field: 'customCode',
      });
    const other = await makePerson();
    expect((await rename(other, 'rules-a', 'rules-b')).status).toBe(404);
    expect((await rename(me, 'rules-a', 'rules-a')).status).toBe(200);
    expect(await (await get(me, '/api/links/rules-a')).json()).toMatchObject({ earlier_codes: [] });
  });

  it('a new code can be that of the owner’s deleted link, whose record is superseded', async () => {
    const me = await renamed('taker');
    await create(me, 'given');
    for (const longUrl of [
      'https://example.com/1',
      'https://example.com/2',
      'https://example.com/3',
    ])
      await change(me, 'given', { longUrl });
    await call('/api/links/given', { method: 'DELETE', headers: me.headers });
    const tombstone = await recordOf('given');
    expect((await rename(me, 'taker', 'given')).status).toBe(200);
    expect(await recordOf('given')).toMatchObject({
      v: (tombstone?.v ?? 0) + 1,
      s: 'a',
      u: TARGET,
    });
    expect((await visit('given')).headers.get('Location')).toBe(TARGET);
    expect((await visit('taker')).headers.get('Location')).toBe(TARGET);
  });

  it('two renames at the same time leave one code', async () => {
    const me = await renamed('race-a');
    const answers = await Promise.all(
      ['race-b', 'race-c'].map((code) => rename(me, 'race-a', code)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const link = await (await get(me, '/api/links/race-a')).json<ListedLink>();
    expect([link.short_code, ...link.earlier_codes].toSorted()).toEqual([
      'race-a',
      'race-b',
      'race-c',
    ]);
  });
});

describe('the history of a link', () => {
  it('the history has codes, tags and the archive, from the page and from the list', async () => {
    const me = await renamed('past-a', 'past-b');
    await change(me, 'past-b', { tags: ['Spring', 'Launch'] });
    await act(me, 'add_tags', ['past-b'], { tags: ['Spring', 'Sale'] });
    await act(me, 'remove_tags', ['past-b'], { tags: ['Launch'] });
    await act(me, 'archive', ['past-b']);
    await change(me, 'past-b', { archived: false });
    // None of these changes anything.
    await act(me, 'unarchive', ['past-b']);
    await act(me, 'add_tags', ['past-b'], { tags: ['Sale'] });
    await change(me, 'past-b', { tags: ['Sale', 'Spring'], archived: false });
    const { changes } = await (await get(me, '/api/links/past-a/history')).json<LinkHistory>();
    expect(changes.map(({ before }) => [before.short_code, before.tags, before.archived])).toEqual([
      ['past-b', ['Sale', 'Spring'], true],
      ['past-b', ['Sale', 'Spring'], false],
      ['past-b', ['Launch', 'Sale', 'Spring'], false],
      ['past-b', ['Launch', 'Spring'], false],
      ['past-b', [], false],
      ['past-a', [], false],
    ]);
    expect(changes[0]?.after).toMatchObject({
      short_code: 'past-b',
      tags: ['Sale', 'Spring'],
      archived: false,
    });
  });
});

describe('PATCH /api/v1/links/:id', () => {
  it('renames a link within the prefix of its key', async () => {
    const key = await makeKey({ codePrefix: 'v1-' });
    const created = await send(key, 'POST /links', {
      json: { url: TARGET, code: 'v1-old', externalId: 'ext' },
    });
    const { id } = await created.json<{ id: string }>();
    expect(
      await (await send(key, `PATCH /links/${id}`, { json: { code: 'other' } })).json(),
    ).toMatchObject({
      code: 'invalid_alias',
    });
    const answer = await send(key, `PATCH /links/${id}`, { json: { code: 'v1-new' } });
    expect(await answer.json()).toMatchObject({ id, code: 'v1-new', earlierCodes: ['v1-old'] });
    expect(await (await send(key, 'GET /links/by-code/v1-old')).json()).toMatchObject({
      id,
      code: 'v1-new',
    });
    // A program that repeats what it created the link with does not fail.
    const again = await send(key, 'PUT /links/by-external-id/ext', {
      json: { url: TARGET, code: 'v1-old' },
    });
    expect(await again.json()).toMatchObject({ id, code: 'v1-new' });
    const log = await env.DB.prepare(
      "SELECT after FROM admin_log WHERE subject = 'link:v1-old'",
    ).first<string>('after');
    expect(JSON.parse(log ?? '')).toMatchObject({ changed: ['code'] });
  });
});
