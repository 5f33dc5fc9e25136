import { eq, sql } from 'drizzle-orm';
import type { Subscription } from '#contract/plans/plans.ts';
import { PLANS, type PlanType } from '#contract/site.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptions } from '#worker/db/schema-users.ts';
import { cycleAt } from './cycle.ts';
import { importAllowanceAt } from './plan-at.ts';
import { insertFreeSubscription } from './quota.ts';

type Row = typeof subscriptions.$inferSelect;

/**
 * A member's subscription at `now` (ms). The first read creates the free subscription; nothing else
 * is written.
 */
export async function readSubscription(db: Db, userId: string, now: number): Promise<Subscription> {
  const select = () =>
    db.select().from(subscriptions).where(eq(subscriptions.user_id, userId)).get();
  let row = await select();
  if (row === undefined) {
    await db.run(insertFreeSubscription(userId, now));
    row = await select();
  }
  return subscriptionAt(row ?? unusedFreePlan(userId, now), now);
}

/**
 * Returns a member's plan at `now` (ms). Creates nothing: a member without a subscription is on
 * Free.
 */
export async function readPlan(db: Db, userId: string, now: number): Promise<PlanType> {
  const row = await db.select().from(subscriptions).where(eq(subscriptions.user_id, userId)).get();
  return row === undefined ? 'free' : subscriptionAt(row, now).plan_type;
}

/**
 * The plan that a request sees while its account is being deleted, when no subscription can be
 * inserted anymore.
 */
const unusedFreePlan = (userId: string, now: number): Row => ({
  user_id: userId,
  plan: 'free',
  monthly_limit: PLANS.free.monthlyLimit,
  current_usage: 0,
  cycle_anchor: now,
  billing_cycle_start: now,
  updated_at: now,
  downgrade_at: null,
  imported_links: 0,
  attempt: null,
});

/**
 * Moves a member to a plan. Usage, links and the cycle stay as they are (docs/decisions.md#d10).
 * The caller checks whether that is allowed.
 */
export async function setPlan(
  db: Db,
  userId: string,
  plan: PlanType,
  now: number,
): Promise<Subscription> {
  await db.run(insertFreeSubscription(userId, now));
  await setPlanStatement(db, userId, plan, now);
  return readSubscription(db, userId, now);
}

/**
 * Changes only the plan and its limit, and cancels a planned downgrade. Usage stays
 * (docs/decisions.md#d10).
 */
export function setPlanStatement(db: Db, userId: string, plan: PlanType, now: number) {
  return db
    .update(subscriptions)
    .set({ plan, monthly_limit: PLANS[plan].monthlyLimit, downgrade_at: null, updated_at: now })
    .where(eq(subscriptions.user_id, userId))
    .returning({ id: subscriptions.user_id });
}

/** Sets the usage of the current cycle to 0. The cycle continues. */
export function resetUsageStatement(db: Db, userId: string, now: number) {
  return db
    .update(subscriptions)
    .set({ current_usage: 0, updated_at: now })
    .where(eq(subscriptions.user_id, userId))
    .returning({ id: subscriptions.user_id });
}

/** Renews the allowance of links to import. */
export function renewImportStatement(db: Db, userId: string, now: number) {
  return db
    .update(subscriptions)
    .set({ imported_links: 0, updated_at: now })
    .where(eq(subscriptions.user_id, userId))
    .returning({ id: subscriptions.user_id });
}

/** How many links a member may still import with their codes, besides the quota. */
export async function readImportRoom(db: Db, userId: string, now: number): Promise<number> {
  const [row] = await db.all<{ room: number }>(
    sql`select ${importAllowanceAt(now)} as room from ${subscriptions} where user_id = ${userId}`,
  );
  return row?.room ?? 0;
}

/** How many links the month's quota has left. */
export const remainingQuota = ({ monthly_limit, current_usage }: Subscription): number =>
  Math.max(0, monthly_limit - current_usage);

/**
 * The values of a row at `now`. Usage is 0 once its cycle has ended, and the plan is Free once a
 * planned downgrade has taken effect, even if no link has been created since.
 */
export function subscriptionAt(row: Row, now: number): Subscription {
  const { start, end } = cycleAt(row.cycle_anchor, now);
  const hasEnded = row.billing_cycle_start < start;
  const isDowngraded = row.downgrade_at !== null && row.downgrade_at <= now;
  return {
    plan_type: isDowngraded ? 'free' : row.plan,
    monthly_limit: isDowngraded ? PLANS.free.monthlyLimit : row.monthly_limit,
    current_usage: hasEnded ? 0 : row.current_usage,
    billing_cycle_start: new Date(hasEnded ? start : row.billing_cycle_start).toISOString(),
    cycle_ends_at: new Date(end).toISOString(),
    downgrade_at:
      row.downgrade_at === null || isDowngraded ? null : new Date(row.downgrade_at).toISOString(),
  };
}
