import { sql } from 'drizzle-orm';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema-system.ts';

/** A counter with a maximum per window. `key` must not contain an address in clear text. */
export type Limit = { key: string; max: number; windowMs: number };

/**
 * `exceeded` is the limit with the longest wait among those that reject the attempt. `reached` are
 * the limits that this attempt used up.
 */
export type Consumption<L extends Limit> = {
  exceeded: { limit: L; retryAfterMs: number } | null;
  reached: L[];
};

/**
 * Counts one attempt against every limit, or against none if any limit is used up. Call it before
 * the work that the limits protect: counting is atomic, so parallel requests cannot exceed a limit.
 * A window starts with its first attempt and restarts with the attempt that reaches the maximum, so
 * a lock always lasts a full window. A rejected attempt writes no row. Otherwise a flood of
 * invented addresses could fill the database, and one network could use up the limit of an address
 * and lock its owner out.
 */
export async function consume<L extends Limit>(
  db: Db,
  limits: readonly L[],
  now: number,
): Promise<Consumption<L>> {
  const limitRows = sql`json_each(${JSON.stringify(limits)})`;
  const isUsedUp = sql`c.expires_at > ${now} and c.count >= w.value ->> 'max'`;
  const { before, counted } = await runNamedBatch(db, {
    before: sql<{ key: string; expires_at: number }>`select c.key, c.expires_at
      from ${limitRows} w join ${counters} c on c.key = w.value ->> 'key' where ${isUsedUp}`,
    counted: sql<{ key: string; count: number }>`insert into ${counters} (key, count, expires_at)
      select value ->> 'key', 1, ${now} + (value ->> 'windowMs') from ${limitRows}
      where not exists (select 1 from ${limitRows} w join ${counters} c on c.key = w.value ->> 'key' where ${isUsedUp})
      on conflict (key) do update set
        count = iif(expires_at <= ${now}, 1, count + 1),
        expires_at = iif(
          expires_at <= ${now} or count + 1 = (select w.value ->> 'max' from ${limitRows} w where w.value ->> 'key' = excluded.key),
          excluded.expires_at, expires_at)
      returning key, count`,
  });
  const usedUp = limits.flatMap((limit) => {
    const row = before.rows.find(({ key }) => key === limit.key);
    return row === undefined ? [] : [{ limit, retryAfterMs: row.expires_at - now }];
  });
  const [exceeded = null] = usedUp.sort((a, b) => b.retryAfterMs - a.retryAfterMs);
  const countOf = ({ key }: Limit) => counted.rows.find((row) => row.key === key)?.count;
  return { exceeded, reached: limits.filter((limit) => countOf(limit) === limit.max) };
}

export async function refund(db: Db, limits: readonly Limit[]): Promise<void> {
  await db.run(
    sql`update ${counters} set count = count - 1 where count > 0 and key in ${keysOf(limits)}`,
  );
}

export async function reset(db: Db, limits: readonly Pick<Limit, 'key'>[]): Promise<void> {
  await db.run(sql`delete from ${counters} where key in ${keysOf(limits)}`);
}

/** The keys as one JSON parameter: D1 allows 100 parameters per statement. */
const keysOf = (limits: readonly Pick<Limit, 'key'>[]) => jsonList(limits.map(({ key }) => key));
