import { env } from 'cloudflare:test';
import { like } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { change, kvThat, makeLink, NOW, pending } from '#worker/testing/outbox.ts';
import { drainOutbox } from './drain-outbox.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { SETTLE_MS } from './publish.ts';

const db = openDb(env.DB);

describe('limits of one invocation', () => {
  const LINKS = kvThat(() => new Error('KV PUT failed: 500'));

  /**
   * Inserts links with outbox rows, the last one being the oldest. Returns their ids in that order.
   */
  async function insertPending(prefix: string, count: number): Promise<number[]> {
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
         INSERT INTO links (code, target, target_host, created_at, updated_at)
         SELECT ?1 || i, 'https://example.com/', 'example.com', 1, 1 FROM seq`,
      ).bind(prefix, count),
      env.DB.prepare(
        `INSERT INTO link_outbox (link_id, version, queued_at) SELECT id, 1, 5000 - id FROM links WHERE code LIKE ?1 || '%'`,
      ).bind(prefix),
    ]);
    const rows = await db
      .select({ id: links.id })
      .from(links)
      .where(like(links.code, `${prefix}%`))
      .orderBy(links.id);
    return rows.map(({ id }) => id);
  }

  it('publishes at most 500 links after a response', async () => {
    const ids = await insertPending('later-', 501);
    await publishLater({ ...env, LINKS }, ids, NOW);
    expect(await pending(ids[499] ?? 0)).toMatchObject({ attempts: 1 });
    expect(await pending(ids[500] ?? 0)).toMatchObject({ attempts: 0 });
  });

  it('drains at most 800 links of the outbox, a quarter of them the newest', async () => {
    await db.delete(link_outbox);
    const ids = await insertPending('drain-', 803);
    const result = await drainOutbox({ ...env, LINKS }, NOW);
    const done = { links_published: 0, changes_rejected: 800 };
    expect(result).toMatchObject({ done, left: 803, since: 5000 - (ids[802] ?? 0) });
    // The last id is the oldest: 600 of the oldest and 200 of the newest have been tried.
    for (const [index, attempts] of [
      [802, 1],
      [203, 1],
      [202, 0],
      [200, 0],
      [199, 1],
      [0, 1],
    ] as const)
      expect(await pending(ids[index] ?? 0)).toMatchObject({ attempts });
  });

  it('publishes a long list with one write per link, and a single change first', async () => {
    await db.delete(link_outbox);
    await insertPending('list-', 1_000);
    const single = await makeLink('single');
    await change(single, { target: 'https://example.com/changed' }, NOW - SETTLE_MS);
    const keys: string[] = [];
    const stores = { ...env, LINKS: kvThat((key) => (keys.push(key), null)) };
    expect(await drainOutbox(stores, NOW)).toMatchObject({
      done: { links_published: 800 },
      left: 201,
    });
    expect(await pending(single)).toBeUndefined();
    expect(await drainOutbox(stores, NOW + 60_000)).toMatchObject({
      done: { links_published: 201 },
    });
    expect(keys).toHaveLength(1_001);
    expect(new Set(keys).size).toBe(1_001);
  });

  it('publishes no more links than the budget has writes left', async () => {
    await db.delete(link_outbox);
    const ids = await insertPending('budget-', 12);
    const budget = { canContinue: () => true, kvWrites: () => 8 };
    expect(await drainOutbox(env, NOW, budget)).toMatchObject({
      done: { links_published: 8 },
      left: 4,
      since: 5000 - (ids[5] ?? 0),
    });
  });

  it('publishes a link whose codes need more writes than are left, alone', async () => {
    await db.delete(link_outbox);
    const [first = 0] = await insertPending('codes-', 2);
    await env.DB.prepare(
      `INSERT INTO links (code, target, target_host, status, created_at, updated_at, earlier_code_of)
       VALUES ('codes-old', '', '', 'deleted', 1, 1, ?1)`,
    )
      .bind(first + 1)
      .run();
    const budget = { canContinue: () => true, kvWrites: () => 1 };
    expect(await drainOutbox(env, NOW, budget)).toMatchObject({
      done: { links_published: 2 },
      left: 1,
    });
    expect(await drainOutbox(env, NOW, budget)).toMatchObject({
      done: { links_published: 1 },
      left: 0,
    });
  });
});
