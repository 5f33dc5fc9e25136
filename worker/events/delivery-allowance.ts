import { sql, type SQL } from 'drizzle-orm';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Statement, TakeStep } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { webhook_endpoints } from '#worker/db/schema-api.ts';
import { counters } from '#worker/db/schema-system.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';
import { planIncludesNumber } from '#worker/plans/plan-at.ts';

/**
 * Limits how many deliveries the endpoints of an account get per day (UTC). The batch that inserts
 * the deliveries within the limit counts all that endpoints wanted. The excess is not sent, and the
 * owner sees how many that were.
 */

/** For this many days the owner sees how many deliveries were not sent. */
const SHOWN_DAYS = 7;

const keyOf = (userId: SQL, now: number): SQL => accountCounter('webhook-events', userId, now);
const expiryOf = (now: number): number => (dayNumber(now) + SHOWN_DAYS) * DAY_MS;

/**
 * A query for the pairs of an endpoint and a link that cause a delivery, with the columns
 * `endpoint_id`, `user_id` and `link_id`.
 */
type Wanted = SQL;

/**
 * Returns the statement that counts wanted deliveries, to run right before the one that inserts
 * those within the limit.
 */
export const countWanted = (wanted: Wanted, now: number): Statement =>
  sql`insert into ${counters} (key, count, expires_at)
    select ${keyOf(sql`user_id`, now)}, count(*), ${expiryOf(now)} from (${wanted}) where true group by user_id
    on conflict (key) do update set count = count + excluded.count`;

/**
 * Returns a query for the wanted deliveries within the daily limit of their owner, to run after
 * `countWanted`.
 */
export const withinDay = (
  wanted: Wanted,
  now: number,
): SQL => sql`select endpoint_id, link_id from (
    select endpoint_id, link_id, row_number() over owner - count(*) over (partition by user_id) as place,
      (select count from ${counters} where key = ${keyOf(sql`wanted.user_id`, now)}) as counted,
      ${planIncludesNumber(sql`wanted.user_id`, 'webhookDeliveries', now)} as day_limit
    from (${wanted}) as wanted window owner as (partition by user_id order by link_id, endpoint_id))
  where counted + place <= day_limit`;

const ownerOf = (endpointId: string): SQL =>
  sql`(select user_id from ${webhook_endpoints} where id = ${endpointId})`;

/**
 * Counts one delivery if `when` is true in SQL, the endpoint exists and its owner's daily limit is
 * not reached.
 */
export function takeOne(endpointId: string, now: number, when: SQL): TakeStep {
  const owner = ownerOf(endpointId);
  const key = keyOf(owner, now);
  const attempt = crypto.randomUUID();
  return {
    statements: [
      sql`insert into ${counters} (key, count, expires_at, attempt)
        select ${key}, 1, ${expiryOf(now)}, ${attempt} where ${owner} is not null and ${when}
          and coalesce((select count from ${counters} where key = ${key}), 0) < ${planIncludesNumber(owner, 'webhookDeliveries', now)}
        on conflict (key) do update set count = count + 1, attempt = excluded.attempt`,
    ],
    isCharged: sql`exists (select 1 from ${counters} where key = ${key} and attempt = ${attempt})`,
  };
}

/**
 * Returns how many deliveries of the last seven days exceeded their day's limit and were not sent.
 */
export async function countNotSent(
  db: Db,
  userId: string,
  limit: number,
  now: number,
): Promise<number> {
  const keys = Array.from({ length: SHOWN_DAYS }, (_, ago) =>
    accountCounter('webhook-events', userId, now, ago),
  );
  const row = await db.get<{ n: number }>(
    sql`select coalesce(sum(max(0, count - ${limit})), 0) as n from ${counters}
      where key in (${sql.join(keys, sql`, `)})`,
  );
  return row.n;
}
