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
};

/** What to load for a link to `pathname`, if it is a page without parameters. */
export const screenAt = (pathname: string): LoadScreen | undefined => {
  const path = PAGES.find((page) => page === pathname);
  return path === undefined ? undefined : PAGE_SCREENS[path]?.load;
};
