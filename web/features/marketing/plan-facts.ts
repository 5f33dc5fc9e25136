import { BULK_MAX } from '#contract/limits.ts';
import { PLANS, PRIORITY_SUPPORT, type PlanType } from '#contract/site.ts';
import { formatNumber } from '#web/shared/format.ts';
import { QUOTA_FACTOR } from '#web/shared/plans.ts';
import { hasSupport } from '#web/shared/support.tsx';

const { free, premium } = PLANS;

/** Who each plan is for. */
export const PLAN_SUMMARIES: Readonly<Record<PlanType, string>> = {
  free: 'For occasional links.',
  premium: `${QUOTA_FACTOR} the free quota, for people who share links every day.`,
};

/** true: included. false: not included. A string says how much. */
export type Cell = boolean | string;
export type ComparisonRow = { feature: string; free: Cell; premium: Cell };

export const comparison = (): readonly ComparisonRow[] => [
  {
    feature: 'URLs per month',
    free: formatNumber(free.monthlyLimit),
    premium: `${formatNumber(premium.monthlyLimit)} (${QUOTA_FACTOR})`,
  },
  { feature: 'Custom aliases', free: true, premium: true },
  { feature: 'QR codes', free: true, premium: true },
  { feature: 'Links keep working after a downgrade', free: true, premium: true },
  { feature: 'Analytics', free: 'Basic', premium: 'Advanced' },
  { feature: 'Bulk processing', free: false, premium: `${BULK_MAX} at a time` },
  { feature: 'No ads', free: false, premium: true },
  ...(hasSupport() ? [{ feature: PRIORITY_SUPPORT, free: false, premium: 'Answered first' }] : []),
  { feature: 'Custom domains', free: false, premium: 'Coming soon' },
  { feature: 'API access', free: false, premium: 'Coming soon' },
];
