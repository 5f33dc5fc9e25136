import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { linkEvent } from '#contract/webhooks/webhooks.ts';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { READER } from '#worker/testing/link-ids.ts';
import { makePerson } from '#worker/testing/make.ts';
import { insertRow } from '#worker/testing/stored-links.ts';
import { deliveriesOf, makeEndpoint } from '#worker/testing/webhooks.ts';
import { eventBody } from '#worker/webhooks/event-body.ts';
import { hasEndedLinks, recordEndedLinks } from './record-ended-links.ts';

const run = (now: number, budget = UNBOUNDED) => recordEndedLinks(env, now, budget);

describe('recordEndedLinks', () => {
  it('records the end of a link once, and of no link that had stopped before', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person, { events: ['link.expired'] });
    const now = Date.now();
    const store = (expires_at: number | null, status = 'active') =>
      insertRow(now - DAY_MS, { user_id: person.id, expires_at, status });
    // The first run begins here: nobody is told of ends long ago.
    await store(now - DAY_MS);
    await run(now);
    const end = now + MINUTE_MS;
    const codes = [await store(end), await store(end)];
    await Promise.all([store(end, 'disabled'), store(end, 'deleted'), store(null), store(end + 1)]);
    // A request that sets this end may not be stored yet.
    const hasWork = async (at: number) =>
      (await openDb(env.DB).all(sql`select 1 where ${hasEndedLinks(at)}`)).length === 1;
    await run(end + 9_999);
    expect(await deliveriesOf(endpoint)).toEqual([]);
    expect([await hasWork(end + 9_999), await hasWork(end + 10_000)]).toEqual([false, true]);
    await run(end + 10_000);
    await run(end + 10_000);
    expect(await hasWork(end + 10_000)).toBe(false);
    const events = (await deliveriesOf(endpoint)).map((row) =>
      linkEvent.parse(JSON.parse(eventBody(row, READER))),
    );
    expect(events.map(({ type, data }) => [type, data.link.code, data.changed])).toEqual(
      codes.map((code) => ['link.expired', code, ['status']]),
    );
    expect(events[0]?.data.link.status).toBe('expired');
    await run(end + 60_000);
    expect(await deliveriesOf(endpoint)).toHaveLength(3);
  });

  it('records no end that was put off, and no link that was stopped, in the meantime', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person, { events: ['link.expired'] });
    const now = Date.now() + HOUR_MS;
    await run(now);
    const store = (code: string) =>
      insertRow(now, { code, user_id: person.id, expires_at: now + 1 });
    for (const code of ['put-off', 'stopped', 'ended']) await store(code);
    const DB = beforeBatch(env.DB, () =>
      env.DB.batch([
        env.DB.prepare(`UPDATE links SET expires_at = ?1 WHERE code = 'put-off'`).bind(
          now + DAY_MS,
        ),
        env.DB.prepare(`UPDATE links SET status = 'disabled' WHERE code = 'stopped'`),
      ]),
    );
    await recordEndedLinks({ DB }, now + MINUTE_MS, UNBOUNDED);
    const told = (await deliveriesOf(endpoint)).map(({ data }) => JSON.parse(data).code);
    expect(told).toEqual(['ended']);
  });

  it('continues among links with the same end, within its budget', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person, { events: ['link.expired'] });
    const now = Date.now() + DAY_MS;
    await run(now);
    await env.DB.prepare(
      `INSERT INTO links (code, target, target_host, user_id, expires_at, created_at, updated_at)
       SELECT 'ends-' || value, 'https://example.com/', 'example.com', ?1, ?2, 0, 0
       FROM json_each(?3)`,
    )
      .bind(person.id, now + 1, JSON.stringify(Array.from({ length: 251 }, (_, at) => at)))
      .run();
    const once = { ...UNBOUNDED, canContinue: () => false };
    expect(await run(now + MINUTE_MS, once)).toMatchObject({ left: 1 });
    expect(await run(now + MINUTE_MS, once)).toEqual({ done: { links_ended: 1 } });
    const told = (await deliveriesOf(endpoint)).map(({ link_id }) => link_id);
    expect([told.length, new Set(told).size]).toEqual([251, 251]);
  });
});
