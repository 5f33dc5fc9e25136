import { DAY_MS } from '#contract/time.ts';
import { eq, sql } from 'drizzle-orm';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { makePerson } from '#worker/testing/make.ts';
import { addMonths } from './cycle.ts';
import { insertFreeSubscription, readCycleStart, consumeQuota } from './quota.ts';

const db = openDb(env.DB);
const ANCHOR = Date.UTC(2026, 0, 15, 10);

async function take(userId: string, links: number, now: number, when = sql`true`) {
  const cycleStart = await readCycleStart(db, userId, now);
  const { taken } = await runNamedBatch(db, {
    taken: consumeQuota({ userId, links, cycleStart, now, when }).statements,
  });
  return taken.rows[0];
}
const rowOf = (id: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.user_id, id)).get();

describe('consumeQuota', () => {
  it('[T25] takes links up to the limit and none beyond it', async () => {
    const { id } = await makePerson({ usage: 20, now: ANCHOR });
    expect(await take(id, 6, ANCHOR + 1)).toBeUndefined();
    expect(await take(id, 5, ANCHOR + 1)).toEqual({ current_usage: 25, monthly_limit: 25 });
    expect(await take(id, 1, ANCHOR + 1)).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ current_usage: 25, updated_at: ANCHOR + 1 });
  });

  it('[T25] counts from 0 in a new cycle, from its first millisecond', async () => {
    const { id } = await makePerson({ usage: 25, now: ANCHOR });
    const next = addMonths(ANCHOR, 1);
    expect(await take(id, 1, next - 1)).toBeUndefined();
    expect(await take(id, 26, next)).toBeUndefined();
    expect(await take(id, 2, next)).toEqual({ current_usage: 2, monthly_limit: 25 });
    expect(await rowOf(id)).toMatchObject({ billing_cycle_start: next, cycle_anchor: ANCHOR });
  });

  it('[T25] a server whose clock is behind does not reopen the previous cycle', async () => {
    const { id } = await makePerson({ usage: 25, now: ANCHOR });
    const next = addMonths(ANCHOR, 1);
    expect(await take(id, 20, next + 5)).toMatchObject({ current_usage: 20 });
    expect(await take(id, 3, next - 5)).toMatchObject({ current_usage: 23 });
    expect(await rowOf(id)).toMatchObject({ billing_cycle_start: next });
    expect(await take(id, 3, next + 6)).toBeUndefined();
    expect(await take(id, 2, next + 6)).toMatchObject({ current_usage: 25 });
  });

  it('a quota counts nothing if the condition of its statement is false', async () => {
    const { id } = await makePerson({ usage: 7, now: ANCHOR });
    expect(await take(id, 2, ANCHOR + 1, sql`false`)).toEqual({
      current_usage: 7,
      monthly_limit: 25,
    });
    expect(await take(id, 19, ANCHOR + 1, sql`false`)).toBeUndefined();
  });

  it('[A6] takes nothing for a suspended or deleted member', async () => {
    const { id } = await makePerson({ now: ANCHOR });
    await db.update(users).set({ suspended_at: ANCHOR }).where(eq(users.id, id));
    expect(await take(id, 1, ANCHOR + DAY_MS)).toBeUndefined();
    await db.delete(users).where(eq(users.id, id));
    expect(await take(id, 1, ANCHOR + DAY_MS)).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ current_usage: 0 });
  });

  it('takes from the quota of this member only, and inserts a missing subscription', async () => {
    const [one, other] = [await makePerson({ now: ANCHOR }), await makePerson({ now: ANCHOR })];
    await db.delete(subscriptions).where(eq(subscriptions.user_id, one.id));
    expect(await take(one.id, 1, ANCHOR + DAY_MS)).toEqual({ current_usage: 1, monthly_limit: 25 });
    expect(await rowOf(one.id)).toMatchObject({
      cycle_anchor: ANCHOR + DAY_MS,
      billing_cycle_start: ANCHOR + DAY_MS,
    });
    expect(await rowOf(other.id)).toMatchObject({ current_usage: 0 });
  });
});

describe('insertFreeSubscription', () => {
  it('inserts nothing for an account that is gone, and leaves other plans alone', async () => {
    const id = crypto.randomUUID();
    await db.run(insertFreeSubscription(id, ANCHOR));
    expect(await rowOf(id)).toBeUndefined();
    const person = await makePerson({ plan: 'premium', usage: 30, now: ANCHOR });
    await db.run(insertFreeSubscription(person.id, ANCHOR + 1));
    expect(await rowOf(person.id)).toMatchObject({
      plan: 'premium',
      current_usage: 30,
      cycle_anchor: ANCHOR,
    });
  });
});
