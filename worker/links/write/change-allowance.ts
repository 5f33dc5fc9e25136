import type { LinkRefusal } from '#worker/messages/links.ts';
import { sql, type SQL } from 'drizzle-orm';
import { CHANGES_PER_MINUTE } from '#contract/limits.ts';
import { dayNumber } from '#contract/periods.ts';
import { PLANS } from '#contract/site.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { Statement } from '#worker/db/batch.ts';
import { counters } from '#worker/db/schema-system.ts';
import { links } from '#worker/db/schema-links.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';
import { planIncludesNumber } from '#worker/plans/plan-at.ts';

/**
 * Limits how much shared storage one account can write by changing links: changes per day, renames
 * per day, and changes of one link per minute. The limits are exact, because one request changes up
 * to 100 links: the batch of a change checks them and counts.
 */

export type ChangeLimitReason = 'too_many_changes' | 'too_many_renames' | 'changed_too_often';
export type ChangeLimitError = LinkRefusal<ChangeLimitReason> & { upgradeRequired: boolean };

type Kind = 'linkChanges' | 'renames';

const keyOf = (kind: Kind, userId: string, now: number): SQL =>
  accountCounter(kind === 'renames' ? 'renames' : 'link-changes', userId, now);

const usedToday = (kind: Kind, userId: string, now: number): SQL =>
  sql`coalesce((select count from ${counters} where key = ${keyOf(kind, userId, now)}), 0)`;

/**
 * True in SQL while the member can make `cost` more changes today. It belongs before the statement
 * that counts them, in the same batch. A cost of 0 always fits, even if a downgrade or stopped
 * links have left more used than the limit.
 */
export const hasRoom = (kind: Kind, userId: string, cost: number, now: number): SQL =>
  cost === 0
    ? sql`1`
    : sql`${usedToday(kind, userId, now)} + ${cost} <= ${planIncludesNumber(sql`${userId}`, kind, now)}`;

/**
 * Returns the statement that counts changes if `when` is true, for the end of their batch. `cost`
 * may be an SQL expression.
 */
export const countAgainstDay = (
  kind: Kind,
  userId: string,
  cost: SQL | number,
  when: SQL,
  now: number,
): Statement =>
  sql`insert into ${counters} (key, count, expires_at) select ${keyOf(kind, userId, now)}, cost, ${(dayNumber(now) + 1) * DAY_MS}
    from (select coalesce(${cost}, 0) as cost) where cost > 0 and ${when}
    on conflict (key) do update set count = count + excluded.count`;

/** The cost of a change in SQL: one KV write for each code of the link. */
export const codesOf = (link: SQL): SQL =>
  sql`(1 + (select count(*) from ${links} as earlier where earlier.earlier_code_of = ${link}))`;

const INTERVAL_MS = MINUTE_MS / CHANGES_PER_MINUTE;

/**
 * True in SQL while the link may be changed again. Each change moves `changes_until` forward by one
 * interval; it may be up to a minute ahead.
 */
export const mayChangeAgain = (now: number): SQL =>
  sql`${links}.changes_until <= ${now + MINUTE_MS - INTERVAL_MS}`;

/** The value of `changes_until` after a change. */
export const afterChange = (now: number): SQL<number> =>
  sql<number>`max(${links.changes_until}, ${now}) + ${INTERVAL_MS}`;

export type Room = { used: number; limit: number };

/**
 * Returns the statement that reads how many changes are used today, for the beginning of a batch.
 */
export const readRoom = (kind: Kind, userId: string, now: number): SQL<Room> =>
  sql<Room>`select ${usedToday(kind, userId, now)} as used, ${planIncludesNumber(sql`${userId}`, kind, now)} as "limit"`;

/** Returns the error for a member who cannot make `cost` more changes today; null if they can. */
export function dayLimitError(
  kind: Kind,
  room: Room | undefined,
  cost: number,
): ChangeLimitError | null {
  if (room === undefined || cost === 0 || room.used + cost <= room.limit) return null;
  return {
    ok: false,
    reason: kind === 'renames' ? 'too_many_renames' : 'too_many_changes',
    values: { limit: room.limit, left: Math.max(0, room.limit - room.used), cost },
    upgradeRequired: room.limit < PLANS.premium[kind],
  };
}

export const CHANGED_TOO_OFTEN: ChangeLimitError = {
  ok: false,
  reason: 'changed_too_often',
  upgradeRequired: false,
};
