import { PLANS, type PlanType } from './site.ts';

/** GET /api/subscription. Times are RFC 3339. Usage resets at `cycle_ends_at`. */
export type Subscription = {
  plan_type: PlanType;
  monthly_limit: number;
  current_usage: number;
  billing_cycle_start: string;
  cycle_ends_at: string;
};

/** POST /api/subscription. `demo` is true if nothing was charged (BILLING=demo). */
export type UpgradeResponse = { success: true; demo: boolean; subscription: Subscription };

/** True if an upgrade would give this plan's members more links (docs/decisions.md#d37). */
export const hasBiggerPlan = (plan: PlanType): boolean =>
  Object.values(PLANS).some(({ monthlyLimit }) => monthlyLimit > PLANS[plan].monthlyLimit);
