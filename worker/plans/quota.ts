import { sql, type SQL } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptions, users } from '#worker/db/schema.ts';
import { cycleAt } from './cycle.ts';
import { isDowngradeDue, limitAt } from './plan-at.ts';

/** The start of the member's billing cycle at `now`, both in ms. */
export async function readCycleStart(db: Db, userId: string, now: number): Promise<number> {
  const [row] = await db.all<{ cycle_anchor: number }>(
    sql`select cycle_anchor from ${subscriptions} where user_id = ${userId}`,
  );
  // The anchor never changes once it is written, so nothing can change it between this read and the
  // batch.
  return cycleAt(row?.cycle_anchor ?? now, now).start;
}

/**
 * `cycleStart` is from `readCycleStart`. Nothing is counted unless `when` is true in SQL. Times in
 * ms.
 */
type QuotaUse = { userId: string; links: number; cycleStart: number; now: number; when: SQL };

/**
 * Statements that take links off a member's quota, for the start of the batch that inserts the
 * links (docs/decisions.md#d6). The last statement counts the links, and starts a new cycle and
 * applies a planned downgrade where they are due. Its row is `{ current_usage, monthly_limit }`; it
 * changes no row where the quota is too small or the member has been suspended or deleted since the
 * token was checked. The INSERT that follows must require `changes() = 1`. If any statement of the
 * batch fails, nothing is counted.
 */
export function takeFromQuota(
  db: Db,
  { userId, links, cycleStart, now, when }: QuotaUse,
): Statement[] {
  const used = sql`case when billing_cycle_start < ${cycleStart} then 0 else current_usage end`;
  const due = isDowngradeDue(now);
  return [
    insertFreeSubscription(db, userId, now),
    // max(): a server whose clock is behind must not reopen the previous cycle, or the quota would
    // be granted twice.
    sql`update ${subscriptions} set
        current_usage = ${used} + case when ${when} then ${links} else 0 end,
        billing_cycle_start = max(billing_cycle_start, ${cycleStart}),
        plan = iif(${due}, 'free', plan), monthly_limit = ${limitAt(now)}, downgrade_at = iif(${due}, null, downgrade_at),
        updated_at = ${now}
      where user_id = ${userId} and ${limitAt(now)} >= ${links} + ${used}
        and exists (select 1 from ${users} where id = ${userId} and suspended_at is null)
      returning current_usage, monthly_limit`,
  ];
}

/**
 * Inserts the free subscription of a user who has none. Changes nothing for other users or if the
 * account no longer exists.
 */
export function insertFreeSubscription(db: Db, userId: string, now: number) {
  return db
    .insert(subscriptions)
    .select(
      sql`select ${userId}, 'free', ${PLANS.free.monthlyLimit}, 0, ${now}, ${now}, ${now}, null
        where exists (select 1 from ${users} where id = ${userId})`,
    )
    .onConflictDoNothing();
}
