import { sql, type SQL } from 'drizzle-orm';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { counters } from '#worker/db/schema-system.ts';

/**
 * Exact counts of an account per day (UTC). They are rows of `counters` that are deleted with the
 * account.
 */
export type AccountCount =
  | 'link-changes'
  | 'renames'
  | 'webhook-events'
  | 'webhook-retries'
  | 'link-checks'
  | 'unreachable-mails'
  | 'domain-offers'
  | 'domain-claims';

/** The key of the counter in SQL. `userId` may be an expression. */
export const accountCounter = (
  name: AccountCount,
  userId: SQL | string,
  now: number,
  daysAgo = 0,
): SQL => sql`'account:' || ${userId} || ':' || ${`${name}:${dayNumber(now) - daysAgo}`}`;

/** A condition in SQL that selects all counters of an account by a range of the primary key. */
export const isCounterOf = (userId: string): SQL =>
  sql`${counters.key} >= ${`account:${userId}:`} and ${counters.key} < ${`account:${userId};`}`;

/** Counts one more, unless the account has had `max` today. Returns whether it was counted. */
export async function countOfDay(
  db: Db,
  name: AccountCount,
  { userId, max }: { userId: string; max: number },
  now: number,
): Promise<boolean> {
  const counted = await db.all(sql`insert into ${counters} (key, count, expires_at)
    values (${accountCounter(name, userId, now)}, 1, ${(dayNumber(now) + 1) * DAY_MS})
    on conflict (key) do update set count = count + 1 where count < ${max} returning count`);
  return counted.length > 0;
}
