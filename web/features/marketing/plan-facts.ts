import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#web/shared/format.ts';

const { free, premium } = PLANS;

/** '40x': how many times the free quota Premium is (spec §9). */
export const QUOTA_FACTOR = `${premium.monthlyLimit / free.monthlyLimit}x`;

export type Offer = { plan: keyof typeof PLANS; note: string; points: readonly string[] };

/** What each plan is sold with (spec §2, 'Choose Your Plan'). */
export const OFFERS: readonly Offer[] = [
  {
    plan: 'free',
    note: 'For a link now and then.',
    points: [`${formatNumber(free.monthlyLimit)} URLs per month`, 'Basic analytics', 'QR codes'],
  },
  {
    plan: 'premium',
    note: `${QUOTA_FACTOR} the free quota, for whoever shares links every day.`,
    points: [`${formatNumber(premium.monthlyLimit)} URLs per month`, 'Advanced analytics', 'Priority support', 'Bulk processing'],
  },
];

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
  { feature: 'Bulk processing', free: false, premium: true },
  { feature: 'Priority support', free: false, premium: true },
  { feature: 'Custom domains', free: false, premium: 'Coming soon' },
  { feature: 'API access', free: false, premium: 'Coming soon' },
];
