import { BULK_MAX } from '#contract/limits.ts';
import { PLANS, type PlanType } from '#contract/site.ts';
import { formatNumber } from '#web/shared/format.ts';

const { free, premium } = PLANS;

/** '40x': how many times the free quota Premium is (spec §9). */
export const QUOTA_FACTOR = `${premium.monthlyLimit / free.monthlyLimit}x`;

/** For whom each plan is. */
export const PLAN_NOTES: Readonly<Record<PlanType, string>> = {
  free: 'For a link now and then.',
  premium: `${QUOTA_FACTOR} the free quota, for whoever shares links every day.`,
};

/** true: included · false: not · text: how much. */
export type Cell = boolean | string;
export type ComparisonRow = { feature: string; free: Cell; premium: Cell };

export const COMPARISON: readonly ComparisonRow[] = [
  {
    feature: 'URLs per month',
    free: formatNumber(free.monthlyLimit),
    premium: `${formatNumber(premium.monthlyLimit)} (${QUOTA_FACTOR})`,
  },
  { feature: 'Custom aliases', free: true, premium: true },
  { feature: 'QR codes', free: true, premium: true },
  { feature: 'Links that keep working after a downgrade', free: true, premium: true },
  { feature: 'Analytics', free: 'Basic', premium: 'Advanced' },
  { feature: 'Bulk processing', free: false, premium: `${BULK_MAX} at a time` },
  { feature: 'Priority support', free: false, premium: true },
  { feature: 'Custom domains', free: false, premium: 'Coming soon' },
  { feature: 'API access', free: false, premium: 'Coming soon' },
];
