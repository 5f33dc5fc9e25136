import { failing, type Screenshot } from './screenshot.ts';

/** The overview of all links, the page of the weekly mail, and the report grid in its states. */
export const FILTERED_ANALYTICS: readonly Screenshot[] = [
  { name: 'overview', path: '/analytics', who: 'user', state: 'full' },
  { name: 'overview', path: '/analytics', who: 'new', state: 'empty' },
  {
    name: 'overview',
    path: '/analytics',
    who: 'user',
    state: 'error',
    before: failing('/api/analytics?*'),
  },
  { name: 'unsubscribe', path: '/unsubscribe#00000000.a', state: 'full' },
  {
    name: 'analytics-filter',
    path: '/analytics/hono?filter=country:IN',
    who: 'admin',
    state: 'full',
  },
  {
    name: 'analytics-filter',
    path: '/analytics/hono?filter=country:IN',
    who: 'admin',
    state: 'error',
    before: failing('/api/analytics/hono*filter*'),
  },
  { name: 'analytics-campaigns', path: '/analytics/autumn', who: 'admin', state: 'full' },
  {
    name: 'analytics-cities',
    path: '/analytics/hono',
    who: 'admin',
    state: 'full',
    after: async (page) => {
      await page.getByRole('tab', { name: 'Cities' }).click();
      await page.getByRole('button', { name: 'View all cities' }).click();
    },
  },
];
