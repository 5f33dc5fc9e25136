import { PLANS, priceText } from '#contract/site.ts';
import { ApiError } from '#web/shared/api.ts';

export type ShortenError = {
  text: string;
  /** The field it stands beside; 'form' below the form. */
  at: 'longUrl' | 'customCode' | 'form';
  upgradeRequired: boolean;
};

const NETWORK = 'Failed to shorten URL. Please try again.';
const UPGRADE = `. Upgrade to ${PLANS.premium.name} for ${PLANS.premium.monthlyLimit.toLocaleString('en')} URLs/month at ${priceText(PLANS.premium.price)}/month.`;

/** What a failed shorten says and where (spec §8). The flag, never the status, tells a used-up quota from too many requests (decision 8). */
export function describeShortenError(cause: unknown): ShortenError {
  if (!(cause instanceof ApiError) || cause.status === 0 || cause.body.error === undefined)
    return { text: NETWORK, at: 'form', upgradeRequired: false };
  const { error, field, upgradeRequired } = cause.body;
  // The addition brings its own full stop.
  if (cause.status === 429 && upgradeRequired === true)
    return { text: error.replace(/\.$/, '') + UPGRADE, at: 'form', upgradeRequired: true };
  return { text: error, at: field === 'longUrl' || field === 'customCode' ? field : 'form', upgradeRequired: false };
}
