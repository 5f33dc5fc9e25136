import type { LinkRefusal } from '#worker/messages/links.ts';
import { sql, type SQL } from 'drizzle-orm';
import { CHANGES_PER_MINUTE } from '#contract/limits.ts';
import { dayNumber } from '#contract/reports/periods.ts';
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

export const CHANGED_TOO_OFTEN: ChangeLimitError = {
  ok: false,
  reason: 'changed_too_often',
  upgradeRequired: false,
};

type Kind = 'linkChanges' | 'renames';

const keyOf = (kind: Kind, userId: string, now: number): SQL =>
  accountCounter(kind === 'renames' ? 'renames' : 'link-changes', userId, now);

const usedToday = (kind: Kind, userId: string, now: number): SQL =>
  sql`coalesce((select count from ${counters} where key = ${keyOf(kind, userId, now)}), 0)`;

/** SQL for the cost of changing a link: one KV write for each of its codes. */
export const changeCost = (link: SQL): SQL =>
  sql`(1 + (select count(*) from ${links} as earlier where earlier.earlier_code_of = ${link}))`;

const INTERVAL_MS = MINUTE_MS / CHANGES_PER_MINUTE;

/**
 * True in SQL while the link may be changed again. Each change moves `changes_until` forward by one
 * interval; it may be up to a minute ahead.
 */
export const mayChangeAgain = (now: number): SQL =>
  sql`${links}.changes_until <= ${now + MINUTE_MS - INTERVAL_MS}`;

/** The value of `changes_until` after a change. */
export const nextChangesUntil = (now: number): SQL<number> =>
  sql<number>`max(${links.changes_until}, ${now}) + ${INTERVAL_MS}`;

/** How much of a daily limit is used, and the limit of the member's plan. */
type DayUsage = { kind: Kind; used: number; limit: number };

/**
 * Returns the parts that a batch of changes needs to respect and use the limits of the day. A cost
 * of 0 is always allowed, even if more than the limit is used already, for example after a
 * downgrade.
 */
export function chargeDay(
  userId: string,
  { linkChanges, renames = 0 }: { linkChanges: number; renames?: number },
  now: number,
) {
  const charges: { kind: Kind; cost: number }[] = [
    ...(renames > 0 ? [{ kind: 'renames' as const, cost: renames }] : []),
    { kind: 'linkChanges', cost: linkChanges },
  ];
  const used = (kind: Kind): SQL => usedToday(kind, userId, now);
  const limit = (kind: Kind): SQL => planIncludesNumber(sql`${userId}`, kind, now);
  return {
    /** True in SQL while the limits allow the changes. It must come before `count`. */
    isCovered: sql.join(
      charges.map(({ kind, cost }) =>
        cost === 0 ? sql`1` : sql`${used(kind)} + ${cost} <= ${limit(kind)}`,
      ),
      sql` and `,
    ),
    /** The statement that reads what is used of each limit, for the beginning of the batch. */
    usage: sql<DayUsage>`${sql.join(
      charges.map(
        ({ kind }) => sql`select ${kind} as kind, ${used(kind)} as used, ${limit(kind)} as "limit"`,
      ),
      sql` union all `,
    )}`,
    /**
     * Returns the statements that count the changes if `when` is true, for the end of the batch.
     * `changed` replaces the cost in link changes if only the batch knows how many it makes.
     */
    count: (when: SQL, changed: SQL | number = linkChanges): Statement[] =>
      charges.map(({ kind, cost }) =>
        countToday(keyOf(kind, userId, now), kind === 'linkChanges' ? changed : cost, when, now),
      ),
    /** Returns an error if the changes exceeded a limit; otherwise null. */
    errorOf: (usage: readonly DayUsage[]): ChangeLimitError | null => {
      for (const { kind, cost } of charges) {
        const row = usage.find((one) => one.kind === kind);
        const error = row === undefined ? null : dayLimitError(row, cost);
        if (error !== null) return error;
      }
      return null;
    },
  };
}

/** `cost` may be an SQL expression. */
const countToday = (key: SQL, cost: SQL | number, when: SQL, now: number): Statement =>
  sql`insert into ${counters} (key, count, expires_at)
    select ${key}, cost, ${(dayNumber(now) + 1) * DAY_MS}
    from (select coalesce(${cost}, 0) as cost) where cost > 0 and ${when}
    on conflict (key) do update set count = count + excluded.count`;

function dayLimitError({ kind, used, limit }: DayUsage, cost: number): ChangeLimitError | null {
  if (cost === 0 || used + cost <= limit) return null;
  return {
    ok: false,
    reason: kind === 'renames' ? 'too_many_renames' : 'too_many_changes',
    values: { limit, left: Math.max(0, limit - used), cost },
    upgradeRequired: limit < PLANS.premium[kind],
  };
}
