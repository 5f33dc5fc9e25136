import { PAGES } from '#contract/paths.ts';
import type { LoadScreen } from './screen-loading.ts';

export type Page = {
  load: LoadScreen;
  /** `member`: visitors go to /auth and come back. `visitor`: members go on to /dashboard. */
  guard?: 'member' | 'visitor';
};
type PagePath = (typeof PAGES)[number];

/** Each page of the contract, loaded on demand. One line a page. */
export const PAGE_SCREENS: Partial<Record<PagePath, Page>> = {
  '/': { load: () => import('./home-page.tsx').then((m) => m.HomePage) },
  '/analytics/:code': {
    load: () => import('#web/features/analytics/analytics-page.tsx').then((m) => m.AnalyticsPage),
    guard: 'member',
  },
  '/admin': { load: () => import('#web/features/admin/admin-page.tsx').then((m) => m.AdminPage) },
  '/settings': { load: () => import('#web/features/account/settings-page.tsx').then((m) => m.SettingsPage), guard: 'member' },
  '/report': { load: () => import('#web/features/abuse/report-page.tsx').then((m) => m.ReportPage) },
  '/pricing': { load: () => import('#web/features/marketing/pricing-page.tsx').then((m) => m.PricingPage) },
  '/about': { load: () => import('#web/features/marketing/about-page.tsx').then((m) => m.AboutPage) },
  '/privacy': { load: () => import('#web/features/marketing/privacy-page.tsx').then((m) => m.PrivacyPage) },
  '/terms': { load: () => import('#web/features/marketing/terms-page.tsx').then((m) => m.TermsPage) },
  '/blogs': { load: () => import('#web/features/blog/blog-list-page.tsx').then((m) => m.BlogListPage) },
  '/blog/:slug': { load: () => import('#web/features/blog/blog-post-page.tsx').then((m) => m.BlogPostPage) },
  '/admin/blogs': { load: () => import('#web/features/blog/blog-admin-page.tsx').then((m) => m.BlogAdminPage), guard: 'member' },
};

/** What to load for a link to `pathname`, if it is a page without parameters. */
export const screenAt = (pathname: string): LoadScreen | undefined => {
  const path = PAGES.find((page) => page === pathname);
  return path === undefined ? undefined : PAGE_SCREENS[path]?.load;
};
