import { createExecutionContext, createMessageBatch, env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { PLANS } from '#contract/site.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { WebhooksResponse } from '#contract/webhooks.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
} from '#worker/testing/webhooks.ts';
import { consumeWebhooks } from './consume.ts';
import { dispatchWebhooks, runWebhookDispatch } from '#worker/events/dispatch.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { recordClicks } from '#worker/events/record-clicks.ts';

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

/** A member whose endpoint has so many deliveries that are due. */
async function withDue(count: number, options: { url?: string; answered?: boolean } = {}) {
  const person = await makePerson();
  const endpoint = await makeEndpoint(person, {
    url: options.url ?? `https://${crypto.randomUUID()}.example/hop`,
  });
  const due = Date.now() - HOUR_MS;
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, due_at, created_at)
     SELECT ?1, 'm' || value, 'webhook.test', 1, '{}', 'pending', ?2, ?2 FROM json_each(?3)`,
  )
    .bind(endpoint.id, due, JSON.stringify(Array.from({ length: count }, (_, i) => i)))
    .run();
  if (options.answered === true)
    await env.DB.prepare('UPDATE webhook_endpoints SET answered_at = 1 WHERE id = ?1')
      .bind(endpoint.id)
      .run();
  return { person, endpoint };
}

/** How many messages the queue gets for each endpoint, by one dispatch at `now`. */
async function dispatch(now = Date.now()): Promise<Map<string, number[]>> {
  queue.messages.length = 0;
  await dispatchWebhooks({ ...env, ...queue }, now);
  const ids = queue.messages.map(({ id }) => id);
  const { results } = await env.DB.prepare(
    'SELECT id, endpoint_id FROM webhook_deliveries WHERE id IN (SELECT value FROM json_each(?1))',
  )
    .bind(JSON.stringify(ids))
    .all<{ id: number; endpoint_id: string }>();
  const byEndpoint = Map.groupBy(results, ({ endpoint_id }) => endpoint_id);
  return new Map([...byEndpoint].map(([endpoint, rows]) => [endpoint, rows.map(({ id }) => id)]));
}

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
    expect(disabled.map(({ link_id }) => link_id).toSorted()).toEqual([oldest, oldest, next]);
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
      'SELECT key, expires_at FROM counters WHERE key IN (?1, ?2) ORDER BY key',
    )
      .bind(counterOf(person, 'webhook-events'), counterOf(person, 'webhook-retries'))
      .all();
    expect(results.map(({ expires_at: at }) => Number(at) / DAY_MS - today)).toEqual([7, 1]);
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
    // Clicks are still added to a delivery that has been counted; none begins.
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
      'UPDATE webhook_deliveries SET type = \'link.clicked\', attempts = 1, data = \'{"externalId":null,"from":1,"to":2}\' WHERE endpoint_id = ?1',
    )
      .bind(endpoint.id)
      .run();
    await use(person, 'webhook-retries', LIMIT - 1);
    const { fetcher, received } = makeNetwork(() => new Response(null, { status: 500 }));
    await deliver(
      ids.map((id) => ({ id, attempt: 1 })),
      fetcher,
    );
    expect(received).toHaveLength(1);
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
    // What the former address has answered says nothing about a new one.
    const json = { url: 'https://new.example/hop', enabled: true };
    await call(`/api/webhooks/${endpoint.id}`, { method: 'PATCH', json, headers: person.headers });
    expect(await attemptsOf()).toBe(3);
  });
});

describe('the queue of webhooks', () => {
  it('[T54] the queue holds few messages of an endpoint and of an account', async () => {
    const unanswered = await withDue(40);
    const well = await withDue(40, { answered: true });
    const late = await withDue(1);
    const sent = await dispatch();
    expect([unanswered, well, late].map(({ endpoint }) => sent.get(endpoint.id)?.length)).toEqual([
      2, 10, 1,
    ]);
    expect((await dispatch()).size).toBe(0);
    // An outcome makes room for the next one.
    const [id = 0] = sent.get(well.endpoint.id) ?? [];
    await deliver([{ id, attempt: 0 }], makeNetwork(ok).fetcher);
    const next = await dispatch();
    expect([...next].map(([endpoint, ids]) => [endpoint, ids.length])).toEqual([
      [well.endpoint.id, 1],
    ]);
    // A message that was lost makes room when its lease ends.
    expect((await dispatch(Date.now() + HOUR_MS)).get(unanswered.endpoint.id)).toHaveLength(2);
  });

  it('[T54] the queue holds two messages of an endpoint that fails now', async () => {
    const { endpoint } = await withDue(40, { answered: true });
    await env.DB.prepare('UPDATE webhook_endpoints SET failing_since = 1 WHERE id = ?1')
      .bind(endpoint.id)
      .run();
    expect((await dispatch()).get(endpoint.id)).toHaveLength(2);
  });

  it('[T54] the queue holds few messages of an account with several endpoints', async () => {
    const { person, endpoint } = await withDue(20, { answered: true });
    const other = await makeEndpoint(person, { url: 'https://second.example/hop' });
    await env.DB.prepare(
      'UPDATE webhook_deliveries SET endpoint_id = ?1 WHERE endpoint_id = ?2 AND id % 2 = 0',
    )
      .bind(other.id, endpoint.id)
      .run();
    await env.DB.prepare('UPDATE webhook_endpoints SET answered_at = 1 WHERE id = ?1')
      .bind(other.id)
      .run();
    const sent = await dispatch();
    expect((sent.get(endpoint.id)?.length ?? 0) + (sent.get(other.id)?.length ?? 0)).toBe(10);
  });

  it('[T54] the first 100 messages have the oldest delivery of each account', async () => {
    // What other tests have left.
    await dispatch();
    const busy = await Promise.all(
      Array.from({ length: 11 }, () => withDue(10, { answered: true })),
    );
    const newest = await withDue(1);
    await env.DB.prepare('UPDATE webhook_deliveries SET due_at = ?1 WHERE endpoint_id = ?2')
      .bind(Date.now() - 1, newest.endpoint.id)
      .run();
    queue.messages.length = 0;
    await dispatchWebhooks({ ...env, ...queue }, Date.now(), (round) => round < 1);
    expect(queue.messages).toHaveLength(100);
    const sent = new Set(queue.messages.map(({ id }) => id));
    for (const { endpoint } of [...busy, newest])
      expect(sent).toContain((await deliveriesOf(endpoint))[0]?.id);
    // Further rounds of one call send the others. Here, all messages have been lost.
    queue.messages.length = 0;
    expect(await dispatchWebhooks({ ...env, ...queue }, Date.now() + HOUR_MS)).toBe(
      queue.messages.length,
    );
    expect(queue.messages.length).toBeGreaterThan(110);
  });

  it('[T54] the queue is filled without reading all that is due', async () => {
    // What other tests have left.
    await dispatch();
    const [many, few] = [await withDue(5_000, { answered: true }), await withDue(1)];
    const counted = countRowsRead(env.DB);
    queue.messages.length = 0;
    await dispatchWebhooks({ DB: counted.db, ...queue }, Date.now());
    expect(queue.messages).toHaveLength(11);
    const queuedOf = async ({ endpoint }: typeof few) =>
      (await deliveriesOf(endpoint)).filter((row) => row.queued_until !== null);
    expect([(await queuedOf(many)).length, (await queuedOf(few)).length]).toEqual([10, 1]);
    expect(counted.rowsRead()).toBeLessThan(2_000);
  });

  it('[T54] the consumer refills the queue until nothing is due', async () => {
    const { endpoint } = await withDue(25, { answered: true });
    queue.messages.length = 0;
    await dispatchWebhooks({ ...env, ...queue }, Date.now());
    const { fetcher, received } = makeNetwork(ok);
    for (let batches = 0; queue.messages.length > 0; batches += 1) {
      expect(batches).toBeLessThan(20);
      const messages = queue.messages.splice(0, 10);
      const batch = createMessageBatch(
        'hop-webhooks',
        messages.map((body, i) => ({ id: `m${i}`, timestamp: new Date(), attempts: 1, body })),
      );
      await consumeWebhooks(batch, { ...env, ...queue }, createExecutionContext(), { fetcher });
    }
    expect(received.filter(({ url }) => url === endpoint.url)).toHaveLength(25);
    expect(new Set((await deliveriesOf(endpoint)).map(({ status }) => status))).toEqual(
      new Set(['delivered']),
    );
  });

  it('[T54] a delivery is sent when it is due, and not a moment before', async () => {
    const { endpoint } = await withDue(1);
    const [row] = await deliveriesOf(endpoint);
    const due = row?.due_at ?? 0;
    expect((await dispatch(due - 1)).has(endpoint.id)).toBe(false);
    expect((await dispatch(due)).get(endpoint.id)).toEqual([row?.id]);
  });

  it('[T54] the job counts what it leaves, since the oldest was due', async () => {
    // What other tests have left.
    await dispatch();
    const due = Date.now() - HOUR_MS;
    const people = [await withDue(3), await withDue(1)];
    await env.DB.prepare('UPDATE webhook_deliveries SET due_at = ?1 WHERE endpoint_id = ?2')
      .bind(due - 5, people[1]?.endpoint.id)
      .run();
    queue.messages.length = 0;
    const noTime = { canContinue: () => false, kvWrites: () => 0 };
    expect(await runWebhookDispatch({ ...env, ...queue }, Date.now(), noTime)).toEqual({
      detail: '0 sent, 3 left',
      left: 3,
      since: due - 5,
    });
    expect(queue.messages).toEqual([]);
    expect(await runWebhookDispatch({ ...env, ...queue }, Date.now(), UNBOUNDED)).toBe('3 sent');
  });

  it('[T54] the consumer has six attempts at once, three of an account', async () => {
    const mostAtOnce = async (endpoints: { endpoint: { id: string } }[]): Promise<number> => {
      const rows = await Promise.all(endpoints.map(({ endpoint }) => deliveriesOf(endpoint)));
      let [open, most] = [0, 0];
      const { fetcher } = makeNetwork(async () => {
        open += 1;
        most = Math.max(most, open);
        await scheduler.wait(5);
        open -= 1;
        return ok();
      });
      await deliver(
        rows.flat().map(({ id }) => ({ id, attempt: 0 })),
        fetcher,
      );
      return most;
    };
    const busy = await withDue(8);
    const second = await makeEndpoint(busy.person, { url: 'https://second.example/hop' });
    await env.DB.prepare(
      'UPDATE webhook_deliveries SET endpoint_id = ?1 WHERE endpoint_id = ?2 AND id % 2 = 0',
    )
      .bind(second.id, busy.endpoint.id)
      .run();
    expect(await mostAtOnce([busy, { endpoint: second }])).toBe(3);
    expect(await mostAtOnce(await Promise.all(Array.from({ length: 9 }, () => withDue(1))))).toBe(
      6,
    );
  });

  it('[T54] an event that cannot be read does not hold up the queue', async () => {
    const [broken, well] = [await withDue(1), await withDue(1)];
    const rowOf = async ({ endpoint }: typeof well) => (await deliveriesOf(endpoint))[0];
    const messages = [await rowOf(broken), await rowOf(well)].map((row) => ({
      id: row?.id ?? 0,
      attempt: 0,
    }));
    await env.DB.prepare("UPDATE webhook_deliveries SET type = 'link.unheard_of' WHERE id = ?1")
      .bind(messages[0]?.id)
      .run();
    await deliver(messages, makeNetwork(ok).fetcher);
    expect((await rowOf(well))?.status).toBe('delivered');
    expect(await rowOf(broken)).toMatchObject({
      status: 'pending',
      attempts: 1,
      queued_until: null,
    });
  });

  it('[T54] an endpoint that hangs does not hold up the queue', async () => {
    const [hanging, second, well] = [
      await withDue(9),
      await withDue(1),
      await withDue(1, { answered: true }),
    ];
    const idsOf = async ({ endpoint }: { endpoint: { id: string } }) =>
      (await deliveriesOf(endpoint)).map(({ id }) => id);
    const ids = [...(await idsOf(hanging)), ...(await idsOf(second)), ...(await idsOf(well))];
    const answers = Promise.withResolvers<Response>();
    let open = 0;
    let most = 0;
    const { fetcher, received } = makeNetwork(async ({ url }) => {
      if (url !== hanging.endpoint.url) return ok();
      open += 1;
      most = Math.max(most, open);
      const response = await answers.promise;
      open -= 1;
      return response.clone();
    });
    const done = deliver(
      ids.map((id) => ({ id, attempt: 0 })),
      fetcher,
    );
    const urls = () => received.map(({ url }) => url);
    await vi.waitFor(() =>
      expect(urls()).toEqual(expect.arrayContaining([second.endpoint.url, well.endpoint.url])),
    );
    expect(urls().filter((url) => url === hanging.endpoint.url)).toHaveLength(2);
    answers.resolve(new Response(null, { status: 500 }));
    await done;
    expect(most).toBe(2);
    expect((await deliveriesOf(hanging.endpoint)).map(({ attempts }) => attempts)).toEqual(
      Array(9).fill(1),
    );
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
