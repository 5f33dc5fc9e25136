import { sql, type SQL } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import { subscriptions } from '#worker/db/schema-users.ts';

/**
 * A subscription's plan at `now` (ms), in SQL. A planned downgrade takes effect at its time, even
 * before a statement has stored it (docs/decisions.md#d7). So `plan` and `monthly_limit` alone may
 * be outdated.
 */

/** True if the planned downgrade of this row has taken effect. */
export const isDowngradeDue = (now: number): SQL =>
  sql`coalesce(${subscriptions.downgrade_at} <= ${now}, 0)`;

export const isPremium = (now: number): SQL =>
  sql`(${subscriptions.plan} = 'premium' and not ${isDowngradeDue(now)})`;

/** What the plan of this user includes, from PLANS. */
export const planIncludesNumber = (
  userId: SQL,
  name: 'webhookDeliveries' | 'linkChanges' | 'renames' | 'cards' | 'domains',
  now: number,
): SQL<number> => sql<number>`coalesce((select iif(${isPremium(now)}, ${PLANS.premium[name]}, ${PLANS.free[name]})
    from ${subscriptions} where ${subscriptions.user_id} = ${userId}), ${PLANS.free[name]})`;

export const limitAt = (now: number): SQL =>
  sql`iif(${isDowngradeDue(now)}, ${PLANS.free.monthlyLimit}, ${subscriptions.monthly_limit})`;

/** How many links this subscription may still import with their codes. */
export const importAllowanceAt = (now: number): SQL =>
  sql`max(0, iif(${isPremium(now)}, ${PLANS.premium.importedLinks}, ${PLANS.free.importedLinks}) - ${subscriptions.imported_links})`;

/** The user's plan and usage as JSON, for the audit log. */
export const planFacts = (userId: string, now: number): SQL => sql`(select json_object(
    'plan_type', iif(${isPremium(now)}, 'premium', 'free'), 'monthly_limit', ${limitAt(now)}, 'current_usage', current_usage,
    'imported_links', imported_links)
  from ${subscriptions} where user_id = ${userId})`;
