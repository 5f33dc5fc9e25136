import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema-system.ts';

/** The rest of a key's limit after a request. The minute starts with its first request. */
export type KeyAllowance = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
};

/**
 * Counts a request of an API key and returns what remains of its limit. The count is exact, because
 * clients rely on the RateLimit headers. A rejected request is not counted.
 */
export async function takeFromMinute(
  db: Db,
  keyId: string,
  limit: number,
  now: number,
): Promise<KeyAllowance> {
  const key = `api-key:${keyId}`;
  const isOver = sql`expires_at <= ${now}`;
  const { counted, counter } = await runNamedBatch(db, {
    counted: sql`insert into ${counters} (key, count, expires_at) values (${key}, 1, ${now + MINUTE_MS})
      on conflict (key) do update set count = iif(${isOver}, 1, count + 1), expires_at = iif(${isOver}, excluded.expires_at, expires_at)
      where ${isOver} or count < ${limit}`,
    counter: sql<{
      count: number;
      expires_at: number;
    }>`select count, expires_at from ${counters} where key = ${key}`,
  });
  const { count = limit, expires_at: end = now } = counter.rows[0] ?? {};
  const isAllowed = counted.changes > 0;
  return {
    isAllowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil((end - now) / 1000)),
  };
}
