import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { sql, type SQL } from 'drizzle-orm';
import { jsonRows, runNamedBatch, type TakeStep } from '#worker/db/batch.ts';
import { counters } from '#worker/db/schema-system.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import type { Db } from '#worker/db/client.ts';

/** The network of a request and, for IPv6, the /48 around it ('' for IPv4). */
export type Networks = { network: string; site: string };

/**
 * How many uses a network, and the IPv6 /48 around it, have per day (UTC). `purpose` is the prefix
 * of the counters' keys.
 */
export type DayAllowance = { purpose: string; perNetwork: number; perSite: number };

/**
 * Returns the statements that count one use of a daily allowance, if `when` is true in SQL. If the
 * allowance of the network or of its /48 is used up, they return no rows and count neither, so that
 * a network over its limit does not use up its neighbors' share. A counter's key is an HMAC of the
 * network and the day under a deployment secret, so no address is stored and the counters of two
 * days cannot be linked.
 */
export function consumeDayAllowance(
  { purpose, perNetwork, perSite }: DayAllowance,
  { network, site }: Networks,
  secret: string,
  now: number,
  when: SQL = sql`true`,
): TakeStep {
  const day = dayNumber(now);
  const keyOf = (from: string) =>
    `${purpose}:${day}:${keyedHash(secret, `counter:${purpose}`, `${day} ${from}`)}`;
  const key = keyOf(network);
  const counted = [{ key, most: perNetwork }];
  if (site !== '') counted.push({ key: keyOf(site), most: perSite });
  const wanted = jsonRows(['key', 'most'], counted);
  const attempt = crypto.randomUUID();
  return {
    statements: [
      sql`insert into ${counters} (key, count, expires_at, attempt)
        select wanted.key, asked.granted, ${(day + 1) * DAY_MS}, iif(asked.granted, ${attempt}, null)
        from ${wanted} as wanted cross join (select iif(${when}, 1, 0) as granted) as asked
        where not exists (select 1 from ${wanted} as other
          cross join ${counters} as used on used.key = other.key where used.count >= other.most)
        on conflict (key) do update set count = count + excluded.count, attempt = excluded.attempt
        returning count`,
    ],
    isCharged: sql`exists (select 1 from ${counters} where key = ${key} and attempt = ${attempt})`,
  };
}

/** Whole seconds until the allowance resets, at midnight UTC. */
export const secondsToNextDay = (now: number): number =>
  Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);

/** The rest of a key's limit after a request. The minute starts with its first request. */
type KeyAllowance = {
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
