import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { DowngradeRequest, Subscription } from '#contract/plans/plans.ts';
import { PLANS } from '#contract/site.ts';
import { recordAction, type AuditEntry } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { subscriptions } from '#worker/db/schema-users.ts';
import { isPremium, planFacts } from './plan-at.ts';
import { readSubscription } from './subscription.ts';

/** `changed` is false if the subscription already was as requested. */
export type DowngradeResult =
  | { ok: true; changed: boolean; subscription: Subscription }
  | { ok: false; reason: 'already_free' };

export type Downgrade = { userId: string; when: DowngradeRequest['when']; now: number };

/**
 * Moves a Premium member to Free, at once or when the running cycle ends. Usage and links stay
 * (docs/decisions.md#d10). A downgrade at the end of the cycle is stored in the row, and the
 * statement that starts the next cycle applies it.
 */
export async function downgrade(
  db: Db,
  { userId, when, now }: Downgrade,
): Promise<DowngradeResult> {
  if (when === 'now') {
    const free = {
      plan: 'free',
      monthly_limit: PLANS.free.monthlyLimit,
      downgrade_at: null,
    } as const;
    return change(db, {
      userId,
      set: free,
      when: isPremium(now),
      action: 'downgrade_plan',
      after: { plan_type: 'free' },
      now,
    });
  }
  const { cycle_ends_at } = await readSubscription(db, userId, now);
  const after = { downgrade_at: cycle_ends_at };
  const set = { downgrade_at: Date.parse(cycle_ends_at) };
  const notPlanned = sql`${isPremium(now)} and ${isNull(subscriptions.downgrade_at)}`;
  return change(db, { userId, set, when: notPlanned, action: 'downgrade_plan', after, now });
}

/** Cancels a planned downgrade that has not taken effect yet. */
export function cancelDowngrade(db: Db, userId: string, now: number): Promise<DowngradeResult> {
  const planned = sql`${isPremium(now)} and ${subscriptions.downgrade_at} is not null`;
  const after = { downgrade_at: null };
  return change(db, { userId, set: after, when: planned, action: 'cancel_downgrade', after, now });
}

type Change = {
  userId: string;
  set: Partial<typeof subscriptions.$inferInsert>;
  when: SQL;
  action: string;
  after: AuditEntry['after'];
  now: number;
};

/** Changes the row and records it in the audit log, in one batch. */
async function change(
  db: Db,
  { userId, set, when, action, after, now }: Change,
): Promise<DowngradeResult> {
  const entry = {
    at: now,
    adminId: userId,
    action,
    before: planFacts(userId, now),
    after,
  };
  const row = and(eq(subscriptions.user_id, userId), when);
  const { changed } = await runNamedBatch(db, {
    record: recordAction(entry, sql`exists (select 1 from ${subscriptions} where ${row})`),
    changed: db
      .update(subscriptions)
      .set({ ...set, updated_at: now })
      .where(row)
      .returning({ id: subscriptions.user_id }),
  });
  const subscription = await readSubscription(db, userId, now);
  const hasChanged = changed.rows.length > 0;
  return hasChanged || subscription.plan_type === 'premium'
    ? { ok: true, changed: hasChanged, subscription }
    : { ok: false, reason: 'already_free' };
}
