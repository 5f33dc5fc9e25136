import type { Page } from '@playwright/test';
import type { ShortenRequest } from '#contract/links/links.ts';
import { chooseAction, failing, type Screenshot } from './screenshot.ts';

/** A browser of people: clicks of a headless one count as bots. */
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

/** A link with two variants that 130 visitors have followed. Returns the path of its report. */
async function dividedLink(page: Page, headers: Record<string, string>): Promise<string> {
  const data: ShortenRequest = {
    longUrl: 'https://example.com/spring/landing-page',
    variants: [
      { url: 'https://example.com/spring/landing-page-with-video', weight: 30 },
      { url: 'https://shop.example.org/spring?utm_source=hop&utm_medium=link', weight: 10 },
    ],
  };
  const answer = await page.request.post('/api/shorten', { headers, data });
  const { code }: { code: string } = await answer.json();
  for (let n = 1; n <= 130; n++)
    await page.request.get(`/${code}`, {
      maxRedirects: 0,
      headers: { 'CF-Connecting-IP': `198.51.100.${n}`, 'User-Agent': PHONE },
    });
  const path = `/analytics/${code}`;
  const count = async (): Promise<number> => {
    const report = await page.request.get(`/api${path}?range=all`, { headers });
    return (await report.json()).analytics.totalClicks;
  };
  for (let tries = 0; tries < 60 && (await count()) < 130; tries++) await page.waitForTimeout(500);
  return path;
}

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
  {
    name: 'analytics-destinations',
    path: '/analytics',
    who: 'new',
    state: 'full',
    before: dividedLink,
  },
  {
    name: 'link-variants',
    path: '/dashboard',
    who: 'new',
    state: 'full',
    before: (page, headers) => dividedLink(page, headers).then(() => '/dashboard'),
    after: async (page) => {
      await chooseAction(page, 'Edit');
      await page.getByRole('button', { name: /^Test it/ }).click();
      await page.getByRole('button', { name: 'Test link' }).click();
      await page.getByText(/divides its visitors/).waitFor();
      await page.getByRole('button', { name: /^Rules and variants/ }).click();
      const button = page.getByRole('button', { name: 'Add variant' });
      await button.click();
      await button.scrollIntoViewIfNeeded();
    },
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
