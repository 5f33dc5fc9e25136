import { FEATURES, type PlanFeature } from '#contract/plan-features.ts';
import { PLANS, type PlanType } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import { QUOTA_FACTOR } from '#web/shared/plans.ts';

const { free, premium } = PLANS;

export const PLAN_SUMMARIES: Readonly<Record<PlanType, string>> = {
  free: 'For occasional links.',
  premium: `${QUOTA_FACTOR} the free quota, for people who share links every day.`,
};

const requestRate = (perMinute: number): string => `${formatNumber(perMinute)} requests a minute`;

const webhooksOf = (plan: PlanType): string =>
  `${PLANS[plan].webhooks}, with ${formatNumber(PLANS[plan].webhookDeliveries)} deliveries a day`;

export const COMPARISON: readonly PlanFeature[] = [
  {
    name: 'URLs per month',
    free: formatNumber(free.monthlyLimit),
    premium: `${formatNumber(premium.monthlyLimit)} (${QUOTA_FACTOR})`,
  },
  ...Object.values(FEATURES),
  { name: 'Links keep working after a downgrade', free: true, premium: true },
  { name: 'Custom domains', free: false, premium: 'Coming soon' },
  {
    name: 'API access',
    detail: 'Keys with scopes, requests that can be repeated safely, and an OpenAPI description.',
    free: requestRate(free.apiRequests),
    premium: requestRate(premium.apiRequests),
  },
  {
    name: 'Webhooks',
    detail: 'Signed requests to your own systems when links change or are clicked.',
    free: webhooksOf('free'),
    premium: webhooksOf('premium'),
  },
];
