import type { Page } from '@playwright/test';
import { makeLink } from './links.ts';
import { failing, type Screenshot } from './screenshot.ts';

/**
 * Reports two links of the administrator to one host, after that host was disabled and restored,
 * and changes the second destination. Returns the address of the newer report.
 */
async function reportedLink(page: Page, headers: Record<string, string>): Promise<string> {
  const codes: string[] = [];
  for (const path of ['sign-in', 'account']) {
    const target = `https://login.bank-of-example.com/secure/${path}?session=a8f3`;
    codes.push((await makeLink(page.request, { headers, target })).code);
  }
  for (const action of ['disable', 'enable'])
    await page.request.post('/api/admin/moderation', {
      headers,
      data: {
        action,
        scope: { kind: 'host', host: 'login.bank-of-example.com' },
        reason: 'Looks like the page of a bank.',
      },
    });
  for (const code of codes)
    await page.request.post('/api/reports', {
      data: {
        code,
        reason: 'phishing',
        details: 'I got this in a text message.\nThe page asks for my card number and PIN.',
      },
    });
  // The owner changes the destination in the hope that the report is dismissed.
  const longUrl = 'https://www.wikipedia.example/wiki/Bank';
  await page.request.patch(`/api/links/${codes[1]}`, { headers, data: { longUrl } });
  const { reports } = await (await page.request.get('/api/admin/reports', { headers })).json();
  return `/admin?tab=reports&report=${reports[0].id}`;
}

async function longUsers(page: Page): Promise<void> {
  const email = `${'a-name-of-sixty-four-characters.'.repeat(2)}@${'a-rather-long-label.'.repeat(9)}com`;
  const most = 1_234_567_890;
  await page.route('**/api/admin?action=users*', async (route) => {
    const answer = await (await route.fetch()).json();
    const [first] = answer.users;
    const counts = { current_usage: most, monthly_limit: most, actual_url_count: most };
    const id = { user_id: '00000000-0000-4000-8000-000000000000', user: { email } };
    const long = { ...first, ...counts, ...id, role: 'admin', suspended: true };
    await route.fulfill({ json: { users: [long, ...answer.users], nextCursor: null } });
  });
}

export const REPORT_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'admin-users-filtered',
    path: '/admin?tab=users&role=admin&suspended=yes',
    who: 'admin',
    state: 'empty',
  },
  {
    name: 'admin-users-long',
    path: '/admin?tab=users',
    who: 'admin',
    state: 'full',
    before: longUsers,
  },
  {
    name: 'admin-users',
    path: '/admin?tab=users',
    who: 'admin',
    state: 'error',
    before: failing('/api/admin*'),
  },
  {
    name: 'admin-reports-resolved',
    path: '/admin?tab=reports&status=acted',
    who: 'admin',
    state: 'empty',
  },
  { name: 'admin-report', path: '', who: 'admin', state: 'full', before: reportedLink },
  {
    name: 'admin-report',
    path: '/admin?tab=reports&report=1',
    who: 'admin',
    state: 'error',
    before: failing('/api/admin/reports/*'),
  },
];
