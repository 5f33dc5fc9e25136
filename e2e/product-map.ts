/**
 * The browser tests that show each section of docs/product.md, by the section's anchor. `walk.e2e.ts` opens every page as visitor,
 * member and administrator and is not repeated here.
 */
export const SHOWN_BY: Readonly<Record<string, readonly `${string}.e2e.ts`[]>> = {
  plans: ['plans.e2e.ts'],
  'links-made-without-an-account': ['shorten.e2e.ts', 'keyboard.e2e.ts'],
  'opening-a-short-link': ['redirect.e2e.ts'],
  preview: ['redirect.e2e.ts', 'markup.e2e.ts'],
  clicks: ['redirect.e2e.ts', 'analytics.e2e.ts'],
  pages: ['walk.e2e.ts', 'states.e2e.ts', 'keyboard.e2e.ts', 'pages.e2e.ts', 'first-paint.e2e.ts'],
  home: ['shorten.e2e.ts', 'keyboard.e2e.ts', 'plans.e2e.ts', 'silent.e2e.ts', 'ads.e2e.ts'],
  ads: ['ads.e2e.ts'],
  support: ['plans.e2e.ts', 'redirect.e2e.ts'],
  'sign-in': ['account.e2e.ts', 'auth-codes.e2e.ts'],
  confirm: ['mail-links.e2e.ts'],
  'reset-password': ['account.e2e.ts', 'mail-links.e2e.ts', 'auth-codes.e2e.ts'],
  dashboard: ['plans.e2e.ts', 'account.e2e.ts', 'keyboard.e2e.ts'],
  analytics: ['analytics.e2e.ts', 'ads.e2e.ts'],
  blog: ['blog.e2e.ts', 'markup.e2e.ts'],
  'manage-blogs': ['blog.e2e.ts', 'silent.e2e.ts'],
  admin: ['admin.e2e.ts', 'silent.e2e.ts'],
  settings: ['settings.e2e.ts', 'plans.e2e.ts'],
  report: ['admin.e2e.ts'],
  'public-pages': ['pages.e2e.ts', 'plans.e2e.ts'],
  'not-found': ['redirect.e2e.ts', 'pages.e2e.ts'],
  'other-addresses': ['pages.e2e.ts'],
  'sign-in-routes': ['auth-contract.e2e.ts'],
};
