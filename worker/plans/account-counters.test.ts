import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema-system.ts';
import { accountCounter, countOfDay } from './account-counters.ts';

const db = openDb(env.DB);
const MIDNIGHT = Date.UTC(2026, 5, 2);

describe('countOfDay', () => {
  it('counts up to the most of a day in UTC, and keeps the count until its end', async () => {
    const day = { userId: crypto.randomUUID(), max: 2 };
    const count = (now: number) => countOfDay(db, 'domain-offers', day, now);
    const times = [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + DAY_MS - 1, MIDNIGHT + 1];
    const counted = [];
    for (const time of times) counted.push(await count(time));
    expect(counted).toEqual([true, true, true, false]);
    const key = accountCounter('domain-offers', day.userId, MIDNIGHT);
    expect(
      await db
        .select()
        .from(counters)
        .where(eq(counters.key, sql`${key}`)),
    ).toMatchObject([{ count: 2, expires_at: MIDNIGHT + DAY_MS }]);
  });
});
