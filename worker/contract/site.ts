import { DISABLE_BOUND_SECONDS } from './limits.ts';

export const SITE_NAME = 'Hop';

export const HEADER_LINKS = [
  { to: '/blogs', label: 'Blog' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/about', label: 'About' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/terms', label: 'Terms' },
] as const;

/** The header's links of members, before the public pages. */
export const MEMBER_LINKS = [
  { to: '/dashboard', label: 'My URLs' },
  { to: '/analytics', label: 'Analytics' },
  { to: '/admin/blogs', label: 'Manage Blogs' },
] as const;

export const FOOTER_LINKS = [
  ...HEADER_LINKS,
  { to: '/docs/api', label: 'API' },
  { to: '/tools', label: 'Tools' },
  { to: '/report', label: 'Report a link' },
] as const;

/**
 * The plans, but for their prices (prices.ts). `apiRequests` is how many requests a minute one API
 * key may send; `webhooks` is how many webhook endpoints an account may have,
 * `webhookDeliveries` how many deliveries they get a day; `importedLinks` is how many links an
 * account may bring from other services with their codes, once, on top of the monthly quota.
 * `linkChanges` is how many changes of links an account may make a day, where a link counts once
 * for each of its codes, and `renames` is how many of them may give a link a new code. `cards` is
 * how many links may have a preview card, `domains` how many own domains an account may have.
 */
export const PLANS = {
  free: {
    name: 'Free',
    monthlyLimit: 25,
    apiRequests: 60,
    webhooks: 2,
    webhookDeliveries: 1000,
    importedLinks: 0,
    linkChanges: 1000,
    renames: 10,
    cards: 10,
    domains: 1,
  },
  premium: {
    name: 'Premium',
    monthlyLimit: 1000,
    apiRequests: 600,
    webhooks: 10,
    webhookDeliveries: 20_000,
    importedLinks: 10_000,
    linkChanges: 20_000,
    renames: 200,
    cards: 500,
    domains: 10,
  },
} as const;

export type PlanType = keyof typeof PLANS;
/** How many links of the month's quota are used. */
export type UsedQuota = { current_usage: number; monthly_limit: number };

/** Premium's monthly quota as a multiple of the free plan's: '40x'. */
export const QUOTA_FACTOR = `${PLANS.premium.monthlyLimit / PLANS.free.monthlyLimit}x`;

/**
 * How soon a disabled link stops, in the words of every page and document (docs/decisions.md#d15).
 */
export const DISABLE_PROMISE = `A disabled link usually stops redirecting everywhere within ${DISABLE_BOUND_SECONDS} seconds, but can take a minute or longer when the network is slow to carry the change.`;
