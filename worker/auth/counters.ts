import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';

/** A counter with a limit in a window: `key` must hold no raw address. Durations in ms. */
export type Limit = { key: string; max: number; windowMs: number };

export type Count = { over: boolean; retryAfterMs: number };

/**
 * Counts one on each limit, atomically and before the work it guards, so that parallel requests cannot slip past.
 * The window begins with the first count; the count that reaches `max` starts it anew, so that a lock lasts its full time.
 */
export async function countUp(db: Db, limits: readonly Limit[], now: number): Promise<Count> {
  const results = await db.$client.batch<{ count: number; expires_at: number }>(
    limits.map((limit) =>
      db.$client
        .prepare(
          `INSERT INTO counters (key, count, expires_at) VALUES (?1, 1, ?2 + ?3)
           ON CONFLICT (key) DO UPDATE SET
             count = CASE WHEN expires_at <= ?2 THEN 1 ELSE count + 1 END,
             expires_at = CASE WHEN expires_at <= ?2 OR count + 1 = ?4 THEN ?2 + ?3 ELSE expires_at END
           RETURNING count, expires_at`,
        )
        .bind(limit.key, now, limit.windowMs, limit.max),
    ),
  );
  return results
    .map((result, i): Count => {
      const row = result.results[0];
      const max = limits[i]?.max ?? 0;
      return row !== undefined && row.count > max ? { over: true, retryAfterMs: row.expires_at - now } : FREE;
    })
    .reduce((worst, count) => (count.retryAfterMs > worst.retryAfterMs ? count : worst), FREE);
}

const FREE: Count = { over: false, retryAfterMs: 0 };

/** Takes back what `countUp` counted for something that turned out to be allowed without limit. */
export async function countDown(db: Db, keys: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE counters SET count = count - 1 WHERE count > 0 AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  );
}

export async function forget(db: Db, keys: readonly string[]): Promise<void> {
  await db.run(sql`DELETE FROM counters WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
