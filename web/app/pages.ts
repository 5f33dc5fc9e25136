import type { PagePath } from '#contract/pages/paths.ts';
import type { LoadScreen } from './screen-loading.ts';

type Page = {
  /** The file that `load` imports, relative to web/. The build preloads it with its imports. */
  module: string;
  load: LoadScreen;
  /** `member` sends visitors to /auth and back. `visitor` sends members to /dashboard. */
  guard?: 'member' | 'visitor';
  /** True if the screen does not use the query cache, which then does not load. */
  noQueries?: true;
  /** Loads the data of the screen at a path, so that it renders complete. */
  prefetch?: (pathname: string) => Promise<void>;
};

export const PAGE_SCREENS: Record<PagePath, Page> = {
  '/': {
    module: 'app/home-page.tsx',
    load: () => import('./home-page.tsx').then((m) => m.HomePage),
    noQueries: true,
  },
  '/analytics/:code': {
    module: 'app/analytics-screen.tsx',
    load: () => import('./analytics-screen.tsx').then((m) => m.AnalyticsScreen),
    guard: 'member',
    prefetch: prefetchAnalytics,
  },
  '/qr/:code': {
    module: 'features/qr/qr-page.tsx',
    load: () => import('#web/features/qr/qr-page.tsx').then((m) => m.QrPage),
    guard: 'member',
  },
  '/analytics': {
    module: 'app/overview-screen.tsx',
    load: () => import('./overview-screen.tsx').then((m) => m.OverviewScreen),
    guard: 'member',
  },
  '/admin': {
    module: 'features/admin/admin-page.tsx',
    load: () => import('#web/features/admin/admin-page.tsx').then((m) => m.AdminPage),
  },
  '/settings': {
    module: 'app/settings-page.tsx',
    load: () => import('./settings-page.tsx').then((m) => m.SettingsPage),
    guard: 'member',
  },
  '/settings/sessions': {
    module: 'features/account/sessions-page.tsx',
    load: () => import('#web/features/account/sessions-page.tsx').then((m) => m.SessionsPage),
    guard: 'member',
  },
  '/settings/plan': {
    module: 'features/plans/plan-page.tsx',
    load: () => import('#web/features/plans/plan-page.tsx').then((m) => m.PlanPage),
    guard: 'member',
  },
  '/settings/data': {
    module: 'features/account/data-page.tsx',
    load: () => import('#web/features/account/data-page.tsx').then((m) => m.DataPage),
    guard: 'member',
  },
  '/settings/domains': {
    module: 'features/domains/domains-page.tsx',
    load: () => import('#web/features/domains/domains-page.tsx').then((m) => m.DomainsPage),
    guard: 'member',
  },
  '/settings/api': {
    module: 'features/api-keys/api-keys-page.tsx',
    load: () => import('#web/features/api-keys/api-keys-page.tsx').then((m) => m.ApiKeysPage),
    guard: 'member',
  },
  '/tools': {
    module: 'features/marketing/tools-page.tsx',
    load: () => import('#web/features/marketing/tools-page.tsx').then((m) => m.ToolsPage),
    noQueries: true,
  },
  '/settings/webhooks': {
    module: 'features/webhooks/webhooks-page.tsx',
    load: () => import('#web/features/webhooks/webhooks-page.tsx').then((m) => m.WebhooksPage),
    guard: 'member',
  },
  '/links/import': {
    module: 'features/import/import-page.tsx',
    load: () => import('#web/features/import/import-page.tsx').then((m) => m.ImportPage),
    guard: 'member',
  },
  '/oauth/authorize': {
    module: 'features/connect/authorize-page.tsx',
    load: () => import('#web/features/connect/authorize-page.tsx').then((m) => m.AuthorizePage),
    guard: 'member',
  },
  '/unsubscribe': {
    module: 'features/weekly-mail/unsubscribe-page.tsx',
    load: () =>
      import('#web/features/weekly-mail/unsubscribe-page.tsx').then((m) => m.UnsubscribePage),
    noQueries: true,
  },
  '/share': {
    module: 'features/shared-reports/shared-report-page.tsx',
    load: () =>
      import('#web/features/shared-reports/shared-report-page.tsx').then((m) => m.SharedReportPage),
  },
  '/report': {
    module: 'features/abuse/report-page.tsx',
    load: () => import('#web/features/abuse/report-page.tsx').then((m) => m.ReportPage),
  },
  '/docs/api': {
    module: 'features/api-docs/api-docs-page.tsx',
    load: () => import('#web/features/api-docs/api-docs-page.tsx').then((m) => m.ApiDocsPage),
    noQueries: true,
  },
  '/pricing': {
    module: 'app/pricing-page.tsx',
    load: () => import('./pricing-page.tsx').then((m) => m.PricingPage),
    noQueries: true,
  },
  '/about': {
    module: 'features/marketing/about-page.tsx',
    load: () => import('#web/features/marketing/about-page.tsx').then((m) => m.AboutPage),
    noQueries: true,
  },
  '/privacy': {
    module: 'features/marketing/privacy-page.tsx',
    load: () => import('#web/features/marketing/privacy-page.tsx').then((m) => m.PrivacyPage),
    noQueries: true,
  },
  '/terms': {
    module: 'features/marketing/terms-page.tsx',
    load: () => import('#web/features/marketing/terms-page.tsx').then((m) => m.TermsPage),
    noQueries: true,
  },
  '/blogs': {
    module: 'features/blog/blog-list-page.tsx',
    load: () => import('#web/features/blog/blog-list-page.tsx').then((m) => m.BlogListPage),
    prefetch: prefetchPosts,
  },
  '/blog/:slug': {
    module: 'features/blog/blog-post-page.tsx',
    load: () => import('#web/features/blog/blog-post-page.tsx').then((m) => m.BlogPostPage),
    prefetch: prefetchPosts,
  },
  '/admin/claim': {
    module: 'features/admin/claim-page.tsx',
    load: () => import('#web/features/admin/claim-page.tsx').then((m) => m.AdminClaimPage),
    noQueries: true,
  },
  '/admin/blogs': {
    module: 'features/blog/blog-admin-page.tsx',
    load: () => import('#web/features/blog/blog-admin-page.tsx').then((m) => m.BlogAdminPage),
    guard: 'member',
  },
  '/auth': {
    module: 'features/auth/auth-page.tsx',
    load: () => import('#web/features/auth/auth-page.tsx').then((m) => m.AuthPage),
    guard: 'visitor',
    noQueries: true,
  },
  '/auth/callback': {
    module: 'features/auth/callback-page.tsx',
    load: () => import('#web/features/auth/callback-page.tsx').then((m) => m.CallbackPage),
    noQueries: true,
  },
  '/auth/confirm': {
    module: 'features/auth/confirm-page.tsx',
    load: () => import('#web/features/auth/confirm-page.tsx').then((m) => m.ConfirmPage),
    noQueries: true,
  },
  '/auth/reset': {
    module: 'features/auth/reset-page.tsx',
    load: () => import('#web/features/auth/reset-page.tsx').then((m) => m.ResetPage),
    noQueries: true,
  },
  '/dashboard': {
    module: 'app/dashboard-page.tsx',
    load: () => import('./dashboard-page.tsx').then((m) => m.DashboardPage),
    guard: 'member',
    prefetch: prefetchDashboard,
  },
};

async function prefetchPosts(pathname: string): Promise<void> {
  const { prefetch } = await import('./prefetch-posts.ts');
  await prefetch(pathname);
}

// These two are in the same files as their screens, which load anyway.

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

export function screenOf(page: PagePath): Screen {
  const screen = SCREENS.get(page);
  if (screen === undefined) throw new Error(`${page} has no screen.`);
  return screen;
}

/** Returns the modules of a page that load on demand, relative to web/. */
export const modulesOf = (page: PagePath): string[] => {
  const { module, noQueries } = PAGE_SCREENS[page];
  return noQueries === true ? [module] : [module, 'app/query-client.tsx'];
};
