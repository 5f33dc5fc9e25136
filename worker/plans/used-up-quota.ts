import { hasBiggerPlan, type Subscription } from '#contract/plans/plans.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { remainingQuota } from './subscription.ts';

/**
 * `upgrade_needed` means that a bigger plan would help. `quota_used_up` means that there is none,
 * and the message says when the quota resets.
 */
export type QuotaError = LinkRefusal<'upgrade_needed' | 'quota_used_up'>;

/**
 * The refusal for a member whose quota is too small for the new links (docs/decisions.md#d37).
 * `needed` is the length of a list that is created completely or not at all.
 */
export const quotaError = (subscription: Subscription, needed = 0): QuotaError => ({
  ok: false,
  reason: hasBiggerPlan(subscription.plan_type) ? 'upgrade_needed' : 'quota_used_up',
  values: { needed, room: remainingQuota(subscription), resetsAt: subscription.cycle_ends_at },
});
