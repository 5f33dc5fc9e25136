import { sql, type SQL } from 'drizzle-orm';
import { dayNumber } from '#contract/periods.ts';
import { counters } from '#worker/db/schema-system.ts';

/**
 * What is counted for an account and a day (UTC), exactly, in rows of `counters` that go with the
 * account.
 */
export type AccountCount = 'link-changes' | 'renames' | 'webhook-events' | 'webhook-retries';

/** The key of the counter in SQL. `userId` may be an expression. */
export const accountCounter = (
  name: AccountCount,
  userId: SQL | string,
  now: number,
  daysAgo = 0,
): SQL => sql`'account:' || ${userId} || ':' || ${`${name}:${dayNumber(now) - daysAgo}`}`;

/** The condition in SQL for all counters of an account: a range of the primary key. */
export const isCounterOf = (userId: string): SQL =>
  sql`${counters.key} >= ${`account:${userId}:`} and ${counters.key} < ${`account:${userId};`}`;
