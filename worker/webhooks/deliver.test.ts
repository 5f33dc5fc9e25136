import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import {
  clickedEvent,
  linkEvent,
  type CreatedWebhook,
  type Webhook,
  type WebhooksResponse,
} from '#contract/webhooks/webhooks.ts';
import { openDb } from '#worker/db/client.ts';
import worker from '#worker/index.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeClick, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import { aroundD1, throwsBefore } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
} from '#worker/testing/webhooks.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';
import { consumeWebhooks } from './consume.ts';
import { claimAttempts, storeOutcomes } from './delivery-store.ts';
import { dispatchWebhooks } from '#worker/events/dispatch.ts';
import { recordClicks } from '#worker/events/record-clicks.ts';
import { waitAfter } from './retry-schedule.ts';

const queue = heldQueue();
const ok = () => new Response('thanks');
const failsWith = (error: Error) => async () => {
  throw error;
};

/** A member with an endpoint, one event that waits for it, and the message of its first attempt. */
async function withEvent(options: Parameters<typeof makeEndpoint>[1] & { person?: Person } = {}) {
  const { person = await makePerson() } = options;
  const endpoint = await makeEndpoint(person, options);
  const event = async () => {
    const made = await call(
      '/api/shorten',
      { json: { longUrl: 'https://example.com/x' }, headers: person.headers },
      queue,
    );
    expect(made.status).toBe(201);
    const row = (await deliveriesOf(endpoint)).at(-1);
    return { id: row?.id ?? 0, attempt: 0 };
  };
  return { person, endpoint, event, message: await event() };
}
const latest = async (endpoint: { id: string }) => (await deliveriesOf(endpoint)).at(-1);
const read = async (person: Person): Promise<Webhook | undefined> =>
  (await (await call('/api/webhooks', { headers: person.headers })).json<WebhooksResponse>())
    .webhooks[0];

describe('an attempt', () => {
  it('[T44] an attempt has a Standard Webhooks signature, with both secrets in a rotation', async () => {
    const { person, endpoint, message, event } = await withEvent();
    const { fetcher, received } = makeNetwork(ok);
    await deliver([message], fetcher);
    const rotated = await call(`/api/webhooks/${endpoint.id}/rotate`, {
      json: { overlapHours: 1 },
      headers: person.headers,
    });
    const next = await rotated.json<CreatedWebhook>();
    await deliver([await event()], fetcher);
    await deliver([await event()], fetcher, { now: Date.now() + 2 * HOUR_MS });
    const accepts = (secret: string, index: number): boolean => {
      const { body = '', headers = {} } = received[index] ?? {};
      // The library compares the time with its own clock.
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
      try {
        linkEvent.parse(new Verifier(secret).verify(body, headers));
        return true;
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    expect(next.secret).not.toBe(endpoint.secret);
    expect([0, 1, 2].map((at) => [accepts(endpoint.secret, at), accepts(next.secret, at)])).toEqual(
      [
        [true, false],
        [true, true],
        [false, true],
      ],
    );
    const [first] = received;
    expect(accepts(`whsec_${btoa('another secret of somebody else')}`, 0)).toBe(false);
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Hop-Webhooks/1',
    });
    expect(await latest(endpoint)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      due_at: null,
      response_text: 'thanks',
    });
  });

  it('[T43] an attempt skips a host with a private address, and follows no redirect', async () => {
    const { endpoint, message, event } = await withEvent();
    for (const addresses of [
      ['10.0.0.7'],
      ['93.184.215.14', '169.254.169.254'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['fd00::1'],
      [],
    ]) {
      const { fetcher, received } = makeNetwork(ok, { 'hooks.example': addresses });
      await deliver([await event()], fetcher);
      expect(received, addresses.join()).toEqual([]);
      expect(await latest(endpoint)).toMatchObject({
        status: 'pending',
        attempts: 1,
        response_status: null,
        error: expect.stringContaining(addresses.length > 0 ? 'private address' : 'no address'),
      });
    }
    const inits: (RequestInit | undefined)[] = [];
    const { fetcher } = makeNetwork(
      () => new Response(null, { status: 302, headers: { Location: 'http://10.0.0.7/' } }),
    );
    await deliver([message], (url, init) => {
      inits.push(init);
      return fetcher(url, init);
    });
    expect(inits.at(-1)).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    });
    expect((await deliveriesOf(endpoint))[0]).toMatchObject({
      status: 'pending',
      error: expect.stringContaining('redirect (302)'),
    });
  });

  it('[T43] an attempt keeps the beginning of an answer, and does not wait for the rest', async () => {
    const { endpoint, message } = await withEvent();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode('no\n'.repeat(300)));
      },
    });
    await deliver([message], makeNetwork(() => new Response(endless, { status: 500 })).fetcher);
    const row = await latest(endpoint);
    expect(row).toMatchObject({ response_status: 500, error: 'The endpoint answered 500.' });
    expect(row?.response_text).toMatch(/^no no /);
    expect(row?.response_text?.length).toBe(500);
    expect(pulled).toBeLessThan(10);
  });

  it.each([
    [new DOMException('late', 'TimeoutError'), 'No answer within 10 seconds.'],
    [new DOMException('late', 'AbortError'), 'No answer within 10 seconds.'],
    [new TypeError('refused'), 'The connection failed.'],
  ])('an attempt that ends with %s says why', async (error, text) => {
    const { endpoint, message } = await withEvent();
    await deliver([message], makeNetwork(failsWith(error)).fetcher);
    expect(await latest(endpoint)).toMatchObject({ error: text, response_status: null });
  });

  it.each([
    [200, null],
    [299, null],
    [301, 'The endpoint answered with a redirect (301), which is not followed.'],
    [399, 'The endpoint answered with a redirect (399), which is not followed.'],
    [400, 'The endpoint answered 400.'],
    [410, 'The endpoint answered 410 (Gone).'],
    [503, 'The endpoint answered 503.'],
  ])('an attempt that is answered with %i ends with: %s', async (status, error) => {
    const { endpoint, message } = await withEvent();
    await deliver([message], makeNetwork(() => new Response(null, { status })).fetcher);
    expect(await latest(endpoint)).toMatchObject({ error, response_status: status });
  });

  it('a delivery is repeated for about three days, with growing waits', async () => {
    const waits = Array.from({ length: 20 }, (_, i) =>
      waitAfter(i + 1, { hasAnswered: true, random: 0.5 }),
    ).filter((wait) => wait !== null);
    const minutes = waits.map((wait) => wait / MINUTE_MS);
    expect(minutes).toEqual([1, 5, 30, 120, 300, 600, 840, 1_200, 1_320]);
    const first = (random: number) => waitAfter(1, { hasAnswered: false, random });
    expect([first(0), first(0.999)]).toEqual([
      0.8 * MINUTE_MS,
      expect.closeTo(1.2 * MINUTE_MS, -2),
    ]);
    const { person, endpoint, message: answered, event } = await withEvent();
    await deliver([answered], makeNetwork(ok).fetcher);
    const message = await event();
    const { fetcher, received } = makeNetwork(() => Promise.reject(new TypeError('no')));
    let now = Date.now();
    takeWindow();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await deliver([{ id: message.id, attempt }], fetcher, { now });
      now = (await latest(endpoint))?.due_at ?? now;
    }
    expect(received).toHaveLength(waits.length + 1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(await latest(endpoint)).toMatchObject({
      status: 'failed',
      due_at: null,
      error: 'The connection failed.',
    });
    expect((await read(person))?.failingSince).not.toBeNull();
    const attempts = takeWindow().filter(({ name }) => name === 'hop.webhooks');
    expect(attempts.map(({ values }) => values)).toEqual([['repeated'], ['failed']]);
  });

  it('an endpoint that answers 410 or fails for days is disabled, and its owner told', async () => {
    for (const [days, by, ...statuses] of [
      [0, 'gone', 410],
      [6, 'failing', 500, 500],
      [6, 'gone', 500, 410],
    ] as const) {
      const { person, endpoint, message, event } = await withEvent();
      const network = makeNetwork(() => {
        return new Response(null, { status: statuses[network.received.length - 1] ?? 200 });
      });
      const now = Date.now();
      let stopped = await deliver([message], network.fetcher, { now });
      const later = { now: now + days * DAY_MS };
      if (days > 0) {
        expect([stopped, (await read(person))?.disabled]).toEqual([[], null]);
        stopped = await deliver([await event()], network.fetcher, later);
      }
      expect(stopped).toEqual([{ email: person.email, url: endpoint.url, by }]);
      expect((await read(person))?.disabled).toMatchObject({ by });
      await deliver([{ id: message.id, attempt: 1 }], network.fetcher, later);
      expect(network.received).toHaveLength(statuses.length);
      const change = { method: 'PATCH', json: { enabled: true }, headers: person.headers };
      const enabled = await call(`/api/webhooks/${endpoint.id}`, change);
      expect(await enabled.json()).toMatchObject({ disabled: null, failingSince: null });
    }
  });

  it('disables an endpoint that has failed for exactly five days, and none before', async () => {
    const { person, endpoint, message, event } = await withEvent();
    const { fetcher } = makeNetwork(() => new Response(null, { status: 500 }));
    const now = Date.now();
    await deliver([message], fetcher, { now });
    await deliver([await event()], fetcher, { now: now + 5 * DAY_MS - 1 });
    const failingSince = new Date(now).toISOString();
    expect(await read(person)).toMatchObject({ disabled: null, failingSince });
    const last = await deliver([await event()], fetcher, { now: now + 5 * DAY_MS });
    expect(last).toEqual([{ email: person.email, url: endpoint.url, by: 'failing' }]);
    expect(await latest(endpoint)).toMatchObject({ status: 'failed', due_at: null });
    expect(await read(person)).toMatchObject({ failingSince });
  });

  it('disables an endpoint once, and never for an answer of its former address', async () => {
    const { person, endpoint, message, event } = await withEvent();
    const gone = makeNetwork(() => new Response(null, { status: 410 })).fetcher;
    const stopped = await deliver([message, await event()], gone);
    expect(stopped).toEqual([{ email: person.email, url: endpoint.url, by: 'gone' }]);
    const change = (json: object) =>
      call(`/api/webhooks/${endpoint.id}`, { method: 'PATCH', json, headers: person.headers });
    await change({ enabled: true });
    const moved = makeNetwork(async () => {
      await change({ url: 'https://moved.example/hop' });
      return new Response(null, { status: 410 });
    }).fetcher;
    expect(await deliver([await event()], moved)).toEqual([]);
    expect(await read(person)).toMatchObject({ disabled: null, failingSince: null });
  });

  it('a delivery is made once, however often the queue delivers its message', async () => {
    const { endpoint, message } = await withEvent();
    const { fetcher, received } = makeNetwork(ok);
    await Promise.all([deliver([message, message], fetcher), deliver([message], fetcher)]);
    await deliver([message], fetcher);
    expect(received).toHaveLength(1);
    expect(await latest(endpoint)).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe('storeOutcomes', () => {
  it.each([
    [
      'that a later one has overtaken',
      'attempts = attempts + 1',
      { status: 'pending', attempts: 2 },
    ],
    ['whose delivery has ended', "status = 'delivered'", { status: 'delivered', attempts: 1 }],
  ])('changes nothing for an attempt %s', async (_, change, after) => {
    const { endpoint, message } = await withEvent();
    const db = openDb(env.DB);
    const now = Date.now();
    const [first] = await claimAttempts(db, [message], now);
    if (first === undefined) throw new Error('The attempt was not claimed.');
    await db.run(sql`update webhook_deliveries set ${sql.raw(change)} where id = ${message.id}`);
    const late = {
      delivery: first,
      status: 'failed',
      response: null,
      durationMs: 5,
      error: 'timeout',
      dueAt: null,
      disables: null,
    } as const;
    expect(await storeOutcomes(db, [late], now)).toEqual([]);
    expect(await latest(endpoint)).toMatchObject({ ...after, error: null });
  });

  it('keeps when an endpoint first accepted an event, and since when it fails', async () => {
    const { endpoint, message, event } = await withEvent();
    const state = () =>
      env.DB.prepare('SELECT answered_at, failing_since FROM webhook_endpoints WHERE id = ?1')
        .bind(endpoint.id)
        .first();
    const now = Date.now();
    const fails = makeNetwork(() => new Response(null, { status: 500 })).fetcher;
    await deliver([message], makeNetwork(ok).fetcher, { now });
    await deliver([await event()], fails, { now: now + 1 });
    await deliver([await event()], fails, { now: now + 2 });
    expect(await state()).toEqual({ answered_at: now, failing_since: now + 1 });
    await deliver([await event()], makeNetwork(ok).fetcher, { now: now + 3 });
    expect(await state()).toEqual({ answered_at: now, failing_since: null });
  });
});

describe('consumeWebhooks', () => {
  const batchOf = (bodies: unknown[]) =>
    createMessageBatch(
      'hop-webhooks',
      bodies.map((body, i) => ({ id: `m${i}`, timestamp: new Date(), attempts: 1, body })),
    );

  it('acknowledges what it has read, and asks for everything again while D1 is down', async () => {
    const { endpoint, message } = await withEvent();
    const { fetcher, received } = makeNetwork(ok);
    const ctx = createExecutionContext();
    const down = batchOf([{ v: 1, ...message }]);
    const retryAll = vi.spyOn(down, 'retryAll');
    await consumeWebhooks(down, { ...env, DB: aroundD1(env.DB, throwsBefore('D1 failed')) }, ctx, {
      fetcher,
    });
    expect(await getQueueResult(down, ctx)).toMatchObject({ retryBatch: { retry: true } });
    expect(retryAll).toHaveBeenCalledWith({ delaySeconds: 30 });
    const batch = batchOf([{ v: 1, ...message }, { v: 9 }, 'nonsense']);
    await consumeWebhooks(batch, env, ctx, { fetcher });
    expect(await getQueueResult(batch, ctx)).toMatchObject({
      ackAll: true,
      retryBatch: { retry: false },
    });
    expect(received).toHaveLength(1);
    expect(await latest(endpoint)).toMatchObject({ status: 'delivered' });
  });

  it('mails the owner of every disabled endpoint, also while the queue fails', async () => {
    const all = [await withEvent(), await withEvent()];
    // The second event of an endpoint waits, so that there is something to dispatch.
    const { event } = await withEvent();
    await event();
    await env.DB.prepare(
      'UPDATE webhook_deliveries SET due_at = 1, queued_until = NULL WHERE due_at IS NOT NULL',
    ).run();
    const { fetcher } = makeNetwork(() => new Response(null, { status: 410 }));
    const ctx = createExecutionContext();
    const batch = batchOf(all.map(({ message }) => ({ v: 1, ...message })));
    const sendBatch = vi.fn(() => Promise.reject(new Error('The queue is down')));
    const WEBHOOKS = withMethods(env.WEBHOOKS, { sendBatch });
    await consumeWebhooks(batch, { ...env, ...EMBEDDED, WEBHOOKS }, ctx, { fetcher });
    expect(sendBatch).toHaveBeenCalledOnce();
    expect(await getQueueResult(batch, ctx)).toMatchObject({ ackAll: true });
    const subject = 'We disabled a webhook of your Hop account';
    const [text, link] = [expect.stringContaining('410 (Gone)'), `${ORIGIN}/settings/webhooks`];
    for (const { person } of all)
      expect(await mailsTo(person.email)).toMatchObject([{ subject, text, link }]);
  });
});

describe('the queue of webhooks', () => {
  it('the queue of webhooks is recognized in every environment', async () => {
    const ctx = createExecutionContext();
    const batch = createMessageBatch('hop-production-webhooks', [
      { id: 'm', timestamp: new Date(), attempts: 1, body: 'nonsense' },
    ]);
    await worker.queue(batch, env, ctx);
    expect(await getQueueResult(batch, ctx)).toMatchObject({ ackAll: true });
    // The consumer of clicks would have kept the message.
    expect(await env.DB.prepare('SELECT count(*) AS n FROM click_faults').first('n')).toBe(0);
  });
});

describe('link.clicked', () => {
  it('adds up the clicks of people on links whose owner wants them, each window once', async () => {
    const { person, endpoint } = await withEvent({ events: ['link.created', 'link.clicked'] });
    const linkId = (await latest(endpoint))?.link_id ?? 0;
    const other = await call('/api/shorten', {
      json: { longUrl: 'https://example.com/' },
      headers: (await makePerson()).headers,
    });
    expect(other.status).toBe(201);
    const start = 1_800_000_000_000;
    const click = (l: number, t: number, more: Parameters<typeof makeClick>[1] = {}) =>
      makeClick(l, { t, k: 'visitor', ...more });
    const first = makeWindow([
      click(linkId, start),
      click(linkId, start + 5),
      click(linkId, start + 6, { p: 1 }),
      click(linkId + 1, start),
    ]);
    const second = makeWindow([click(linkId, start + 9), click(linkId, start + 7, { ua: UA_BOT })]);
    const late = makeWindow([click(linkId, start - 40)]);
    await recordClicks(env.DB, [first, first], start);
    await recordClicks(env.DB, [first, second], start + 1_000);
    await recordClicks(env.DB, [late], start + 2_000);
    const rows = (await deliveriesOf(endpoint)).filter(({ type }) => type === 'link.clicked');
    expect(rows).toHaveLength(1);
    queue.messages.length = 0;
    await dispatchWebhooks({ ...env, ...queue }, start + 2 * MINUTE_MS);
    const { fetcher, received } = makeNetwork(ok);
    const due = queue.messages.filter(({ id }) => id === rows[0]?.id);
    await deliver(due, fetcher, { now: start });
    const { data, sequence } = clickedEvent.parse(JSON.parse(received[0]?.body ?? ''));
    expect({ ...data, sequence }).toEqual({
      sequence: 1,
      linkId: await publicIdOf(linkId),
      code: expect.any(String),
      shortUrl: `https://hop.example/${data.code}`,
      externalId: null,
      clicks: 4,
      from: new Date(start - 40).toISOString(),
      to: new Date(start + 9).toISOString(),
    });
    // Later clicks do not put off their event.
    expect(rows[0]?.due_at).toBe(start + MINUTE_MS);
    // Clicks from now on go into the next event.
    await recordClicks(env.DB, [makeWindow([click(linkId, start + 70_000)])], start + 70_000);
    const sent = await deliveriesOf(endpoint);
    expect(sent.filter(({ type }) => type === 'link.clicked')).toHaveLength(2);
    await call(`/api/webhooks/${endpoint.id}`, { method: 'DELETE', headers: person.headers });
    expect(await deliveriesOf(endpoint)).toEqual([]);
  });
});
