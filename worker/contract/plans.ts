import type { PlanType } from './site.ts';

/** GET /api/subscription (spec §3). `billing_cycle_start` is RFC 3339; `cycle_ends_at` is when the counter starts anew. */
export type Subscription = {
  plan_type: PlanType;
  monthly_limit: number;
  current_usage: number;
  billing_cycle_start: string;
  cycle_ends_at: string;
};

/** POST /api/subscription. `demo` is true where no money changed hands (BILLING=demo). */
export type UpgradeResponse = { success: true; demo: boolean; subscription: Subscription };
