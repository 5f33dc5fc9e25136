import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { storedPrice } from './stored-price.ts';

const { premium } = PLANS;

export const PLAN_FAILED = 'Your plan could not be loaded.';

/** What Premium offers, in the currency that the visitor chose. */
export const upgradeOffer = (): string =>
  `Upgrade to ${premium.name} for ${formatNumber(premium.monthlyLimit)} URLs/month at ${storedPrice().month}/month.`;

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
