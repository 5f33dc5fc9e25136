import * as z from 'zod/mini';
import { BILLING_PERIODS, CURRENCY_CODES } from './currencies.ts';
import { PLANS, type PlanType, type UsedQuota } from '#contract/site.ts';

/**
 * GET /api/subscription. Times are RFC 3339. Usage resets at `cycle_ends_at`. `downgrade_at` is
 * when the plan becomes Free; null if no downgrade is planned.
 */
export type Subscription = UsedQuota & {
  plan_type: PlanType;
  billing_cycle_start: string;
  cycle_ends_at: string;
  downgrade_at: string | null;
};

/**
 * POST /api/subscription. Without a choice it is the first currency, by month. `price` is what the
 * page showed, so that nobody agrees to one price and pays another.
 */
export const upgradeRequest = z.object({
  currency: z.optional(z.enum(CURRENCY_CODES, 'Choose an offered currency.')),
  period: z.optional(z.enum(BILLING_PERIODS, 'Choose a period: “month” or “year”.')),
  price: z.optional(z.string().check(z.maxLength(20))),
});
export type UpgradeRequest = z.infer<typeof upgradeRequest>;

/** The response to POST /api/subscription. `demo` is true if nothing was charged (BILLING=demo). */
export type UpgradeResponse = { success: true; demo: boolean; subscription: Subscription };

/** POST /api/subscription/downgrade: to Free, at once or when the running cycle ends. */
export const downgradeRequest = z.object({
  when: z.enum(['now', 'cycle_end'], 'Choose when to downgrade: “now” or “cycle_end”.'),
});
export type DowngradeRequest = z.infer<typeof downgradeRequest>;

/**
 * The response to a downgrade, and to DELETE /api/subscription/downgrade, which cancels a planned
 * one.
 */
export type DowngradeResponse = { success: true; subscription: Subscription };

/** True if an upgrade would give this plan's members more links (docs/decisions.md#d37). */
export const hasBiggerPlan = (plan: PlanType): boolean =>
  Object.values(PLANS).some(({ monthlyLimit }) => monthlyLimit > PLANS[plan].monthlyLimit);
