import { PLANS } from '#contract/site.ts';
import type { Db } from '#worker/db/client.ts';
import { cycleAt } from './cycle.ts';

/**
 * The statements that take `links` links off a member's quota, for the batch that inserts them (decision 6).
 * The second one counts and, in the same statement, starts a new cycle where one is due; it changes no row when the quota
 * does not hold them all, so the INSERT after it asks for `changes() = 1`. A failure anywhere in the batch gives the use
 * back. A person who was suspended or deleted since their token was checked gets nothing. Its row is `{ current_usage, monthly_limit }`.
 */
export async function takeFromQuota(
  db: Db,
  userId: string,
  links: number,
  now: number,
): Promise<[D1PreparedStatement, D1PreparedStatement]> {
  const known = await db.$client
    .prepare('SELECT cycle_anchor FROM subscriptions WHERE user_id = ?1')
    .bind(userId)
    .first<{ cycle_anchor: number }>();
  // The anchor never changes once it is written, so reading it ahead of the batch races with nothing.
  const start = cycleAt(known?.cycle_anchor ?? now, now).start;
  return [
    freeSubscription(db, userId, now),
    db.$client
      .prepare(
        `UPDATE subscriptions SET
           current_usage = CASE WHEN billing_cycle_start < ?2 THEN ?4 ELSE current_usage + ?4 END,
           billing_cycle_start = max(billing_cycle_start, ?2),
           updated_at = ?3
         WHERE user_id = ?1 AND monthly_limit >= ?4 + CASE WHEN billing_cycle_start < ?2 THEN 0 ELSE current_usage END
           AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND suspended_at IS NULL)
         RETURNING current_usage, monthly_limit`,
      )
      .bind(userId, start, now, links),
  ];
}

/** Gives a member without a subscription the free one; changes nothing for others, and nothing where the account is gone. */
export function freeSubscription(db: Db, userId: string, now: number): D1PreparedStatement {
  return db.$client
    .prepare(
      `INSERT INTO subscriptions (user_id, plan, monthly_limit, current_usage, cycle_anchor, billing_cycle_start, updated_at)
       SELECT ?1, 'free', ?2, 0, ?3, ?3, ?3 WHERE EXISTS (SELECT 1 FROM users WHERE id = ?1) ON CONFLICT (user_id) DO NOTHING`,
    )
    .bind(userId, PLANS.free.monthlyLimit, now);
}
