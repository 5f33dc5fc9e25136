import { createExecutionContext, createMessageBatch, env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
  withDue,
} from '#worker/testing/webhooks.ts';
import { dispatchWebhooks, LEASE_MS, runWebhookDispatch } from '#worker/events/dispatch.ts';
import { consumeWebhooks } from './consume.ts';
import { claimAttempts } from './delivery-store.ts';

const ok = () => new Response('thanks');
const queue = heldQueue();

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

  it('[T54] the deliveries of an account are sent in the order in which they are due', async () => {
    // Sends what other tests have left.
    await dispatch();
    const { person, endpoint } = await withDue(40, { answered: true });
    const other = await makeEndpoint(person, { url: 'https://second.example/hop' });
    await env.DB.batch([
      env.DB.prepare('UPDATE webhook_endpoints SET answered_at = 1 WHERE id = ?1').bind(other.id),
      // A delivery is due the longer, the higher its id is.
      env.DB.prepare(
        'UPDATE webhook_deliveries SET due_at = 1000000 - id, endpoint_id = iif(id % 2 = 0, ?1, ?2) WHERE endpoint_id = ?2',
      ).bind(other.id, endpoint.id),
    ]);
    const all = [...(await deliveriesOf(endpoint)), ...(await deliveriesOf(other))];
    const longestDue = all.map(({ id }) => id).toSorted((a, b) => b - a);
    const sent = [...(await dispatch()).values()].flat().toSorted((a, b) => b - a);
    expect(sent).toEqual(longestDue.slice(0, 10));
  });

  it('[T54] the first 100 messages have the oldest delivery of each account', async () => {
    // Sends what other tests have left.
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
    // Sends what other tests have left.
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

  it('a delivery whose outcome was lost is sent again when its lease ends', async () => {
    const { endpoint } = await withDue(1);
    const [row] = await deliveriesOf(endpoint);
    const now = Date.now();
    await claimAttempts(openDb(env.DB), [{ id: row?.id ?? 0, attempt: 0 }], now);
    expect((await dispatch(now + LEASE_MS - 1)).has(endpoint.id)).toBe(false);
    expect((await dispatch(now + LEASE_MS)).get(endpoint.id)).toEqual([row?.id]);
  });

  it('[T54] the job counts what it leaves, since the oldest was due', async () => {
    // Sends what other tests have left.
    await dispatch();
    const due = Date.now() - HOUR_MS;
    const people = [await withDue(3), await withDue(1)];
    await env.DB.prepare('UPDATE webhook_deliveries SET due_at = ?1 WHERE endpoint_id = ?2')
      .bind(due - 5, people[1]?.endpoint.id)
      .run();
    queue.messages.length = 0;
    const noTime = { canContinue: () => false, kvWrites: () => 0 };
    expect(await runWebhookDispatch({ ...env, ...queue }, Date.now(), noTime)).toEqual({
      done: { deliveries_sent: 0 },
      left: 3,
      since: due - 5,
    });
    expect(queue.messages).toEqual([]);
    expect(await runWebhookDispatch({ ...env, ...queue }, Date.now(), UNBOUNDED)).toMatchObject({
      done: { deliveries_sent: 3 },
    });
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
    expect(await rowOf(well)).toMatchObject({ status: 'delivered', duration_ms: 0 });
    expect(await rowOf(broken)).toMatchObject({
      status: 'pending',
      error: 'The event could not be prepared.',
      attempts: 1,
      queued_until: null,
    });
    const endpoint = env.DB.prepare('SELECT failing_since FROM webhook_endpoints WHERE id = ?1');
    expect(await endpoint.bind(broken.endpoint.id).first('failing_since')).toBeNull();
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
    const others = expect.arrayContaining([second.endpoint.url, well.endpoint.url]);
    await vi.waitFor(() => expect(urls()).toEqual(others), { timeout: 60_000 });
    expect(urls().filter((url) => url === hanging.endpoint.url)).toHaveLength(2);
    answers.resolve(new Response(null, { status: 500 }));
    await done;
    expect(most).toBe(2);
    expect((await deliveriesOf(hanging.endpoint)).map(({ attempts }) => attempts)).toEqual(
      Array(9).fill(1),
    );
  });
});
