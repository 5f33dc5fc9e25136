import { sql } from 'drizzle-orm';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema.ts';

/** A counter with a maximum per window. `key` must not contain an address in clear text. */
export type Limit = { key: string; max: number; windowMs: number };

/** `exceeded`: of the limits that refuse the attempt, the one that lasts longest. `reached`: limits that this attempt used up. */
export type Consumption = { exceeded: { limit: Limit; retryAfterMs: number } | null; reached: Limit[] };

/**
 * Counts one attempt on every limit. Call it before the work that the limits protect: the counting is atomic, so parallel
 * requests cannot exceed a limit. A window starts with its first attempt and starts again with the attempt that reaches the
 * maximum, so that a lock always lasts a full window.
 * An attempt that exceeds any limit is subtracted from all of them. Otherwise one network could use up the limit of an address
 * with refused attempts and lock its owner out.
 */
export async function consume(db: Db, limits: readonly Limit[], now: number): Promise<Consumption> {
  const rows = await runBatch(
    db,
    limits.map(
      ({ key, max, windowMs }) => sql`insert into ${counters} (key, count, expires_at) values (${key}, 1, ${now + windowMs})
        on conflict (key) do update set
          count = iif(expires_at <= ${now}, 1, count + 1),
          expires_at = iif(expires_at <= ${now} or count + 1 = ${max}, excluded.expires_at, expires_at)
        returning count, expires_at`,
    ),
  );
  const counts = limits.map((limit, i) => {
    const [row] = rows[i] ?? [];
    return { limit, count: Number(row?.['count'] ?? 0), retryAfterMs: Number(row?.['expires_at'] ?? now) - now };
  });
  const [exceeded] = counts.filter(({ limit, count }) => count > limit.max).sort((a, b) => b.retryAfterMs - a.retryAfterMs);
  if (exceeded === undefined)
    return { exceeded: null, reached: counts.filter(({ limit, count }) => count === limit.max).map(({ limit }) => limit) };
  await refund(db, limits);
  return { exceeded: { limit: exceeded.limit, retryAfterMs: exceeded.retryAfterMs }, reached: [] };
}

/** Subtracts an attempt that `consume` counted and that should not count. */
export async function refund(db: Db, limits: readonly Limit[]): Promise<void> {
  await db.run(sql`update ${counters} set count = count - 1 where count > 0 and key in ${keysOf(limits)}`);
}

/** Deletes the counters, so that their limits start from zero. */
export async function reset(db: Db, limits: readonly Pick<Limit, 'key'>[]): Promise<void> {
  await db.run(sql`delete from ${counters} where key in ${keysOf(limits)}`);
}

/** The keys as one JSON parameter: D1 allows 100 parameters per statement. */
const keysOf = (limits: readonly Pick<Limit, 'key'>[]) =>
  sql`(select value from json_each(${JSON.stringify(limits.map(({ key }) => key))}))`;
