import { PLANS, priceText } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';

const { free, premium } = PLANS;

/** Premium's monthly quota as a multiple of the free plan's: '40x'. */
export const QUOTA_FACTOR = `${premium.monthlyLimit / free.monthlyLimit}x`;

export const PLAN_FAILED = 'Your plan could not be loaded.';

export const UPGRADE_OFFER = `Upgrade to ${premium.name} for ${formatNumber(premium.monthlyLimit)} URLs/month at ${priceText(premium.price)}/month.`;

/**
 * The channel that tells all open tabs, including the sender's, that the member's plan has changed.
 */
export const PLAN_CHANNEL = 'hop:plan';

export function announcePlanChange(): void {
  const tabs = new BroadcastChannel(PLAN_CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays within our origin.
  tabs.postMessage(null);
  tabs.close();
}
