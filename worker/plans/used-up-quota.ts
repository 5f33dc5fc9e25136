import { formatUtcDate } from '#contract/language.ts';
import { hasBiggerPlan, type Subscription } from '#contract/plans.ts';

/** 'Dec 12, 2026 (UTC)' */
export const utcDay = (timestamp: string): string => `${formatUtcDate(timestamp)} (UTC)`;

/**
 * `upgrade_needed`: a bigger plan would help. `quota_used_up`: there is none, and the message says
 * when the quota resets.
 */
export type QuotaError = { ok: false; reason: 'upgrade_needed' | 'quota_used_up'; message: string };

/**
 * The refusal of a member whose quota does not hold the new links (docs/decisions.md#d37).
 * `problem` has no full stop.
 */
export function quotaError(
  problem: string,
  { plan_type, cycle_ends_at }: Subscription,
): QuotaError {
  return hasBiggerPlan(plan_type)
    ? // Without a full stop, because the page continues with '. Upgrade to Premium for …'.
      { ok: false, reason: 'upgrade_needed', message: problem }
    : {
        ok: false,
        reason: 'quota_used_up',
        message: `${problem}. Your quota resets on ${utcDay(cycle_ends_at)}.`,
      };
}
