import type { PAGES } from '#contract/paths.ts';

/** A test: `file.e2e.ts › its title` (a part of it that only this test has). */
type Shown = `${string}.e2e.ts › ${string}`;

const SENT_TO_SIGN_IN = 'walk.e2e.ts › every page as';

/** Spec §2: each route, and the tests that show what its row says. The walk opens each as visitor, member and admin. */
export const ROUTES: Readonly<Record<(typeof PAGES)[number], readonly Shown[]>> = {
  '/': [
    'shorten.e2e.ts › shortens a long link: button rules',
    'plans.e2e.ts › a used-up quota says so',
    'account.e2e.ts › sign-up → mail → link',
    SENT_TO_SIGN_IN,
  ],
  '/auth': ['account.e2e.ts › a member has no business on /auth', 'account.e2e.ts › said beside their fields', SENT_TO_SIGN_IN],
  '/auth/confirm': ['mail-links.e2e.ts › the browser that signed up', 'mail-links.e2e.ts › in another browser', SENT_TO_SIGN_IN],
  '/auth/reset': ['account.e2e.ts › a forgotten password', 'mail-links.e2e.ts › a new password by keyboard', SENT_TO_SIGN_IN],
  '/dashboard': [
    'plans.e2e.ts › the dashboard: figures with their meanings',
    'account.e2e.ts › a page for members asks a visitor to sign in',
    SENT_TO_SIGN_IN,
  ],
  '/analytics/:code': [
    'analytics.e2e.ts › a new link has no clicks yet',
    'analytics.e2e.ts › ranges stand in the URL',
    'analytics.e2e.ts › Analytics Not Available',
    SENT_TO_SIGN_IN,
  ],
  '/blogs': ['blog.e2e.ts › the list shows title, date', 'blog.e2e.ts › empty and broken do not look alike', SENT_TO_SIGN_IN],
  '/blog/:slug': ['blog.e2e.ts › Share copies the link', 'blog.e2e.ts › an unknown post and a draft say so', SENT_TO_SIGN_IN],
  '/admin/blogs': [
    'blog.e2e.ts › a visitor signs in first',
    'blog.e2e.ts › a member writes drafts',
    'blog.e2e.ts › an administrator publishes',
    SENT_TO_SIGN_IN,
  ],
  '/privacy': ['pages.e2e.ts › Privacy and Terms say when', SENT_TO_SIGN_IN],
  '/terms': ['pages.e2e.ts › Privacy and Terms say when', SENT_TO_SIGN_IN],
  '/about': [SENT_TO_SIGN_IN],
  '/pricing': ['pages.e2e.ts › Pricing compares the plans', SENT_TO_SIGN_IN],
  '/admin': ['admin.e2e.ts › /admin opens for everyone', 'admin.e2e.ts › an administrator sees the figures', SENT_TO_SIGN_IN],
  '/settings': ['settings.e2e.ts › the current password is needed', 'settings.e2e.ts › deleting the account', SENT_TO_SIGN_IN],
  '/report': ['admin.e2e.ts › a report by a visitor ends', SENT_TO_SIGN_IN],
};

/** Spec §8 (and the empty states of §2): each text, and the test in which it is seen. */
export const TEXTS: readonly (readonly [text: string, shown: Shown])[] = [
  ['. Upgrade to Premium for 1,000 URLs/month at ₹500/month.', 'plans.e2e.ts › a used-up quota says so'],
  ['Failed to shorten URL. Please try again.', 'shorten.e2e.ts › without a network'],
  ['Invalid login credentials', 'account.e2e.ts › a forgotten password'],
  ['Check your email for the confirmation link!', 'account.e2e.ts › sign-up → mail → link'],
  ['Successfully upgraded to Premium!', 'plans.e2e.ts › a used-up quota says so'],
  ['Payment integration required. Please contact support for manual upgrade.', 'plans.e2e.ts › a failed upgrade'],
  ['Payment system not yet integrated. Please contact support for manual upgrade.', 'plans.e2e.ts › a failed upgrade'],
  ['Failed to load analytics', 'analytics.e2e.ts › a report that fails later'],
  ['Plan updated successfully!', 'admin.e2e.ts › an administrator sees the figures'],
  ['Failed to update plan', 'admin.e2e.ts › a refused and an unreachable change'],
  ['Error updating plan', 'admin.e2e.ts › a refused and an unreachable change'],
  ['Usage reset successfully!', 'admin.e2e.ts › an administrator sees the figures'],
  ['Failed to reset usage', 'admin.e2e.ts › a refused and an unreachable change'],
  ['Error resetting usage', 'admin.e2e.ts › a refused and an unreachable change'],
  ['No URLs yet', 'plans.e2e.ts › the dashboard: figures with their meanings'],
  ['No clicks yet', 'analytics.e2e.ts › a new link has no clicks yet'],
  ['No location data', 'analytics.e2e.ts › a new link has no clicks yet'],
  ['Analytics Not Available', 'analytics.e2e.ts › Analytics Not Available'],
  ['No blog posts yet', 'blog.e2e.ts › empty and broken do not look alike'],
  ['Blog post not found', 'blog.e2e.ts › an unknown post and a draft say so'],
  // The silent failures: an empty view and one quiet line.
  ['The QR code could not be loaded.', 'silent.e2e.ts › a QR code that does not load'],
  ['Your links could not be loaded.', 'plans.e2e.ts › the dashboard: figures with their meanings'],
  ['The statistics could not be loaded.', 'silent.e2e.ts › statistics of the admin dashboard'],
  ['The post was not saved.', 'silent.e2e.ts › a post that cannot be created'],
];
