import { dayNumber } from '#contract/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import { counters } from '#worker/db/schema.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

/** Where a request comes from: the network and, for IPv6, the /48 around it ('' for IPv4). */
export type Networks = { network: string; site: string };

/**
 * What a network, and the IPv6 /48 around it, may do on one day (UTC). `purpose` begins the
 * counters' keys.
 */
export type DayAllowance = { purpose: string; perNetwork: number; perSite: number };

/**
 * Returns the statements that count one use of a daily allowance, for the batch that they guard.
 * The last statement changes one row, and returns it; it changes none if the allowance of the
 * network or of its /48 is used up, and then neither is counted. Nothing is counted unless `when`
 * is true in SQL. A counter's key is an HMAC of the network and the day under a secret of the
 * deployment, so no address is stored and the counters of two days cannot be linked.
 */
export function takeFromDay(
  { purpose, perNetwork, perSite }: DayAllowance,
  { network, site }: Networks,
  secret: string,
  now: number,
  when: SQL = sql`true`,
): Statement[] {
  const day = dayNumber(now);
  const keyOf = (from: string) =>
    `${purpose}:${day}:${keyedHash(secret, `counter:${purpose}`, `${day} ${from}`)}`;
  const take = (key: string, limit: number, condition: SQL) =>
    sql`insert into ${counters} (key, count, expires_at)
      select ${key}, case when ${when} then 1 else 0 end, ${(day + 1) * DAY_MS} where ${condition}
      on conflict (key) do update set count = count + excluded.count where count < ${limit} returning count`;
  const key = keyOf(network);
  if (site === '') return [take(key, perNetwork, sql`true`)];
  // A network over its limit must not use up the allowance of its /48, which other networks share.
  const hasRoom = sql`coalesce((select count from ${counters} where key = ${key}), 0) < ${perNetwork}`;
  return [take(keyOf(site), perSite, hasRoom), take(key, perNetwork, sql`changes() = 1`)];
}

/** Whole seconds until the allowance resets, at midnight UTC. */
export const secondsToNextDay = (now: number): number =>
  Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
