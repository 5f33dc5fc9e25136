import { PAGES } from '#contract/paths.ts';
import type { LoadScreen } from './screen-loading.ts';

type PagePath = (typeof PAGES)[number];
type Page = {
  load: LoadScreen;
  /** `member`: visitors are sent to /auth and back. `visitor`: members are sent to /dashboard. */
  guard?: 'member' | 'visitor';
  /** The screen does not use the query cache, so the cache does not load with it. */
  noQueries?: true;
  /** Loads the data of the screen at a path, so that it renders complete. */
  prefetch?: (pathname: string) => Promise<void>;
};

/**
 * The screen of every page in the contract, loaded on demand. The build parses this table; see
 * web/screen-preloads.ts.
 */
const PAGE_SCREENS: Record<PagePath, Page> = {
  '/': { load: () => import('./home-page.tsx').then((m) => m.HomePage), noQueries: true },
  '/analytics/:code': {
    load: () => import('./analytics-screen.tsx').then((m) => m.AnalyticsScreen),
    guard: 'member',
    prefetch: prefetchAnalytics,
  },
  '/qr/:code': {
    load: () => import('#web/features/qr/qr-page.tsx').then((m) => m.QrPage),
    guard: 'member',
  },
  '/analytics': {
    load: () => import('./overview-screen.tsx').then((m) => m.OverviewScreen),
    guard: 'member',
  },
  '/admin': { load: () => import('#web/features/admin/admin-page.tsx').then((m) => m.AdminPage) },
  '/settings': {
    load: () => import('./settings-page.tsx').then((m) => m.SettingsPage),
    guard: 'member',
  },
  '/settings/sessions': {
    load: () => import('#web/features/account/sessions-page.tsx').then((m) => m.SessionsPage),
    guard: 'member',
  },
  '/settings/api': {
    load: () => import('#web/features/api-keys/api-keys-page.tsx').then((m) => m.ApiKeysPage),
    guard: 'member',
  },
  '/tools': {
    load: () => import('#web/features/marketing/tools-page.tsx').then((m) => m.ToolsPage),
    noQueries: true,
  },
  '/settings/webhooks': {
    load: () => import('#web/features/webhooks/webhooks-page.tsx').then((m) => m.WebhooksPage),
    guard: 'member',
  },
  '/links/import': {
    load: () => import('#web/features/import/import-page.tsx').then((m) => m.ImportPage),
    guard: 'member',
  },
  '/unsubscribe': {
    load: () =>
      import('#web/features/weekly-mail/unsubscribe-page.tsx').then((m) => m.UnsubscribePage),
    noQueries: true,
  },
  '/report': {
    load: () => import('#web/features/abuse/report-page.tsx').then((m) => m.ReportPage),
  },
  '/docs/api': {
    load: () => import('#web/features/api-docs/api-docs-page.tsx').then((m) => m.ApiDocsPage),
    noQueries: true,
  },
  '/pricing': {
    load: () => import('./pricing-page.tsx').then((m) => m.PricingPage),
    noQueries: true,
  },
  '/about': {
    load: () => import('#web/features/marketing/about-page.tsx').then((m) => m.AboutPage),
    noQueries: true,
  },
  '/privacy': {
    load: () => import('#web/features/marketing/privacy-page.tsx').then((m) => m.PrivacyPage),
    noQueries: true,
  },
  '/terms': {
    load: () => import('#web/features/marketing/terms-page.tsx').then((m) => m.TermsPage),
    noQueries: true,
  },
  '/blogs': {
    load: () => import('#web/features/blog/blog-list-page.tsx').then((m) => m.BlogListPage),
    prefetch: prefetchPosts,
  },
  '/blog/:slug': {
    load: () => import('#web/features/blog/blog-post-page.tsx').then((m) => m.BlogPostPage),
    prefetch: prefetchPosts,
  },
  '/admin/claim': {
    load: () => import('#web/features/admin/claim-page.tsx').then((m) => m.AdminClaimPage),
    noQueries: true,
  },
  '/admin/blogs': {
    load: () => import('#web/features/blog/blog-admin-page.tsx').then((m) => m.BlogAdminPage),
    guard: 'member',
  },
  '/auth': {
    load: () => import('#web/features/auth/auth-page.tsx').then((m) => m.AuthPage),
    guard: 'visitor',
    noQueries: true,
  },
  '/auth/confirm': {
    load: () => import('#web/features/auth/confirm-page.tsx').then((m) => m.ConfirmPage),
    noQueries: true,
  },
  '/auth/reset': {
    load: () => import('#web/features/auth/reset-page.tsx').then((m) => m.ResetPage),
    noQueries: true,
  },
  '/dashboard': {
    load: () => import('./dashboard-page.tsx').then((m) => m.DashboardPage),
    guard: 'member',
    prefetch: prefetchDashboard,
  },
};

/** Loads the posts of the blog page at `pathname`. */
async function prefetchPosts(pathname: string): Promise<void> {
  const { prefetch } = await import('./prefetch-posts.ts');
  await prefetch(pathname);
}

// These two are in the files of their screens, which load anyway.

async function prefetchAnalytics(pathname: string): Promise<void> {
  await (await import('./analytics-screen.tsx')).prefetchAnalytics(pathname);
}

async function prefetchDashboard(): Promise<void> {
  await (await import('./dashboard-page.tsx')).prefetchDashboard();
}

/** Loads the query cache in parallel with the screen. */
function withQueries(load: LoadScreen): LoadScreen {
  return async () => {
    const [{ withQueryClient }, screen] = await Promise.all([import('./query-client.tsx'), load()]);
    return withQueryClient(screen);
  };
}

type Screen = Pick<Page, 'guard' | 'load' | 'prefetch'>;

const SCREENS = new Map<string, Screen>(
  Object.entries(PAGE_SCREENS).map(([path, page]) => [
    path,
    { ...page, load: page.noQueries === true ? page.load : withQueries(page.load) },
  ]),
);

/** The screen of a page: `screenOf('/blog/:slug')`. */
export function screenOf(page: PagePath): Screen {
  const screen = SCREENS.get(page);
  if (screen === undefined) throw new Error(`${page} has no screen.`);
  return screen;
}
