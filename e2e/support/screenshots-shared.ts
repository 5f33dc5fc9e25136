import type { Page } from '@playwright/test';
import type { CreatedSharedReport } from '#contract/reports/shared-reports.ts';
import { failing, type Screenshot } from './screenshot.ts';

const CODE = 'hono';
const REPORT = {
  code: CODE,
  title: 'Clicks on the spring campaign',
  parts: ['countries', 'cities', 'devices', 'sources', 'campaigns', 'shortUrls', 'destinations'],
  period: '90d',
  expiresAt: '2200-01-01T00:00:00Z',
  password: null,
};

/** Shares a report of a demo link, and returns the path of its page. */
const share =
  (password: string | null = null) =>
  async (page: Page, headers: Record<string, string>): Promise<string> => {
    await stopAll(page, headers);
    const data = { ...REPORT, password };
    const response = await page.request.post('/api/shared-reports', { headers, data });
    const { address }: CreatedSharedReport = await response.json();
    const { pathname, hash } = new URL(address);
    return pathname + hash;
  };

/** An account can share few reports, and these are needed once each. */
async function stopAll(page: Page, headers: Record<string, string>): Promise<void> {
  const response = await page.request.get('/api/shared-reports', { headers });
  const { reports }: { reports: { id: string }[] } = await response.json();
  for (const { id } of reports) await page.request.delete(`/api/shared-reports/${id}`, { headers });
}

const openShareDialog = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: `More actions for ${CODE}` }).click();
  await page.getByRole('menuitem', { name: 'Share report' }).click();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
};

/** A report that somebody shares, and the form in which they do. */
export const SHARED_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'share', path: '', who: 'admin', state: 'full', before: share() },
  { name: 'share-password', path: '', who: 'admin', state: 'full', before: share('correct horse') },
  { name: 'share', path: `/share#${'x'.repeat(43)}`, state: 'empty' },
  {
    name: 'share',
    path: `/share#${'x'.repeat(43)}`,
    state: 'error',
    before: failing('/api/shared-report'),
  },
  {
    name: 'share-dialog',
    path: `/analytics/${CODE}`,
    who: 'admin',
    state: 'full',
    before: async (page, headers) => {
      await share()(page, headers);
      return `/analytics/${CODE}`;
    },
    after: openShareDialog,
  },
];
