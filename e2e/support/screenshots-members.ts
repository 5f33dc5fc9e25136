import { openAccountMenu } from './account-menu.ts';
import { makeLink, newAlias } from './links.ts';
import {
  chooseAction,
  arabicLink,
  browserLinks,
  failing,
  limited,
  longLinks,
  onPremium,
  shorten,
  signUpLink,
  type Screenshot,
} from './screenshot.ts';

export const MEMBER_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'home-member', path: '/', who: 'user', state: 'full' },
  {
    name: 'home-options',
    path: '/',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'More options' }).click(),
  },
  {
    name: 'home-quota',
    path: '/',
    who: 'user',
    state: 'error',
    before: limited('You have used all links of your plan for this month', 'quota_reached', true),
    after: async (page) => {
      await shorten('https://example.org/one-too-many')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'auth-confirm-signed-in', path: '', who: 'user', state: 'full', before: signUpLink },
  { name: 'auth-reset', path: '/auth/reset', who: 'user', state: 'full' },
  { name: 'dashboard', path: '/dashboard', who: 'user', state: 'full' },
  { name: 'dashboard', path: '/dashboard', who: 'new', state: 'empty' },
  {
    name: 'dashboard',
    path: '/dashboard',
    who: 'user',
    state: 'error',
    before: failing('/api/my-urls*', '/api/subscription*'),
  },
  {
    name: 'dashboard-arabic',
    path: '/dashboard',
    who: 'new',
    state: 'full',
    before: async (page, headers) => void (await arabicLink(page, headers)),
  },
  { name: 'dashboard-long', path: '/dashboard', who: 'new', state: 'full', before: longLinks },
  {
    name: 'dashboard-claim',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    before: browserLinks,
    after: (page) => page.getByRole('button', { name: 'Show links', exact: true }).click(),
  },
  {
    name: 'dashboard-claim',
    path: '/dashboard',
    who: 'user',
    state: 'error',
    before: browserLinks,
    after: async (page) => {
      await page.getByRole('button', { name: 'Add 2 links' }).click();
      await page.getByText('2 links not added').first().waitFor();
    },
  },
  {
    name: 'upgrade-dialog',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Upgrade' }).click(),
  },
  {
    name: 'bulk-dialog',
    path: '/dashboard',
    who: 'admin',
    state: 'full',
    after: async (page) => {
      await page.getByRole('button', { name: 'Add many links' }).click();
      await page.getByRole('menuitem', { name: 'Shorten many links' }).click();
      await page
        .getByLabel('Destinations, one per line')
        .fill('http://localhost/secret\nhttp://127.0.0.1/');
      await page.getByRole('button', { name: 'Shorten 2 links' }).click();
      await page.getByText('2 lines failed').waitFor();
    },
  },
  { name: 'analytics', path: '/analytics/hono', who: 'admin', state: 'full' },
  { name: 'analytics-range', path: '/analytics/hono?range=30d', who: 'admin', state: 'full' },
  { name: 'analytics-24h', path: '/analytics/hono?range=24h', who: 'admin', state: 'full' },
  { name: 'analytics-free', path: '/analytics/find-us', who: 'user', state: 'full' },
  {
    name: 'analytics',
    path: '',
    who: 'new',
    state: 'empty',
    before: async (page, headers) =>
      `/analytics/${(await makeLink(page.request, { headers, customCode: newAlias() })).code}`,
  },
  {
    name: 'analytics',
    path: '/analytics/hono',
    who: 'admin',
    state: 'error',
    before: failing('/api/analytics/*'),
  },
  {
    name: 'account-menu',
    path: '/about',
    who: 'admin',
    state: 'full',
    after: async (page) => (await openAccountMenu(page)).waitFor(),
  },
  { name: 'settings', path: '/settings', who: 'user', state: 'full' },
  { name: 'settings-plan', path: '/settings/plan', who: 'user', state: 'full' },
  { name: 'settings-data', path: '/settings/data', who: 'user', state: 'full' },
  {
    name: 'settings',
    path: '/settings',
    who: 'user',
    state: 'error',
    after: async (page) => {
      await page.getByRole('textbox', { name: 'Current password' }).fill('not the password');
      await page.getByRole('textbox', { name: 'New password' }).fill('correct horse');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  },
  {
    name: 'settings-code',
    path: '/settings',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Forgot password?' }).click(),
  },
  {
    name: 'settings-downgrade',
    path: '/settings/plan',
    who: 'new',
    state: 'full',
    before: onPremium('cycle_end'),
    after: (page) => page.getByRole('button', { name: 'Keep Premium' }).waitFor(),
  },
  {
    name: 'downgrade-dialog',
    path: '/settings/plan',
    who: 'new',
    state: 'full',
    before: onPremium(),
    after: (page) => page.getByRole('button', { name: 'Downgrade to Free…' }).click(),
  },
  { name: 'pricing-member', path: '/pricing', who: 'user', state: 'full' },
  { name: 'pricing-premium', path: '/pricing', who: 'admin', state: 'full' },
  {
    name: 'sign-out-dialog',
    path: '/settings/sessions',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Sign out everywhere…' }).click(),
  },
  {
    name: 'delete-dialog',
    path: '/settings',
    who: 'user',
    state: 'full',
    after: (page) => page.getByRole('button', { name: 'Delete account…' }).click(),
  },
  {
    name: 'qr-dialog',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    after: async (page) => {
      await chooseAction(page, 'QR code');
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
    },
  },
  {
    name: 'qr-studio',
    path: '/qr/find-us',
    who: 'user',
    state: 'full',
    after: async (page) => {
      await page.getByText('Dots', { exact: true }).click();
      await page.getByLabel('Code color', { exact: true }).fill('#0a3d62');
      const logo =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b4430a"/></svg>';
      await page
        .getByLabel('Logo file')
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) });
      await page.getByRole('img', { name: 'Your logo' }).waitFor();
    },
  },
  {
    name: 'qr-studio',
    path: '/qr/find-us',
    who: 'user',
    state: 'error',
    after: (page) => page.getByLabel('Code color', { exact: true }).fill('#eeeeee'),
  },
  {
    name: 'analytics-arabic',
    path: '',
    who: 'new',
    state: 'full',
    before: async (page, headers) => `/analytics/${await arabicLink(page, headers)}`,
  },
  {
    name: 'disabled-link',
    path: '',
    who: 'user',
    state: 'error',
    before: async (page, headers) => {
      const { code } = await makeLink(page.request, { headers });
      await page.request.patch(`/api/links/${code}`, { headers, data: { enabled: false } });
      return `/${code}`;
    },
  },
  {
    name: 'disabled-link-reason',
    path: '',
    who: 'admin',
    state: 'error',
    before: async (page, headers) => {
      const { code } = await makeLink(page.request, {
        headers,
        target: 'https://held.example/account',
      });
      const scope = { kind: 'host', host: 'held.example' };
      const reason = 'The site looks like the sign-in page of a bank and asks for card numbers.';
      await page.request.post('/api/admin/moderation', {
        headers,
        data: { action: 'disable', scope, reason },
      });
      return `/${code}`;
    },
  },
];
