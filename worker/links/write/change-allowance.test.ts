import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHANGES_PER_MINUTE } from '#contract/limits.ts';
import type { LinkActionResponse } from '#contract/links/link-actions.ts';
import { PLANS } from '#contract/site.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { WebhooksResponse } from '#contract/webhooks/webhooks.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { aroundKv } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { deliveriesOf, heldQueue, makeEndpoint } from '#worker/testing/webhooks.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';
import { openDb } from '#worker/db/client.ts';
import { chargeDay } from './change-allowance.ts';
import { changeLink } from './change-link.ts';

const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
let puts = 0;
const LINKS = aroundKv(env.LINKS, (name, run) => {
  if (name === 'kv.put') puts += 1;
  return run();
});
const queue = heldQueue();

// A clock that only moves by a millisecond with each request: what is counted depends on nothing
// else.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  puts = 0;
  queue.messages.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function ask(person: Person, method: string, path: string, json: unknown = {}): Promise<Response> {
  vi.setSystemTime(Date.now() + 1);
  return call(path, { method, json, headers: person.headers }, { LINKS, ...queue });
}
async function shorten(person: Person): Promise<string> {
  const made = await ask(person, 'POST', '/api/shorten', { longUrl: 'https://example.com/x' });
  expect(made.status).toBe(201);
  return (await made.json<{ code: string }>()).code;
}
const act = (person: Person, action: string, codes: readonly string[], more: object = {}) =>
  ask(person, 'POST', '/api/links/actions', { action, codes, ...more });
const rename = (person: Person, code: string, customCode: string) =>
  ask(person, 'PATCH', `/api/links/${code}`, { customCode });
const newCode = () => `c-${crypto.randomUUID().slice(0, 13)}`;

const keyOf = ({ id }: Person, name: string) =>
  `account:${id}:${name}:${Math.floor(START / DAY_MS)}`;
const use = (person: Person, name: string, count: number) =>
  env.DB.prepare(
    'INSERT INTO counters (key, count, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET count = ?2',
  )
    .bind(keyOf(person, name), count, START + DAY_MS)
    .run();
const countOf = (person: Person, name: string) =>
  env.DB.prepare('SELECT count FROM counters WHERE key = ?1')
    .bind(keyOf(person, name))
    .first<number>('count');
const linkOf = (code: string) =>
  env.DB.prepare('SELECT version, status, title, archived FROM links WHERE code = ?1')
    .bind(code)
    .first();

describe('one account that changes its links as fast as it can', () => {
  it('[T54] an account writes as much as its plan allows, to D1, KV and the queue', async () => {
    const person = await makePerson();
    const endpoints = [
      await makeEndpoint(person),
      await makeEndpoint(person, { url: 'https://other.example/hop' }),
    ];
    const codes: string[] = [];
    for (let i = 0; i < 4; i += 1) codes.push(await shorten(person));
    const statuses: number[] = [];
    for (const [at, code] of codes.entries())
      for (let i = 0; i < 5; i += 1) {
        const next = newCode();
        const { status } = await rename(person, codes[at] ?? code, next);
        if (status === 200) codes[at] = next;
        statuses.push(status);
      }
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(429)]);
    const actions = async (requests: number) => {
      for (let i = 0; i < requests; i += 1)
        await act(person, i % 2 === 0 ? 'disable' : 'enable', codes);
    };
    const written = async () => {
      const one = (sql: string) => env.DB.prepare(sql).bind(person.id).first<number>('n');
      const rows = (await Promise.all(endpoints.map(deliveriesOf))).flat();
      return {
        codes: await one(`SELECT count(*) AS n FROM links WHERE user_id = ?1
          OR earlier_code_of IN (SELECT id FROM links WHERE user_id = ?1)`),
        changes: await one('SELECT sum(version - 1) AS n FROM links WHERE user_id = ?1'),
        counted: await countOf(person, 'link-changes'),
        puts,
        deliveries: rows.length,
        messages: queue.messages.length,
      };
    };
    // Of a link, 30 changes within a minute, and one more that stops it; two of the links have six
    // codes.
    await actions(32);
    const changes = 10 + 25 * 4 + 6 * 2;
    expect(await written()).toEqual({
      codes: 14,
      changes,
      counted: 402,
      puts: 4 + 402,
      deliveries: 2 * (4 + changes),
      messages: 4,
    });
    // A minute later, as if other links had changed meanwhile, the changes of the day end the same,
    // and its deliveries.
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await use(person, 'link-changes', 904);
    await use(person, 'webhook-events', PLANS.free.webhookDeliveries - 30);
    await actions(8);
    // An action changes 14 codes of 4 links. The 7th would be the first to exceed 1,000.
    expect(await written()).toEqual({
      codes: 14,
      changes: changes + 6 * 4,
      counted: 904 + 6 * 14,
      puts: 4 + 402 + 6 * 14,
      deliveries: 2 * (4 + changes) + 30,
      messages: 4,
    });
    const { notSent } = await (
      await call('/api/webhooks', { headers: person.headers })
    ).json<WebhooksResponse>();
    expect(notSent).toBe(2 * 6 * 4 - 30);
    expect((await act(person, 'delete', codes)).status).toBe(200);
    expect((await linkOf(codes[0] ?? ''))?.['status']).toBe('deleted');
  });
});

describe('the changes of a day', () => {
  const FULL =
    'Your plan includes 1,000 changes of links a day, where a link counts once for each of its codes.';

  it('[T54] used-up changes of a day change nothing more, and the error says when they reset', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    await use(person, 'link-changes', PLANS.free.linkChanges);
    const tries: [string, () => Promise<Response>][] = [
      [
        'target',
        () => ask(person, 'PATCH', `/api/links/${code}`, { longUrl: 'https://example.com/y' }),
      ],
      [
        'target and title',
        () =>
          ask(person, 'PATCH', `/api/links/${code}`, {
            longUrl: 'https://example.com/y',
            title: 'x',
          }),
      ],
      ['title', () => ask(person, 'PATCH', `/api/links/${code}`, { title: 'x' })],
      ['code', () => rename(person, code, newCode())],
      ['archive', () => act(person, 'archive', [code])],
      ['tag', () => act(person, 'add_tags', [code], { tags: ['t'] })],
      ['end', () => act(person, 'set_end', [code], { expiresAt: START + DAY_MS })],
    ];
    const before = await linkOf(code);
    for (const [name, change] of tries) {
      const response = await change();
      expect(response.status, name).toBe(429);
      expect(response.headers.get('Retry-After'), name).toBe('43200');
      const body = await response.json<{ error: string; upgradeRequired: boolean }>();
      expect(body.error, name).toBe(
        `${FULL} 0 changes are left until midnight UTC, and this needs ${name === 'code' ? 2 : 1}.`,
      );
      expect(body.upgradeRequired, name).toBe(true);
    }
    expect(await linkOf(code)).toEqual(before);
    expect(await countOf(person, 'link-changes')).toBe(PLANS.free.linkChanges);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM link_tags').first('n')).toBe(0);
  });

  it('[T54] a used-up day never keeps a member from stopping a link', async () => {
    const person = await makePerson();
    const codes = [await shorten(person), await shorten(person), await shorten(person)];
    await use(person, 'link-changes', PLANS.free.linkChanges);
    const [first = '', second = '', third = ''] = codes;
    expect((await ask(person, 'PATCH', `/api/links/${first}`, { enabled: false })).status).toBe(
      200,
    );
    // Stopped already: that would be a change which can be repeated.
    expect((await ask(person, 'PATCH', `/api/links/${first}`, { enabled: false })).status).toBe(
      429,
    );
    expect((await ask(person, 'DELETE', `/api/links/${second}`)).status).toBe(200);
    expect((await act(person, 'disable', [third])).status).toBe(200);
    expect(await Promise.all(codes.map(async (code) => (await linkOf(code))?.['status']))).toEqual([
      'disabled',
      'deleted',
      'disabled',
    ]);
    expect((await act(person, 'restore', [second])).status).toBe(429);
    expect((await act(person, 'enable', [first])).status).toBe(429);
  });

  it('[T54] a stop does not exempt what is changed along with it from the day’s limit', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    await use(person, 'renames', PLANS.free.renames);
    const stop = (more: object) =>
      ask(person, 'PATCH', `/api/links/${code}`, { enabled: false, ...more });
    expect((await stop({ customCode: newCode() })).status).toBe(429);
    await use(person, 'link-changes', PLANS.free.linkChanges);
    expect((await stop({ longUrl: 'https://example.com/other' })).status).toBe(429);
    expect((await stop({ expiresAt: START + DAY_MS })).status).toBe(429);
    expect((await stop({ forwardParams: 'all' })).status).toBe(429);
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1')
      .bind(code)
      .first<number>('id');
    const json = { enabled: false, externalId: 'stopped' };
    const key = await makeKey({ person });
    expect((await send(key, `PATCH /links/${await publicIdOf(id ?? 0)}`, { json })).status).toBe(
      429,
    );
    expect((await stop({ longUrl: 'https://example.com/x' })).status).toBe(200);
  });

  it('[T54] the last change of a day is too little for a link with two codes', async () => {
    const person = await makePerson();
    const [single, old] = [await shorten(person), await shorten(person)];
    const double = newCode();
    expect((await rename(person, old, double)).status).toBe(200);
    await use(person, 'link-changes', PLANS.free.linkChanges - 1);
    const end = (codes: readonly string[]) =>
      act(person, 'set_end', codes, { expiresAt: START + DAY_MS });
    for (const codes of [[double], [single, double]]) expect((await end(codes)).status).toBe(429);
    const longUrl = 'https://example.com/other';
    expect((await ask(person, 'PATCH', `/api/links/${double}`, { longUrl })).status).toBe(429);
    expect((await end([single])).status).toBe(200);
    const expiry = env.DB.prepare('SELECT expires_at FROM counters WHERE key = ?1');
    const other = await makePerson();
    await ask(other, 'PATCH', `/api/links/${await shorten(other)}`, { longUrl });
    expect(await expiry.bind(keyOf(other, 'link-changes')).first('expires_at')).toBe(
      START + DAY_MS / 2,
    );
  });

  it('[T54] a member with used-up renames can still change a destination', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    await use(person, 'renames', PLANS.premium.renames);
    const changed = await ask(person, 'PATCH', `/api/links/${code}`, {
      longUrl: 'https://example.com/other',
    });
    expect(changed.status).toBe(200);
  });

  it('[T54] all keys of an account and its session share the changes of a day', async () => {
    const person = await makePerson();
    const keys = [await makeKey({ person }), await makeKey({ person })];
    const code = await shorten(person);
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1')
      .bind(code)
      .first<number>('id');
    await use(person, 'link-changes', PLANS.free.linkChanges - 1);
    const link = await publicIdOf(id ?? 0);
    const patch = (key: KeyHolder, url: string) =>
      send(key, `PATCH /links/${link}`, { json: { url } });
    const [one, two] = keys;
    if (one === undefined || two === undefined) throw new Error('no keys');
    expect((await patch(one, 'https://example.com/1')).status).toBe(200);
    expect((await patch(two, 'https://example.com/2')).status).toBe(429);
    expect((await ask(person, 'PATCH', `/api/links/${code}`, { title: 'x' })).status).toBe(429);
  });

  it('[T54] the changes of a day are exact for requests at once', async () => {
    const person = await makePerson();
    const codes = await Promise.all([1, 2, 3, 4, 5].map(() => shorten(person)));
    await use(person, 'link-changes', PLANS.free.linkChanges - 3);
    const answers = await Promise.all(
      codes.map((code) =>
        ask(person, 'PATCH', `/api/links/${code}`, { longUrl: 'https://example.com/z' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await countOf(person, 'link-changes')).toBe(PLANS.free.linkChanges);
  });

  it('[T54] the changes of a day include new codes, but not going back to an earlier one', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    await use(person, 'renames', PLANS.free.renames - 1);
    const next = newCode();
    expect((await rename(person, code, next)).status).toBe(200);
    const refused = await rename(person, next, newCode());
    expect([refused.status, (await refused.json<{ error: string }>()).error]).toEqual([
      429,
      'Your plan includes 10 new codes for existing links a day. The count resets at midnight UTC.',
    ]);
    expect((await rename(person, next, code)).status).toBe(200);
  });
});

describe('the changes of a link', () => {
  it('[T54] the changes of a link are bounded within a minute', async () => {
    const person = await makePerson();
    const [code, other] = [await shorten(person), await shorten(person)];
    const change = (n: number) =>
      ask(person, 'PATCH', `/api/links/${code}`, { longUrl: `https://example.com/${n}` });
    for (let n = 0; n < CHANGES_PER_MINUTE; n += 1) expect((await change(n)).status).toBe(200);
    const refused = await change(99);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    expect((await refused.json<{ error: string }>()).error).toBe(
      'A link can be changed 30 times a minute. Try again in a minute.',
    );
    const { lines } = await (
      await act(person, 'set_end', [code, other], { expiresAt: null })
    ).json<LinkActionResponse>();
    expect(lines.map(({ ok }) => ok)).toEqual([false, true]);
    // Every two seconds there is room for one more.
    vi.setSystemTime(Date.now() + 2_000);
    expect((await change(100)).status).toBe(200);
    expect((await change(101)).status).toBe(429);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect((await change(102)).status).toBe(200);
  });

  it('[T54] the changes of a link are as many in one millisecond', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    const db = openDb(env.DB);
    const change = (n: number) =>
      changeLink(db, {
        actor: { userId: person.id, keyName: null },
        ref: { code },
        edit: { target: { href: `https://example.com/${n}`, host: 'example.com' } },
        reputation: null,
        now: START,
      });
    const results = [];
    for (let n = 0; n <= CHANGES_PER_MINUTE; n += 1) results.push((await change(n)).ok);
    expect(results).toEqual([...Array(CHANGES_PER_MINUTE).fill(true), false]);
  });
});

describe('chargeDay', () => {
  it.each([
    [{ used: 999, limit: 1000 }, 1, null],
    [{ used: 1000, limit: 1000 }, 0, null],
    [undefined, 1, null],
    [{ used: 1000, limit: 1000 }, 1, { left: 0, upgradeRequired: true }],
    [{ used: 998, limit: 1000 }, 3, { left: 2, upgradeRequired: true }],
    [{ used: 1200, limit: 1000 }, 1, { left: 0, upgradeRequired: true }],
    [
      { used: PLANS.premium.linkChanges, limit: PLANS.premium.linkChanges },
      1,
      { left: 0, upgradeRequired: false },
    ],
  ])('with %j and a cost of %i returns %j', (room, cost, expected) => {
    const rooms = room === undefined ? [] : [{ kind: 'linkChanges' as const, ...room }];
    const error = chargeDay('someone', { linkChanges: cost }, START).errorOf(rooms);
    expect(error && { left: error.values?.left, upgradeRequired: error.upgradeRequired }).toEqual(
      expected,
    );
  });

  it('used-up renames are named before used-up changes', async () => {
    const person = await makePerson();
    const code = await shorten(person);
    await use(person, 'renames', PLANS.free.renames);
    await use(person, 'link-changes', PLANS.free.linkChanges);
    const refused = await rename(person, code, newCode());
    expect(await refused.json()).toMatchObject({ field: 'customCode', upgradeRequired: true });
  });
});
