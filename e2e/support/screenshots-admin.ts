import type { Page } from '@playwright/test';
import type { SystemReport } from '#contract/system/system.ts';
import { failing, type Screenshot } from './screenshot.ts';

/** Responds with faults that the demo data does not have. */
async function withFaults(page: Page): Promise<void> {
  await page.route('**/api/admin/system', async (route) => {
    const report: SystemReport = await (await route.fetch()).json();
    const since = new Date(Date.parse(report.checkedAt) - 4_000_000).toISOString();
    const fault = (name: string, state: 'bad' | 'warn', sentence: string, figure: string): void => {
      const signal = report.signals.find((one) => one.signal === name);
      Object.assign(signal ?? {}, {
        state,
        sentence,
        figure,
        since: state === 'bad' ? since : null,
      });
    };
    fault(
      'dead-letters',
      'bad',
      '340 clicks in 25 windows could not be counted and are set aside.',
      '340',
    );
    fault(
      'size',
      'warn',
      'The database has 7.4 GB of 10 GB, and is full in 45 days at today’s growth.',
      '74 %',
    );
    fault('jobs', 'warn', 'Failing for 6 minutes: reputation.', '1');
    fault(
      'alerts',
      'warn',
      'Alerts reach the log only. Set MAIL_FROM to mail them to administrators, or ALERT_WEBHOOK_URL to send them to a chat.',
      '',
    );
    const reason = 'D1_ERROR: UNIQUE constraint failed: click_windows.id: SQLITE_CONSTRAINT';
    const reasons = [{ reason, windows: 25, clicks: 340, since }];
    const [first, second] = report.jobs;
    Object.assign(first ?? {}, { failingSince: since, detail: 'Error: no answer within 2000 ms' });
    Object.assign(second ?? {}, { backlog: { left: 5_000, since } });
    await route.fulfill({
      json: {
        ...report,
        alerts: [],
        setAside: { windows: 25, clicks: 340, reasons },
        database: {
          bytes: 7_400_000_000,
          limitBytes: 10_000_000_000,
          fullOn: '2027-01-06T00:00:00.000Z',
        },
      },
    });
  });
}

/** The admin pages, including how they refuse other users. */
export const ADMIN_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'admin-stats', path: '/admin', who: 'admin', state: 'full' },
  {
    name: 'admin-stats',
    path: '/admin',
    who: 'admin',
    state: 'error',
    before: failing('/api/admin*'),
  },
  ...['users', 'urls', 'reports', 'blocklist', 'app-links', 'log', 'system'].map(
    (tab): Screenshot => ({
      name: `admin-${tab}`,
      path: `/admin?tab=${tab}`,
      who: 'admin',
      state: 'full',
    }),
  ),
  {
    name: 'admin-system',
    path: '/admin?tab=system',
    who: 'admin',
    state: 'error',
    before: failing('/api/admin/system'),
  },
  {
    name: 'admin-system-faults',
    path: '/admin?tab=system',
    who: 'admin',
    state: 'full',
    before: withFaults,
  },
  {
    name: 'admin-log-entry',
    path: '/admin?tab=log',
    who: 'admin',
    state: 'full',
    before: async (page, headers) => {
      const { users } = await (
        await page.request.get('/api/admin?action=users&q=user@example.com', { headers })
      ).json();
      for (const role of ['admin', 'user'])
        await page.request.post('/api/admin', {
          headers,
          data: { action: 'set_role', user_id: users[0].user_id, role },
        });
    },
    after: (page) => page.getByText('Stored entry').first().click(),
  },
  {
    name: 'role-dialog',
    path: '/admin?tab=users&q=user@example.com',
    who: 'admin',
    state: 'full',
    after: async (page) => {
      await page.getByRole('button', { name: 'More actions for user@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Make administrator' }).click();
    },
  },
  { name: 'admin', path: '/admin', who: 'user', state: 'error' },
  { name: 'admin-visitor', path: '/admin', state: 'error' },
  { name: 'admin-claim', path: '/admin/claim#secret', who: 'user', state: 'full' },
  { name: 'admin-claim', path: '/admin/claim', state: 'empty' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'admin', state: 'full' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'new', state: 'empty' },
  {
    name: 'admin-blogs',
    path: '/admin/blogs',
    who: 'admin',
    state: 'error',
    before: failing('/api/blogs-admin*'),
  },
];
