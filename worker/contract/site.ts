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
