import { sql, type SQL } from 'drizzle-orm';
import { dayNumber } from '#contract/periods.ts';
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
  | 'domain-offers';

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
