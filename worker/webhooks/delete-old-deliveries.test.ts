import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { NO_ADDRESS } from '#worker/events/webhook-json.ts';
import { deleteOldDeliveries } from './delete-old-deliveries.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const names = async (table: string, column: string) =>
  (await env.DB.prepare(`SELECT ${column} AS name FROM ${table} ORDER BY name`).all()).results.map(
    ({ name }) => name,
  );

/** Inserts a delivery to an endpoint; `dueAt` is null if it does not wait for an attempt. */
const insert = (endpoint: string, name: string, createdAt: number, dueAt: number | null = null) =>
  env.DB.prepare(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, due_at, created_at)
     VALUES (?1, ?2, 'webhook.test', 0, '{}', ?3, ?4, ?5)`,
  )
    .bind(endpoint, name, dueAt === null ? 'delivered' : 'pending', dueAt, createdAt)
    .run();

beforeEach(async () => {
  await env.DB.batch(
    ['webhook_deliveries', 'webhook_endpoints', 'webhook_click_windows'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
  await env.DB.prepare(
    `INSERT INTO webhook_endpoints (id, user_id, url, description, events, salt, created_at)
     VALUES ('a', 'u', 'https://a.example/', '', '', '', 0), ('b', 'u', 'https://b.example/', '', '', '', 0)`,
  ).run();
});

describe('deleteOldDeliveries', () => {
  it('keeps deliveries for 14 days and those that wait for longer', async () => {
    await insert('a', 'too old', NOW - 14 * DAY_MS - 1);
    await insert('a', 'old', NOW - 14 * DAY_MS);
    await insert('a', 'waits', NOW - 20 * DAY_MS, NOW);
    expect(await deleteOldDeliveries(env, NOW)).toMatchObject({
      deleted: { webhook_deliveries: 1 },
    });
    expect(await names('webhook_deliveries', 'message_id')).toEqual(['old', 'waits']);
  });

  it('keeps the newest 1,000 deliveries of each endpoint', async () => {
    await insert('a', 'waits', NOW, NOW);
    for (const endpoint of ['a', 'b'])
      await env.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
         INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, created_at)
         SELECT ?1, ?1 || i, 'webhook.test', 0, '{}', 'delivered', ?2 FROM n`,
      )
        .bind(endpoint, NOW)
        .run();
    await deleteOldDeliveries(env, NOW);
    const left = await names('webhook_deliveries', 'message_id');
    expect(left).toHaveLength(2_001);
    for (const name of ['waits', 'a1002', 'a2001', 'b1002', 'b2001']) expect(left).toContain(name);
  });

  it('deletes deliveries without an endpoint, also those that wait', async () => {
    await insert('gone', 'delivered', NOW);
    await insert('gone', 'waits', NOW, NOW);
    await insert('b', 'kept', NOW);
    expect(await deleteOldDeliveries(env, NOW)).toMatchObject({
      deleted: { webhook_deliveries: 2 },
    });
    expect(await names('webhook_deliveries', 'message_id')).toEqual(['kept']);
  });

  it('deletes an endpoint without an address an hour after its events were last read', async () => {
    for (const [id, url, createdAt, readAt] of [
      ['forgotten', NO_ADDRESS, NOW - HOUR_MS - 1, null],
      ['new', NO_ADDRESS, NOW - HOUR_MS, null],
      ['read', NO_ADDRESS, 0, NOW - HOUR_MS],
    ] as const)
      await env.DB.prepare(
        `INSERT INTO webhook_endpoints (id, user_id, url, description, events, salt, created_at, answered_at)
         VALUES (?1, 'u', ?2, '', '', '', ?3, ?4)`,
      )
        .bind(id, url, createdAt, readAt)
        .run();
    expect(await deleteOldDeliveries(env, NOW)).toMatchObject({
      deleted: { webhook_endpoints: 1 },
    });
    expect(await names('webhook_endpoints', 'id')).toEqual(['a', 'b', 'new', 'read']);
  });

  it('keeps the ids of click windows for 15 days', async () => {
    await env.DB.prepare(
      `INSERT INTO webhook_click_windows (id, attempt, seen_at) VALUES ('old', '', ?1), ('kept', '', ?2)`,
    )
      .bind(NOW - 15 * DAY_MS - 1, NOW - 15 * DAY_MS)
      .run();
    expect(await deleteOldDeliveries(env, NOW)).toMatchObject({
      deleted: { webhook_click_windows: 1 },
    });
    expect(await names('webhook_click_windows', 'id')).toEqual(['kept']);
  });
});
