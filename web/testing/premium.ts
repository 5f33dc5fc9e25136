import type { Subscription } from '#contract/plans/plans.ts';

export const PREMIUM: Subscription = {
  plan_type: 'premium',
  monthly_limit: 1000,
  current_usage: 30,
  billing_cycle_start: '2026-11-12T12:00:00Z',
  cycle_ends_at: '2026-12-12T12:00:00Z',
  downgrade_at: null,
};
