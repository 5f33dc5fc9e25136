import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { clickedEvent, linkEvent } from '#contract/webhooks/webhooks.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { createMessageBatch } from 'cloudflare:test';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1, throwsAfter, throwsBefore, type Around } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
} from '#worker/testing/webhooks.ts';
import { dispatchWebhooks } from '#worker/events/dispatch.ts';

/** before: the call fails. after: it takes effect, and its answer is lost. */
const fault = fc.constantFrom('none', 'none', 'before', 'after');
type Fault = 'none' | 'before' | 'after';
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('change' as const), enabled: fc.boolean(), fault }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('click' as const),
      clicks: fc.integer({ min: 1, max: 4 }),
      fault,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('dispatch' as const), fault, queueFault: fault }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      from: fc.nat({ max: 20 }),
      status: fc.constantFrom(200, 500),
      fault,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, HOUR_MS),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * Fails the n-th batch of a call, n = 1: a request reads before it writes, and reads are no
 * batches.
 */
function faulty(kind: Fault, name: string): Around {
  if (kind === 'none') return (_, run) => run();
  const broken = (kind === 'before' ? throwsBefore : throwsAfter)(`D1 ${name} failed`);
  return (called, run) => (called === name ? broken(called, run) : run());
}

/**
 * Plays a history with one link, heals everything, and compares what the endpoint got with what
 * happened.
 */
async function play(steps: readonly Step[]): Promise<void> {
  const person = await makePerson();
  const endpoint = await makeEndpoint(person);
  const held = heldQueue();
  /** Every message that was ever sent: a queue may deliver any of them again. */
  const sent = held.messages;
  let now = Date.now();
  let clicks = 0;
  const windows: ReturnType<typeof makeWindow>[] = [];
  const api = (path: string, init: RequestInit & { json?: unknown }, kind: Fault) =>
    call(
      path,
      { ...init, headers: person.headers },
      { ...held, DB: aroundD1(env.DB, faulty(kind, 'd1.batch')) },
    );
  const { code } = await (
    await api('/api/shorten', { json: { longUrl: 'https://example.com/m' } }, 'none')
  ).json<{ code: string }>();
  const linkId = (await deliveriesOf(endpoint))[0]?.link_id ?? 0;
  const consume = async (window: ReturnType<typeof makeWindow>, kind: Fault) => {
    const batch = createMessageBatch('clicks', [
      { id: window.id, timestamp: new Date(), attempts: 1, body: window },
    ]);
    await consumeBatch(batch, { DB: aroundD1(env.DB, faulty(kind, 'd1.batch')) }, now);
  };
  const { fetcher, received } = makeNetwork(() => new Response(null, { status: answer }));
  let answer = 200;
  /** The bodies that the endpoint has accepted, by their id. */
  const accepted = new Map<string, string>();
  const deliverFrom = async (from: number, kind: Fault) => {
    const before = received.length;
    const messages = sent.slice(from, from + 10);
    const database = aroundD1(env.DB, faulty(kind, 'd1.batch'));
    await deliver(messages, fetcher, { now, database }).catch(() => undefined);
    if (answer === 200)
      for (const { headers, body } of received.slice(before)) {
        const id = headers['webhook-id'] ?? '';
        expect(accepted.get(id) ?? body).toBe(body);
        accepted.set(id, body);
      }
  };
  // An endpoint that has never accepted an event is given up on sooner.
  await dispatchWebhooks({ ...env, ...held }, now);
  await deliverFrom(0, 'none');
  for (const one of steps) {
    if (one.do === 'change')
      await api(
        `/api/links/${code}`,
        { method: 'PATCH', json: { enabled: one.enabled } },
        one.fault,
      );
    if (one.do === 'wait') now += one.ms;
    if (one.do === 'click') {
      const window = makeWindow(
        Array.from({ length: one.clicks }, () => makeClick(linkId, { t: now })),
      );
      windows.push(window);
      clicks += one.clicks;
      await consume(window, one.fault);
    }
    if (one.do === 'dispatch') {
      const around = faulty(one.queueFault, 'send');
      const sendBatch = (batch: Iterable<MessageSendRequest>) =>
        around('send', () => held.WEBHOOKS.sendBatch(batch));
      const faultyEnv = {
        DB: aroundD1(env.DB, faulty(one.fault, 'd1.all')),
        WEBHOOKS: withMethods(env.WEBHOOKS, { sendBatch }),
      };
      await dispatchWebhooks(faultyEnv, now).catch(() => undefined);
    }
    if (one.do === 'deliver') {
      answer = one.status;
      await deliverFrom(Math.max(0, sent.length - one.from), one.fault);
    }
  }
  answer = 200;
  // The queue delivers the windows again whose batch has failed, and so does this: at most once
  // each counts.
  for (const window of windows) await consume(window, 'none');
  for (let day = 0; day < 6; day += 1) {
    now += DAY_MS;
    for (;;) {
      const from = sent.length;
      await dispatchWebhooks({ ...env, ...held }, now);
      if (sent.length === from) break;
      for (let at = from; at < sent.length; at += 10) await deliverFrom(at, 'none');
    }
  }
  const rows = await deliveriesOf(endpoint);
  expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([]);
  expect(new Set(accepted.keys())).toEqual(new Set(rows.map(({ message_id }) => message_id)));
  const events = [...accepted.values()].map((body): unknown => JSON.parse(body));
  const changes = events.flatMap((event) => linkEvent.safeParse(event).data ?? []);
  const version = await env.DB.prepare('SELECT version FROM links WHERE id = ?1')
    .bind(linkId)
    .first<number>('version');
  const sequences = changes.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  expect(sequences).toEqual(Array.from({ length: version ?? 0 }, (_, i) => i + 1));
  const reported = events.flatMap((event) => clickedEvent.safeParse(event).data ?? []);
  expect(reported.reduce((sum, event) => sum + event.data.clicks, 0)).toBe(clicks);
}

describe('webhooks under faults', () => {
  it(
    'webhooks tell an endpoint every change and every click, once for each id',
    async () => {
      vi.spyOn(console, 'log').mockImplementation(() => undefined);
      await checkProperty(
        'webhooks',
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), play),
        5,
      );
      vi.restoreAllMocks();
    },
    PROPERTY_TIMEOUT,
  );
});
