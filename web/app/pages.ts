import { PAGES } from '#contract/paths.ts';
import type { LoadScreen } from './screen-loading.ts';

type PagePath = (typeof PAGES)[number];
type Page = {
  load: LoadScreen;
  /** `member`: visitors go to /auth and come back. `visitor`: members go on to /dashboard. */
  guard?: 'member' | 'visitor';
  /** The screen does without the query cache, which then does not load with it. */
  bare?: true;
};

/** Each page of the contract, loaded on demand. One line a page. */
const PAGE_SCREENS: Record<PagePath, Page> = {
  '/': { load: () => import('./home-page.tsx').then((m) => m.HomePage), bare: true },
  '/analytics/:code': {
    load: () => import('#web/features/analytics/analytics-page.tsx').then((m) => m.AnalyticsPage),
    guard: 'member',
  },
  '/admin': { load: () => import('#web/features/admin/admin-page.tsx').then((m) => m.AdminPage) },
  '/settings': { load: () => import('#web/features/account/settings-page.tsx').then((m) => m.SettingsPage), guard: 'member' },
  '/report': { load: () => import('#web/features/abuse/report-page.tsx').then((m) => m.ReportPage) },
  '/pricing': { load: () => import('#web/features/marketing/pricing-page.tsx').then((m) => m.PricingPage), bare: true },
  '/about': { load: () => import('#web/features/marketing/about-page.tsx').then((m) => m.AboutPage), bare: true },
  '/privacy': { load: () => import('#web/features/marketing/privacy-page.tsx').then((m) => m.PrivacyPage), bare: true },
  '/terms': { load: () => import('#web/features/marketing/terms-page.tsx').then((m) => m.TermsPage), bare: true },
  '/blogs': { load: () => import('#web/features/blog/blog-list-page.tsx').then((m) => m.BlogListPage) },
  '/blog/:slug': { load: () => import('#web/features/blog/blog-post-page.tsx').then((m) => m.BlogPostPage) },
  '/admin/blogs': { load: () => import('#web/features/blog/blog-admin-page.tsx').then((m) => m.BlogAdminPage), guard: 'member' },
  '/auth': { load: () => import('#web/features/auth/auth-page.tsx').then((m) => m.AuthPage), guard: 'visitor', bare: true },
  '/auth/confirm': { load: () => import('#web/features/auth/confirm-page.tsx').then((m) => m.ConfirmPage), bare: true },
  '/auth/reset': { load: () => import('#web/features/auth/reset-page.tsx').then((m) => m.ResetPage), bare: true },
  '/dashboard': { load: () => import('./dashboard-page.tsx').then((m) => m.DashboardPage), guard: 'member' },
};

/** Loads the query cache beside the screen and puts the screen into it. */
function withQueries(load: LoadScreen): LoadScreen {
  return async () => {
    const [{ withQueryClient }, screen] = await Promise.all([import('./query-client.tsx'), load()]);
    return withQueryClient(screen);
  };
}

/** What the router shows: pattern, screen, who may see it. */
export const SCREENS = Object.entries(PAGE_SCREENS).map(([path, page]) => ({
  path,
  guard: page.guard,
  load: page.bare === true ? page.load : withQueries(page.load),
}));

/** What to load for a link to `pathname`, if it is a page without parameters. */
export const screenAt = (pathname: string): LoadScreen | undefined => SCREENS.find((screen) => screen.path === pathname)?.load;
