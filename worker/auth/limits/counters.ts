import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';

/** A counter with a limit in a window: `key` must hold no raw address. Durations in ms. */
export type Limit = { key: string; max: number; windowMs: number };

/** `refused`: the exceeded limit that lasts longest, if any. `filled`: limits that this count used up. */
export type Count = { refused: { limit: Limit; retryAfterMs: number } | null; filled: Limit[] };

/**
 * Counts one try on each limit, atomically and before the work it guards, so that parallel requests cannot slip past.
 * The window begins with the first count; the count that reaches `max` restarts it, so that a lock lasts its full time.
 * A refused try is taken back on every limit: otherwise one network could use up an address's limit and lock its owner out.
 */
export async function countTry(db: Db, limits: readonly Limit[], now: number): Promise<Count> {
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
  const counts = limits.map((limit, i) => {
    const row = results[i]?.results[0];
    return { limit, count: row?.count ?? 0, retryAfterMs: (row?.expires_at ?? now) - now };
  });
  const refused = counts
    .filter(({ limit, count }) => count > limit.max)
    .map(({ limit, retryAfterMs }) => ({ limit, retryAfterMs }))
    .reduce<Count['refused']>((worst, one) => (worst !== null && worst.retryAfterMs >= one.retryAfterMs ? worst : one), null);
  if (refused !== null) {
    await countDown(
      db,
      limits.map(({ key }) => key),
    );
    return { refused, filled: [] };
  }
  return { refused: null, filled: counts.filter(({ limit, count }) => count === limit.max).map(({ limit }) => limit) };
}

/** Takes back what `countTry` counted for something that turned out to be allowed without limit. */
export async function countDown(db: Db, keys: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE counters SET count = count - 1 WHERE count > 0 AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  );
}

export async function forget(db: Db, keys: readonly string[]): Promise<void> {
  await db.run(sql`DELETE FROM counters WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
