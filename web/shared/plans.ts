import { PLAN_FEATURES, PLANS, PRIORITY_SUPPORT, priceText, type PlanType } from '#contract/site.ts';
import { formatNumber } from './format.ts';
import { hasSupport } from './support.tsx';

const { free, premium } = PLANS;

/** '40x': Premium's monthly quota as a multiple of the free plan's. */
export const QUOTA_FACTOR = `${premium.monthlyLimit / free.monthlyLimit}x`;

/** The offer shown when the free quota is used up. */
export const UPGRADE_OFFER = `Upgrade to ${premium.name} for ${formatNumber(premium.monthlyLimit)} URLs/month at ${priceText(premium.price)}/month.`;

/** The features of a plan as this deployment has them: without a support address there is no support to give priority to. */
export const planFeatures = (type: PlanType): readonly string[] =>
  PLAN_FEATURES[type].flatMap((feature) => {
    if (feature !== PRIORITY_SUPPORT) return [feature];
    return hasSupport() ? [`${feature}: we answer your mail first`] : [];
  });
