import { sql, type SQL } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import type { TakeStep } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { cycleAt } from './cycle.ts';
import { importAllowanceAt, isDowngradeDue, limitAt } from './plan-at.ts';

/** The start of the member's billing cycle at `now`, both in ms. */
export async function readCycleStart(db: Db, userId: string, now: number): Promise<number> {
  const [row] = await db.all<{ cycle_anchor: number }>(
    sql`select cycle_anchor from ${subscriptions} where user_id = ${userId}`,
  );
  // The anchor never changes once it is written, so the cycle start is still right when the batch
  // runs.
  return cycleAt(row?.cycle_anchor ?? now, now).start;
}

/**
 * `cycleStart` is from `readCycleStart`. Nothing is counted unless `when` is true in SQL. Times in
 * ms.
 */
type QuotaUse = {
  userId: string;
  links: number;
  /** How many of the links come from another service with their codes. */
  moved?: number;
  cycleStart: number;
  now: number;
  when: SQL;
};

/**
 * Counts links against a member's quota (docs/decisions.md#d6). `moved` links first use the import
 * allowance of the plan (docs/decisions.md#d6). Also starts a new cycle and applies
 * a planned downgrade if they are due. Returns the row `{ current_usage, monthly_limit }`. Returns
 * no row if the quota is too small, or if the member has been suspended or deleted since the token
 * was checked. If any statement of the batch fails, nothing is counted.
 */
export function consumeQuota(use: QuotaUse): TakeStep {
  const { userId, links, moved = 0, cycleStart, now, when } = use;
  const used = sql`case when billing_cycle_start < ${cycleStart} then 0 else current_usage end`;
  const due = isDowngradeDue(now);
  const free = moved === 0 ? sql`0` : sql`min(${moved}, ${importAllowanceAt(now)})`;
  const counted = sql`(${links} - ${free})`;
  const attempt = crypto.randomUUID();
  return {
    statements: [
      insertFreeSubscription(userId, now),
      // max() stops a server whose clock is behind from reopening the previous cycle, which would
      // grant the quota twice.
      sql`update ${subscriptions} set
          current_usage = ${used} + iif(asked.granted, ${counted}, 0),
          imported_links = imported_links + iif(asked.granted, ${free}, 0), attempt = iif(asked.granted, ${attempt}, null),
          billing_cycle_start = max(billing_cycle_start, ${cycleStart}),
          plan = iif(${due}, 'free', plan), monthly_limit = ${limitAt(now)}, downgrade_at = iif(${due}, null, downgrade_at),
          updated_at = ${now}
        from (select ${when} as granted) as asked
        where user_id = ${userId} and ${limitAt(now)} >= ${counted} + ${used}
          and exists (select 1 from ${users} where id = ${userId} and suspended_at is null)
        returning current_usage, monthly_limit`,
    ],
    isCharged: sql`exists (select 1 from ${subscriptions} where user_id = ${userId} and attempt = ${attempt})`,
  };
}

/**
 * Inserts the free subscription of a user who has none. Changes nothing for other users or if the
 * account no longer exists.
 */
export const insertFreeSubscription = (userId: string, now: number): SQL =>
  sql`insert into ${subscriptions}
      (user_id, plan, monthly_limit, current_usage, cycle_anchor, billing_cycle_start, updated_at)
    select id, 'free', ${PLANS.free.monthlyLimit}, 0, ${now}, ${now}, ${now} from ${users} where id = ${userId}
    on conflict do nothing`;
