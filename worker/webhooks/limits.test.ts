import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { PLANS } from '#contract/site.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { WebhooksResponse } from '#contract/webhooks/webhooks.ts';
import { recordClicks } from '#worker/events/record-clicks.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
  withDue,
} from '#worker/testing/webhooks.ts';

const LIMIT = PLANS.free.webhookDeliveries;
const ok = () => new Response('thanks');
const queue = heldQueue();

const counterOf = (person: Person, name: string, now = Date.now()): string =>
  `account:${person.id}:${name}:${Math.floor(now / DAY_MS)}`;
/** Sets a counter of the day, as if so much had happened already. */
const use = (person: Person, name: string, count: number, now = Date.now()) =>
  env.DB.prepare(
    'INSERT INTO counters (key, count, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET count = ?2',
  )
    .bind(counterOf(person, name, now), count, now + DAY_MS)
    .run();
const countOf = (person: Person, name: string) =>
  env.DB.prepare('SELECT count FROM counters WHERE key = ?1')
    .bind(counterOf(person, name))
    .first<number>('count');

async function shorten(person: Person): Promise<string> {
  const made = await call(
    '/api/shorten',
    { json: { longUrl: 'https://example.com/x' }, headers: person.headers },
    queue,
  );
  expect(made.status).toBe(201);
  return (await made.json<{ code: string }>()).code;
}
const list = async (person: Person) =>
  (await call('/api/webhooks', { headers: person.headers })).json<WebhooksResponse>();

describe('the deliveries of a day', () => {
  it('[T54] deliveries stop at the plan’s limit, and the owner sees how many were not sent', async () => {
    const person = await makePerson();
    const [first, second] = [
      await makeEndpoint(person),
      await makeEndpoint(person, { url: 'https://other.example/hop' }),
    ];
    const codes = [await shorten(person), await shorten(person), await shorten(person)];
    await use(person, 'webhook-events', LIMIT - 3);
    const json = { action: 'disable', codes };
    expect(
      (await call('/api/links/actions', { json, headers: person.headers }, queue)).status,
    ).toBe(200);
    const stored = [...(await deliveriesOf(first)), ...(await deliveriesOf(second))];
    const disabled = stored.filter(({ type }) => type === 'link.disabled');
    const [oldest = 0, next = 0] = (await deliveriesOf(first)).map(({ link_id }) => link_id ?? 0);
    expect(disabled.map(({ link_id }) => Number(link_id)).toSorted((a, b) => a - b)).toEqual([
      oldest,
      oldest,
      next,
    ]);
    expect(await countOf(person, 'webhook-events')).toBe(LIMIT + 3);
    expect((await list(person)).notSent).toBe(3);
    // Another account is not concerned.
    const other = await makePerson();
    const endpoint = await makeEndpoint(other);
    await shorten(other);
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
    expect((await list(other)).notSent).toBe(0);
  });

  it('[T54] the owner sees what seven days did not send, and each day has its limit', async () => {
    const person = await makePerson();
    const now = Date.now();
    for (const [daysAgo, count] of [
      [0, LIMIT + 3],
      [1, LIMIT - 5],
      [6, LIMIT + 20],
      [7, LIMIT + 100],
    ] as const)
      await use(person, 'webhook-events', count, now - daysAgo * DAY_MS);
    expect((await list(person)).notSent).toBe(23);
  });

  it('[T54] a counter of deliveries lasts seven days, one of repeated attempts a day', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    await shorten(person);
    const [event] = await deliveriesOf(endpoint);
    const fails = makeNetwork(() => new Response(null, { status: 500 })).fetcher;
    for (const attempt of [0, 1]) await deliver([{ id: event?.id ?? 0, attempt }], fails);
    const today = Math.floor(Date.now() / DAY_MS);
    const { results } = await env.DB.prepare(
      'SELECT count, expires_at FROM counters WHERE key IN (?1, ?2) ORDER BY key',
    )
      .bind(counterOf(person, 'webhook-events'), counterOf(person, 'webhook-retries'))
      .all();
    const kept = results.map(({ count, expires_at: at }) => [count, Number(at) / DAY_MS - today]);
    expect(kept).toEqual([
      [1, 7],
      [1, 1],
    ]);
  });

  it('[T54] a moderator’s batch leaves the rest of its deliveries to their owners', async () => {
    const [admin, used, fresh] = [
      await makePerson({ role: 'admin' }),
      await makePerson(),
      await makePerson(),
    ];
    const endpoints = [await makeEndpoint(used), await makeEndpoint(fresh)];
    const host = `${crypto.randomUUID()}.example`;
    for (const person of [used, fresh])
      await call(
        '/api/shorten',
        { json: { longUrl: `https://${host}/` }, headers: person.headers },
        queue,
      );
    await use(used, 'webhook-events', LIMIT);
    const json = { action: 'disable', scope: { kind: 'host', host }, reason: 'Because.' };
    expect(
      (await call('/api/admin/moderation', { json, headers: admin.headers }, queue)).status,
    ).toBe(200);
    const types = await Promise.all(
      endpoints.map(async (endpoint) => (await deliveriesOf(endpoint)).map(({ type }) => type)),
    );
    expect(types).toEqual([['link.created'], ['link.created', 'link.disabled']]);
  });

  it('[T54] the deliveries of a day include clicks, test events and deliveries sent again', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const code = await shorten(person);
    const [created] = await deliveriesOf(endpoint);
    await deliver([{ id: created?.id ?? 0, attempt: 0 }], makeNetwork(ok).fetcher);
    const link = created?.link_id ?? 0;
    await use(person, 'webhook-events', LIMIT - 1);
    const click = (at: number) =>
      recordClicks(env.DB, [makeWindow([makeClick(link, { t: at })])], at);
    await click(1_800_000_000_000);
    await use(person, 'webhook-events', LIMIT);
    // Clicks are still added to a delivery that has been counted, but no new one begins.
    await click(1_800_000_000_001);
    const clicked = (await deliveriesOf(endpoint)).filter(({ type }) => type === 'link.clicked');
    expect(clicked.map(({ data }) => JSON.parse(data).clicks)).toEqual([2]);
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL WHERE endpoint_id = ?1",
    )
      .bind(endpoint.id)
      .run();
    await click(Date.now());
    const path = `/api/webhooks/${endpoint.id}`;
    for (const again of [`${path}/test`, `${path}/deliveries/${created?.id}/replay`]) {
      const refused = await call(again, { method: 'POST', headers: person.headers });
      const { error, upgradeRequired } = await refused.json<ErrorBody>();
      expect([refused.status, error, upgradeRequired]).toEqual([
        429,
        'Your plan includes 1,000 deliveries a day. The count resets at midnight UTC.',
        true,
      ]);
      const midnight = Date.now() + Number(refused.headers.get('Retry-After')) * 1_000;
      expect(Math.round(midnight / MINUTE_MS) % (DAY_MS / MINUTE_MS)).toBe(0);
    }
    const rows = await deliveriesOf(endpoint);
    expect(rows.map(({ type, attempts }) => [type, attempts])).toEqual([
      ['link.created', 1],
      ['link.clicked', 0],
    ]);
    expect(code).not.toBe('');
  });

  it('[T54] the deliveries of a day allow as many repeated attempts', async () => {
    const { person, endpoint } = await withDue(2, { answered: true });
    const ids = (await deliveriesOf(endpoint)).map(({ id }) => id);
    await env.DB.prepare(
      'UPDATE webhook_deliveries SET type = \'link.clicked\', attempts = 1, data = \'{"code":"abc","externalId":null,"from":1,"to":2}\' WHERE endpoint_id = ?1',
    )
      .bind(endpoint.id)
      .run();
    await use(person, 'webhook-retries', LIMIT - 1);
    const other = await withDue(1, { answered: true });
    const [others] = await deliveriesOf(other.endpoint);
    await env.DB.prepare('UPDATE webhook_deliveries SET attempts = 1 WHERE id = ?1')
      .bind(others?.id)
      .run();
    const { fetcher, received } = makeNetwork(() => new Response(null, { status: 500 }));
    await deliver(
      [...ids, others?.id ?? 0].map((id) => ({ id, attempt: 1 })),
      fetcher,
    );
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ url }) => url))).toEqual(
      new Set([endpoint.url, other.endpoint.url]),
    );
    expect(
      (await deliveriesOf(endpoint)).map(({ status, error, due_at }) => [
        status,
        error,
        due_at === null,
      ]),
    ).toEqual([
      ['pending', 'The endpoint answered 500.', false],
      ['failed', 'Your plan includes 1,000 repeated attempts a day.', true],
    ]);
  });
});

describe('the Premium plan', () => {
  it('[T54] a Premium account has 10 webhooks and 20,000 deliveries a day', async () => {
    const person = await makePerson({ plan: 'premium' });
    expect((await list(person)).limits).toEqual({ endpoints: 10, deliveriesPerDay: 20_000 });
    const endpoint = await makeEndpoint(person);
    await use(person, 'webhook-events', 19_999);
    for (let i = 0; i < 2; i += 1) await shorten(person);
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
    expect((await list(person)).notSent).toBe(1);
    const path = `/api/webhooks/${endpoint.id}/test`;
    const refused = await call(path, { method: 'POST', headers: person.headers });
    const { error, upgradeRequired = false } = await refused.json<ErrorBody>();
    expect([error, upgradeRequired]).toEqual([expect.stringContaining('20,000'), false]);
  });
});

describe('a planned downgrade', () => {
  it('[T54] repeated attempts have the limit of the new plan once it takes effect', async () => {
    const { endpoint, person } = await withDue(1, { answered: true });
    const [delivery] = await deliveriesOf(endpoint);
    await env.DB.batch([
      env.DB.prepare('UPDATE webhook_deliveries SET attempts = 1 WHERE id = ?1').bind(delivery?.id),
      env.DB.prepare(
        "UPDATE subscriptions SET plan = 'premium', downgrade_at = ?1 WHERE user_id = ?2",
      ).bind(Date.now() - 1, person.id),
    ]);
    await use(person, 'webhook-retries', LIMIT);
    await deliver([{ id: delivery?.id ?? 0, attempt: 1 }], makeNetwork(ok).fetcher);
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', error: 'Your plan includes 1,000 repeated attempts a day.' },
    ]);
  });
});

describe('an endpoint that has never accepted an event', () => {
  it('[T54] an endpoint gets two repeated attempts, and nine once it has accepted one', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    let status = 500;
    const { fetcher, received } = makeNetwork(() => new Response(null, { status }));
    let now = Date.now();
    const attemptsOf = async (): Promise<number> => {
      await shorten(person);
      const id = (await deliveriesOf(endpoint)).at(-1)?.id ?? 0;
      const before = received.length;
      for (let attempt = 0; attempt < 12; attempt += 1) {
        await deliver([{ id, attempt }], fetcher, { now });
        now = (await deliveriesOf(endpoint)).at(-1)?.due_at ?? now;
      }
      return received.length - before;
    };
    expect(await attemptsOf()).toBe(3);
    status = 204;
    expect(await attemptsOf()).toBe(1);
    status = 500;
    expect(await attemptsOf()).toBe(10);
    // The answers of the former address do not count for a new one.
    const json = { url: 'https://new.example/hop', enabled: true };
    await call(`/api/webhooks/${endpoint.id}`, { method: 'PATCH', json, headers: person.headers });
    expect(await attemptsOf()).toBe(3);
  });
});

describe('deleted accounts', () => {
  it('[T34] a deleted account leaves no counter', async () => {
    const person: Person & { email: string } = await makePerson();
    await makeEndpoint(person);
    await shorten(person);
    expect(await countOf(person, 'webhook-events')).toBe(1);
    const removed = await call('/api/account', {
      method: 'DELETE',
      json: { confirm: 'delete my account', links: 'remove' },
      headers: person.headers,
    });
    expect(removed.status).toBe(200);
    expect(await countOf(person, 'webhook-events')).toBeNull();
  });
});
