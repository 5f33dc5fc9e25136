import { eq } from 'drizzle-orm';
import type { Subscription } from '#contract/plans.ts';
import { PLANS, type PlanType } from '#contract/site.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptions } from '#worker/db/schema.ts';
import { cycleAt } from './cycle.ts';
import { freeSubscription } from './quota.ts';

type Row = typeof subscriptions.$inferSelect;

/** A member's subscription as it stands at `now` (ms). Makes the free one at the first look; writes nothing else. */
export async function readSubscription(db: Db, userId: string, now: number): Promise<Subscription> {
  const select = () => db.select().from(subscriptions).where(eq(subscriptions.user_id, userId)).get();
  let row = await select();
  if (row === undefined) {
    await freeSubscription(db, userId, now).run();
    row = await select();
  }
  return subscriptionAt(row ?? unusedPlan(userId, now), now);
}

/** What a request reads while its account is being deleted: nothing is written for it any more. */
const unusedPlan = (userId: string, now: number): Row => ({
  user_id: userId,
  plan: 'free',
  monthly_limit: PLANS.free.monthlyLimit,
  current_usage: 0,
  cycle_anchor: now,
  billing_cycle_start: now,
  updated_at: now,
});

/**
 * Puts a member on a plan. What they used stays used and their links stay (decision 10); the cycle goes on.
 * Who may do so is the caller's question.
 */
export async function setPlan(db: Db, userId: string, plan: PlanType, now: number): Promise<Subscription> {
  await freeSubscription(db, userId, now).run();
  await setPlanStatement(db, userId, plan, now);
  return readSubscription(db, userId, now);
}

/** What was used stays used (decision 10): only the plan and its limit change. */
export function setPlanStatement(db: Db, id: string, plan: PlanType, now: number) {
  return db
    .update(subscriptions)
    .set({ plan, monthly_limit: PLANS[plan].monthlyLimit, updated_at: now })
    .where(eq(subscriptions.user_id, id))
    .returning({ id: subscriptions.user_id });
}

/** The running cycle's use becomes nothing; the cycle goes on. */
export function resetUsageStatement(db: Db, id: string, now: number) {
  return db
    .update(subscriptions)
    .set({ current_usage: 0, updated_at: now })
    .where(eq(subscriptions.user_id, id))
    .returning({ id: subscriptions.user_id });
}

/** The row as it reads at `now`: a cycle that has ended counts from nothing, whether or not a link has been made since. */
export function subscriptionAt(row: Row, now: number): Subscription {
  const { start, end } = cycleAt(row.cycle_anchor, now);
  const over = row.billing_cycle_start < start;
  return {
    plan_type: row.plan,
    monthly_limit: row.monthly_limit,
    current_usage: over ? 0 : row.current_usage,
    billing_cycle_start: new Date(over ? start : row.billing_cycle_start).toISOString(),
    cycle_ends_at: new Date(end).toISOString(),
  };
}
