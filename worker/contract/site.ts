/** The product's name, said once. */
export const SITE_NAME = 'Hop';

/** Prices and quotas of the plans (spec §9). Money is in whole rupees per month. */
export const PLANS = {
  free: { name: 'Free', monthlyLimit: 25, price: 0 },
  premium: { name: 'Premium', monthlyLimit: 1000, price: 500 },
} as const;

export type PlanType = keyof typeof PLANS;

/** '₹500': how a price is written. */
export const priceText = (rupees: number): string => `₹${rupees.toLocaleString('en-IN')}`;

const perMonth = (plan: PlanType): string => `${PLANS[plan].monthlyLimit.toLocaleString('en')} URLs per month`;

/** What each plan is sold with (spec §2, 'Choose Your Plan'). */
export const PLAN_HOLDS: Readonly<Record<PlanType, readonly string[]>> = {
  free: [perMonth('free'), 'Basic analytics', 'QR codes'],
  premium: [perMonth('premium'), 'Advanced analytics', 'Priority support', 'Bulk processing'],
};
