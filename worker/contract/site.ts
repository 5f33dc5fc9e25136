import { DISABLE_BOUND_SECONDS } from './limits.ts';

/** The name of the product. */
export const SITE_NAME = 'Hop';

/** The plans. Prices are in whole rupees per month. `ads`: members on the plan see ads, as visitors do. */
export const PLANS = {
  free: { name: 'Free', monthlyLimit: 25, price: 0, ads: true },
  premium: { name: 'Premium', monthlyLimit: 1000, price: 500, ads: false },
} as const;

export type PlanType = keyof typeof PLANS;

/** A price as the pages show it: '₹500'. */
export const priceText = (rupees: number): string => `₹${rupees.toLocaleString('en-IN')}`;

const perMonth = (plan: PlanType): string => `${PLANS[plan].monthlyLimit.toLocaleString('en')} URLs per month`;

/** Exists only where the deployment has a support address. */
export const PRIORITY_SUPPORT = 'Priority support';

/** The features listed for each plan on the pricing page and in the upgrade dialog. */
export const PLAN_FEATURES: Readonly<Record<PlanType, readonly string[]>> = {
  free: [perMonth('free'), 'Basic analytics', 'QR codes'],
  premium: [perMonth('premium'), 'Advanced analytics', PRIORITY_SUPPORT, 'Bulk processing', 'No ads'],
};

/** How soon a disabled link stops, as every page and document says it (docs/decisions.md#d15). */
export const DISABLE_PROMISE = `A disabled link usually stops redirecting everywhere within ${DISABLE_BOUND_SECONDS} seconds, but can take a minute or longer when the network is slow to carry the change.`;
