import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { V1Link } from '#contract/v1/v1.ts';
import { linkEvent } from '#contract/webhooks/webhooks.ts';
import { makeReader, numberOf } from '#worker/testing/link-ids.ts';
import { applyBlocklist } from '#worker/abuse/apply-blocklist.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { deliveriesOf, heldQueue, makeEndpoint } from '#worker/testing/webhooks.ts';
import { dispatchWebhooks } from '#worker/events/dispatch.ts';
import { eventBody } from './event-body.ts';
import { recordClicks } from '#worker/events/record-clicks.ts';

const URL_A = 'https://example.com/a';
let admin: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
});

const queue = heldQueue();
const ask = (person: Person, method: string, path: string, json: unknown = {}) =>
  call(path, { method, json, headers: person.headers }, queue);
const shorten = async (person: Person, json: object = {}): Promise<string> =>
  (
    await (
      await ask(person, 'POST', '/api/shorten', { longUrl: URL_A, ...json })
    ).json<{ code: string }>()
  ).code;
const moderate = (action: 'disable' | 'enable', scope: object) =>
  ask(admin, 'POST', '/api/admin/moderation', { action, scope, reason: 'Because.' });

/**
 * A member with an endpoint for every event, and a function that returns the events since the last
 * call.
 */
async function subscriber(plan: 'free' | 'premium' = 'premium') {
  const person = await makePerson({ plan });
  const endpoint = await makeEndpoint(person);
  let seen = 0;
  const events = async () => {
    const rows = (await deliveriesOf(endpoint)).slice(seen);
    seen += rows.length;
    const reader = await makeReader();
    return rows.map((row) => {
      const { type, data, sequence } = linkEvent.parse(JSON.parse(eventBody(row, reader)));
      return Object.assign(data.link, { type, sequence, changed: data.changed });
    });
  };
  return { person, endpoint, events, types: async () => (await events()).map(({ type }) => type) };
}

describe('events of links', () => {
  it('events record every change of a member, with the link as it is then', async () => {
    const { person, events } = await subscriber();
    const code = await shorten(person);
    await ask(person, 'PATCH', `/api/links/${code}`, { longUrl: 'https://example.com/b' });
    await ask(person, 'PATCH', `/api/links/${code}`, { enabled: false });
    await ask(person, 'PATCH', `/api/links/${code}`, { enabled: true });
    await ask(person, 'DELETE', `/api/links/${code}`);
    const found = await events();
    expect(found.map(({ type, sequence, status, url }) => [type, sequence, status, url])).toEqual([
      ['link.created', 1, 'active', URL_A],
      ['link.updated', 2, 'active', 'https://example.com/b'],
      ['link.disabled', 3, 'disabled', 'https://example.com/b'],
      ['link.updated', 4, 'active', 'https://example.com/b'],
      ['link.deleted', 5, 'deleted', 'https://example.com/b'],
    ]);
    expect(found[2]).toMatchObject({
      shortUrl: `https://hop.example/${code}`,
      statusReason: 'You disabled this link.',
    });
    expect(found[4]).toMatchObject({ state: 'deleted', statusReason: null });
    // The former owner takes the code again: a new link, whose version continues.
    await shorten(person, { customCode: code });
    expect((await events()).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['link.created', 6],
    ]);
  });

  it('events record a link restored from the trash as created', async () => {
    const { person, types } = await subscriber();
    const code = await shorten(person);
    const act = (action: string) =>
      ask(person, 'POST', '/api/links/actions', { codes: [code], action });
    await act('delete');
    await act('restore');
    expect(await types()).toEqual(['link.created', 'link.deleted', 'link.created']);
  });

  it('events record lists, keys, and links that a visitor made', async () => {
    const { person, types, events } = await subscriber();
    await ask(person, 'POST', '/api/shorten/bulk', { longUrls: [URL_A, URL_A, 'nonsense'] });
    expect(await types()).toEqual(['link.created', 'link.created']);
    const holder = await makeKey({ person });
    const links = Array.from({ length: 150 }, (_, i) => ({ url: URL_A, externalId: `n${i}` }));
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    for (let i = 0; i < 2; i += 1)
      await send(holder, 'POST /links/bulk', { json: { links }, headers }, queue);
    const made = await events();
    expect(made.map(({ type, externalId }) => [type, externalId])).toEqual(
      links.map((link) => ['link.created', link.externalId]),
    );
    await send(holder, `PATCH /links/${made[0]?.id}`, { json: { enabled: false } }, queue);
    await send(
      holder,
      'PUT /links/by-external-id/n1',
      { json: { url: 'https://example.com/put' } },
      queue,
    );
    await send(holder, `DELETE /links/${made[2]?.id}`, {}, queue);
    expect(await types()).toEqual(['link.disabled', 'link.updated', 'link.deleted']);
    const visitor = await call('/api/shorten', {
      json: { longUrl: URL_A },
      headers: { 'CF-Connecting-IP': '198.51.100.7' },
    });
    const { code, claimToken: token } = await visitor.json<{ code: string; claimToken: string }>();
    await ask(person, 'POST', '/api/links/claim', {
      links: [
        { code, token },
        { code: 'nobody', token },
      ],
    });
    expect((await events()).map((event) => [event.type, event.code])).toEqual([
      ['link.created', code],
    ]);
  });

  it('events record moderation, blocklist and suspension, once per change of state', async () => {
    const { person, types, events } = await subscriber();
    const code = await shorten(person, { longUrl: 'https://held.example/x' });
    await types();
    await moderate('disable', { kind: 'link', code });
    expect(await events()).toMatchObject([{ type: 'link.disabled', statusReason: 'Because.' }]);
    // A second hold changes nothing that a visitor or the owner sees.
    await moderate('disable', { kind: 'host', host: 'held.example' });
    expect(await types()).toEqual([]);
    await moderate('enable', { kind: 'link', code });
    await moderate('enable', { kind: 'host', host: 'held.example' });
    expect((await events()).at(-1)).toMatchObject({ type: 'link.updated', status: 'active' });
    await ask(admin, 'POST', '/api/admin/blocklist', {
      hosts: 'held.example',
      reason: 'Phishing.',
    });
    await applyBlocklist(env, Date.now() + 60_000);
    expect(await types()).toEqual(['link.disabled']);
    await ask(admin, 'DELETE', '/api/admin/blocklist/held.example');
    await applyBlocklist(env, Date.now() + 120_000);
    expect(await types()).toEqual(['link.updated']);
    await moderate('disable', { kind: 'user', userId: person.id });
    expect(await types()).toEqual(['link.disabled']);
  });

  it('events name what each change replaced, so that a mirror has the link', async () => {
    const { person, events } = await subscriber();
    const holder = await makeKey({ person });
    const json = { url: URL_A, title: 'First', tags: ['a'] };
    const created = await (await send(holder, 'POST /links', { json }, queue)).json<V1Link>();
    expect(await events()).toMatchObject([{ ...json, changed: [], note: '', archived: false }]);
    const id = await numberOf(created.id);
    await env.DB.batch(
      [
        "UPDATE links SET imported_clicks = 5, card_at = 6, watch = 'on' WHERE id = ?1",
        "INSERT INTO link_cards (link_id, title, description, image) VALUES (?1, 'Card', '', '')",
        `INSERT INTO link_health (link_id, home, fallback, state, reason, status, fails, since, checked_at)
         SELECT id, target, '', 'ok', 'answered', 200, 0, 7, 8 FROM links WHERE id = ?1`,
      ].map((statement) => env.DB.prepare(statement).bind(id)),
    );
    const stored = await (await send(holder, `GET /links/${created.id}`)).json<V1Link>();
    expect(stored).toMatchObject({ importedClicks: 5, card: { title: 'Card' }, health: {} });
    const own = `/api/links/${created.code}`;
    const changes: [string, string, object, string[]][] = [
      ['PATCH', own, { title: 'Second' }, ['title']],
      ['PATCH', own, { note: 'For us', tags: ['a', 'b'] }, ['note', 'tags']],
      ['PATCH', own, { archived: true }, ['archived']],
      ['PATCH', own, { forwardParams: ['ref'] }, ['forwardParams']],
      ['PATCH', own, { longUrl: 'https://example.com/b', favorite: true }, ['url', 'favorite']],
      ['PATCH', own, { password: 'one' }, ['hasPassword']],
      ['PATCH', own, { password: 'two' }, ['hasPassword']],
      ['PATCH', own, { enabled: false }, ['status', 'statusReason']],
      ['DELETE', own, {}, ['status']],
    ];
    let before = 1;
    for (const [method, path, body, changed] of changes) {
      expect((await ask(person, method, path, body)).status).toBe(200);
      const [event, ...more] = await events();
      expect([event?.changed, more]).toEqual([changed, []]);
      expect(event?.sequence).toBeGreaterThan(before);
      before = event?.sequence ?? 0;
      if (method === 'DELETE') continue;
      const shown = await (await send(holder, `GET /links/${created.id}`)).json<V1Link>();
      const { clicks: _, clickLimitUsed: _used, shortUrl: _origin, ...link } = shown;
      expect(event).toMatchObject(link);
    }
    // Setting the same value again is no change.
    const again = await shorten(person);
    await events();
    await ask(person, 'PATCH', `/api/links/${again}`, { title: '', note: '', tags: [] });
    expect(await events()).toEqual([]);
  });

  it('bulk actions record one event a link that they change, and dispatch a few', async () => {
    const { person, events } = await subscriber();
    const holder = await makeKey({ person });
    const links = Array.from({ length: 30 }, (_, i) => ({ url: URL_A, externalId: `b${i}` }));
    await send(holder, 'POST /links/bulk', { json: { links } }, queue);
    const ids = (await events()).map(({ id }) => id);
    const act = async (action: object) => {
      const answer = await send(holder, 'POST /links/actions', { json: action }, queue);
      expect(answer.status).toBe(200);
      return events();
    };
    const some = ids.slice(0, 20);
    for (const [action, changed] of [
      [{ action: 'archive', ids: some }, ['archived']],
      [{ action: 'favorite', ids: some }, ['favorite']],
      [{ action: 'add_tags', tags: ['c'], ids: some }, ['tags']],
      [{ action: 'set_watch', watch: 'on', ids: some }, ['watch']],
      [{ action: 'set_end', expiresAt: '2099-01-01T00:00:00Z', ids: some }, ['expiresAt']],
    ] as const) {
      queue.messages.length = 0;
      const found = await act(action);
      expect(found.map(({ id }) => id)).toEqual(some);
      expect(new Set(found.map((event) => String(event.changed)))).toEqual(
        new Set([String(changed)]),
      );
      // Two messages of an endpoint that has never answered are in flight since the first event.
      expect(queue.messages.length).toBeLessThanOrEqual(2);
      // Links that need no change get no second event.
      const rest = action.action === 'set_end' ? [] : await act({ ...action, ids });
      expect(rest.map(({ id }) => id)).toEqual(action.action === 'set_end' ? [] : ids.slice(20));
    }
    expect((await act({ action: 'unarchive', ids: [ids[0]] }))[0]).toMatchObject({
      archived: false,
      favorite: true,
      tags: ['c'],
    });
    await env.DB.prepare('UPDATE links SET expires_at = 1 WHERE id = ?1')
      .bind(await numberOf(ids[0]))
      .run();
    const [renewed] = await act({ action: 'set_end', expiresAt: null, ids: [ids[0]] });
    expect([renewed?.status, renewed?.changed]).toEqual(['active', ['status', 'expiresAt']]);
  });

  it('a webhook with a tag gets the events of its links, and one when they lose it', async () => {
    const { person, endpoint, events } = await subscriber();
    await ask(person, 'POST', '/api/tags', { name: 'Vip' });
    const filter = await ask(person, 'PATCH', `/api/webhooks/${endpoint.id}`, { tag: 'vip' });
    expect(await filter.json()).toMatchObject({ tag: 'Vip' });
    const [other, code] = [await shorten(person), await shorten(person)];
    await ask(person, 'PATCH', `/api/links/${other}`, { tags: ['else'] });
    expect(await events()).toEqual([]);
    const act = (action: string, tags: string[] = ['vip']) =>
      ask(person, 'POST', '/api/links/actions', { codes: [code, other], action, tags });
    await ask(person, 'PATCH', `/api/links/${code}`, { tags: ['vip', 'else'] });
    await ask(person, 'PATCH', `/api/links/${code}`, { title: 'x' });
    await ask(person, 'PATCH', `/api/links/${code}`, { tags: [] });
    await ask(person, 'PATCH', `/api/links/${code}`, { tags: ['else'] });
    await ask(person, 'PATCH', `/api/links/${code}`, { tags: [] });
    expect((await events()).map((event) => [event.code, event.tags])).toEqual([
      [code, ['else', 'Vip']],
      [code, ['else', 'Vip']],
      [code, []],
    ]);
    await act('add_tags');
    await act('remove_tags');
    await act('add_tags', ['else']);
    expect((await events()).map((event) => [event.code, event.tags])).toEqual([
      [other, ['else', 'Vip']],
      [code, ['Vip']],
      [other, ['else']],
      [code, []],
    ]);
    // Clicks have the filter, too.
    await ask(person, 'PATCH', `/api/links/${code}`, { tags: ['vip'] });
    const rows = await env.DB.prepare('SELECT id, code FROM links WHERE user_id = ?1')
      .bind(person.id)
      .all<{ id: number; code: string }>();
    const clicks = rows.results.map(({ id }) => makeClick(id, { t: Date.now() }));
    await recordClicks(env.DB, [makeWindow(clicks)], Date.now());
    const clicked = (await deliveriesOf(endpoint)).filter(({ type }) => type === 'link.clicked');
    expect(clicked.map(({ data }) => JSON.parse(data).code)).toEqual([code]);
  });

  it('a tag filter follows its tag, and unknown tags are rejected', async () => {
    const { person, endpoint, events } = await subscriber();
    const tagOf = async (name: string) =>
      (await (await ask(person, 'POST', '/api/tags', { name })).json<{ id: number }>()).id;
    const [vip, top] = [await tagOf('vip'), await tagOf('top')];
    const path = `/api/webhooks/${endpoint.id}`;
    expect((await ask(person, 'PATCH', path, { tag: 'nobody' })).status).toBe(404);
    await ask(person, 'PATCH', path, { tag: 'vip' });
    await ask(person, 'PATCH', `/api/tags/${vip}`, { name: 'Gold' });
    const stored = () =>
      env.DB.prepare('SELECT tag FROM webhook_endpoints WHERE id = ?1')
        .bind(endpoint.id)
        .first<string>('tag');
    expect(await stored()).toBe('Gold');
    await ask(person, 'POST', `/api/tags/${vip}/merge`, { into: top });
    expect(await stored()).toBe('top');
    await ask(person, 'DELETE', `/api/tags/${top}`);
    // A filter without its tag is no filter for all links.
    const code = await shorten(person);
    await ask(person, 'PATCH', `/api/links/${code}`, { title: 'x' });
    expect([await stored(), await events()]).toEqual(['top', []]);
    expect((await ask(person, 'PATCH', path, { tag: 'top', enabled: true })).status).toBe(200);
  });

  it('events name the earlier codes of a link that was renamed', async () => {
    const { person, events } = await subscriber();
    const code = await shorten(person);
    await ask(person, 'PATCH', `/api/links/${code}`, { customCode: `${code}-2` });
    expect((await events()).at(-1)).toMatchObject({
      type: 'link.updated',
      code: `${code}-2`,
      earlierCodes: [code],
    });
  });

  it('[T53] events of a key with a code prefix have no external id', async () => {
    const { person, events, endpoint } = await subscriber();
    const [all, limited] = [
      await makeKey({ person }),
      await makeKey({ person, codePrefix: 'ev-' }),
    ];
    for (const key of [all, limited])
      await send(key, 'POST /links', { json: { url: URL_A, externalId: 'order-1' } }, queue);
    const made = await events();
    expect(made.map(({ externalId }) => externalId)).toEqual(['order-1', null]);
    const ids = await Promise.all(made.map(({ id }) => numberOf(id)));
    const clicks = ids.map((id) => makeClick(id, { t: Date.now() }));
    await recordClicks(env.DB, [makeWindow(clicks)], Date.now());
    const rows = (await deliveriesOf(endpoint)).filter(({ type }) => type === 'link.clicked');
    const reader = await makeReader();
    const bodies = rows.map((row) => JSON.parse(eventBody(row, reader)).data);
    expect(new Map(bodies.map(({ linkId, externalId }) => [linkId, externalId]))).toEqual(
      new Map(made.map(({ id, externalId }) => [id, externalId])),
    );
  });

  it('clicks are recorded for enabled webhooks that want them, and for no other', async () => {
    const { person, endpoint } = await subscriber();
    const [others, stopped] = [
      await makeEndpoint(person, { events: ['link.created'] }),
      await makeEndpoint(person),
    ];
    await ask(person, 'PATCH', `/api/webhooks/${stopped.id}`, { enabled: false });
    await shorten(person);
    const t = Date.now();
    const [created] = await deliveriesOf(endpoint);
    await recordClicks(env.DB, [makeWindow([makeClick(created?.link_id ?? 0, { t })])], t);
    const typesOf = async (one: { id: string }) =>
      (await deliveriesOf(one)).map(({ type }) => type);
    expect(await typesOf(endpoint)).toEqual(['link.created', 'link.clicked']);
    expect(await typesOf(others)).toEqual(['link.created']);
    expect(await typesOf(stopped)).toEqual([]);
  });

  it('no event is recorded for other accounts and events, or for a failed change', async () => {
    const { person, endpoint, types } = await subscriber('free');
    const code = await shorten(await makePerson());
    expect((await ask(person, 'PATCH', `/api/links/${code}`, { enabled: false })).status).toBe(404);
    expect(
      (await ask(person, 'POST', '/api/shorten', { longUrl: URL_A, customCode: code })).status,
    ).toBe(409);
    expect(await types()).toEqual([]);
    await ask(person, 'PATCH', `/api/webhooks/${endpoint.id}`, { events: ['link.deleted'] });
    const own = await shorten(person);
    expect(await types()).toEqual([]);
    await ask(person, 'DELETE', `/api/links/${own}`);
    expect(await types()).toEqual(['link.deleted']);
    await ask(person, 'PATCH', `/api/webhooks/${endpoint.id}`, {
      enabled: false,
      events: ['link.created'],
    });
    await shorten(person);
    expect(await types()).toEqual([]);
  });

  it('events reach the queue once after the request, and again if a message is lost', async () => {
    const { person, endpoint } = await subscriber();
    queue.messages.length = 0;
    await shorten(person);
    const [row] = await deliveriesOf(endpoint);
    expect(queue.messages).toEqual([{ v: 1, id: row?.id, attempt: 0 }]);
    const now = Date.now();
    const again = () => queue.messages.splice(0).filter(({ id }) => id === row?.id);
    again();
    await dispatchWebhooks({ ...env, ...queue }, now + 4 * 60_000);
    expect(again()).toEqual([]);
    await dispatchWebhooks({ ...env, ...queue }, now + 6 * 60_000);
    expect(again()).toEqual([{ v: 1, id: row?.id, attempt: 0 }]);
  });
});
