import { API_KEY_SCREENSHOTS } from './api-key-screenshots.ts';
import { makeLink, newAlias } from './links.ts';
import { newEmail } from './sign-in.ts';
import { browserLinks, failing, limited, longLinks, onPremium, shorten, signUpLink, type Screenshot } from './screenshot.ts';

const PLAIN = ['/pricing', '/about', '/privacy', '/terms', '/report'].map((path): Screenshot => ({
  name: path.slice(1),
  path,
  state: 'full',
}));

export const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'home', path: '/', state: 'empty' },
  {
    name: 'home',
    path: '/',
    state: 'full',
    after: async (page) => {
      await shorten('https://www.example.org/a/long/way/to/what-you-mean?from=here&to=there')(page);
      await page.getByRole('img', { name: /QR code/ }).waitFor();
    },
  },
  {
    name: 'home',
    path: '/',
    state: 'error',
    after: async (page) => {
      await shorten('http://localhost/secret')(page);
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  },
  {
    name: 'home-limit',
    path: '/',
    state: 'error',
    before: limited(
      "You have reached today's limit for links without an account. Sign in, or try again tomorrow.",
      'rate_limited',
      false,
    ),
    after: async (page) => {
      await shorten('https://example.org/one-too-many')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'home-browser-links', path: '/', state: 'full', before: browserLinks },
  {
    name: 'home-remove-browser-links',
    path: '/',
    state: 'full',
    before: browserLinks,
    after: (page) => page.getByRole('button', { name: 'Remove all' }).click(),
  },
  { name: 'home-member', path: '/', who: 'user', state: 'full' },
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
  ...PLAIN,
  { name: 'auth-sign-in', path: '/auth', state: 'full' },
  { name: 'auth-sign-up', path: '/auth?tab=sign-up', state: 'full' },
  { name: 'auth-forgot', path: '/auth?tab=forgot', state: 'full' },
  {
    name: 'auth-sign-in',
    path: '/auth',
    state: 'error',
    after: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByText('Invalid login credentials').waitFor();
    },
  },
  {
    name: 'auth-mail-sent',
    path: '/auth?tab=sign-up',
    state: 'full',
    after: async (page) => {
      await page.getByLabel('Email').fill(newEmail());
      await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
      await page.keyboard.press('Enter');
      await page.getByText('Check your email for the confirmation link!').waitFor();
    },
  },
  { name: 'auth-confirm', path: '', state: 'full', before: signUpLink },
  { name: 'auth-confirm-signed-in', path: '', who: 'user', state: 'full', before: signUpLink },
  { name: 'auth-confirm', path: '/auth/confirm', state: 'empty' },
  { name: 'auth-confirm', path: `/auth/confirm#type=recovery&token_hash=${'x'.repeat(43)}`, state: 'error' },
  {
    name: 'auth-confirm-unanswered',
    path: `/auth/confirm#type=recovery&token_hash=${'x'.repeat(43)}`,
    state: 'error',
    before: failing('/api/auth/v1/verify/describe'),
  },
  { name: 'auth-reset', path: '/auth/reset', who: 'user', state: 'full' },
  { name: 'auth-reset', path: '/auth/reset', state: 'error' },
  { name: 'blogs', path: '/blogs', state: 'full' },
  {
    name: 'blogs',
    path: '/blogs',
    state: 'empty',
    before: (page) => page.route('**/api/blogs*', (route) => route.fulfill({ json: [] })),
  },
  { name: 'blogs', path: '/blogs', state: 'error', before: failing('/api/blogs*') },
  { name: 'blog-post', path: '/blog/what-a-click-records', state: 'full' },
  { name: 'blog-post', path: '/blog/no-such-post', state: 'error' },
  { name: 'dashboard', path: '/dashboard', who: 'user', state: 'full' },
  { name: 'dashboard', path: '/dashboard', who: 'new', state: 'empty' },
  { name: 'dashboard', path: '/dashboard', who: 'user', state: 'error', before: failing('/api/my-urls*', '/api/subscription*') },
  { name: 'dashboard-forced-colors', path: '/dashboard', who: 'user', state: 'full', forcedColors: true },
  { name: 'dashboard-long', path: '/dashboard', who: 'new', state: 'full', before: longLinks },
  {
    name: 'dashboard-claim',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    before: browserLinks,
    after: (page) => page.getByRole('button', { name: 'Show links' }).click(),
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
      await page.getByRole('button', { name: 'Shorten many links' }).click();
      await page.getByLabel('Long links, one per line').fill('http://localhost/secret\nhttp://127.0.0.1/');
      await page.getByRole('button', { name: 'Shorten 2 links' }).click();
      await page.getByText('2 lines failed').waitFor();
    },
  },
  { name: 'analytics', path: '/analytics/hono', who: 'admin', state: 'full' },
  { name: 'analytics-range', path: '/analytics/hono?range=30d', who: 'admin', state: 'full' },
  { name: 'analytics-free', path: '/analytics/find-us', who: 'user', state: 'full' },
  {
    name: 'analytics',
    path: '',
    who: 'new',
    state: 'empty',
    before: async (page, headers) => `/analytics/${(await makeLink(page.request, { headers, customCode: newAlias() })).code}`,
  },
  { name: 'analytics', path: '/analytics/hono', who: 'admin', state: 'error', before: failing('/api/analytics/*') },
  { name: 'admin-stats', path: '/admin', who: 'admin', state: 'full' },
  { name: 'admin-stats', path: '/admin', who: 'admin', state: 'error', before: failing('/api/admin*') },
  ...['users', 'urls', 'reports', 'blocklist', 'log'].map((tab): Screenshot => ({
    name: `admin-${tab}`,
    path: `/admin?tab=${tab}`,
    who: 'admin',
    state: 'full',
  })),
  {
    name: 'admin-log-entry',
    path: '/admin?tab=log',
    who: 'admin',
    state: 'full',
    before: async (page, headers) => {
      const { users } = await (await page.request.get('/api/admin?action=users&q=user@example.com', { headers })).json();
      for (const role of ['admin', 'user'])
        await page.request.post('/api/admin', { headers, data: { action: 'set_role', user_id: users[0].user_id, role } });
    },
    after: (page) => page.getByText('Stored entry').first().click(),
  },
  {
    name: 'role-dialog',
    path: '/admin?tab=users',
    who: 'admin',
    state: 'full',
    after: (page) =>
      page
        .getByRole('button', { name: /^Make administrator/ })
        .first()
        .click(),
  },
  {
    name: 'phone-menu',
    path: '/about',
    who: 'admin',
    state: 'full',
    after: async (page) => {
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
    },
  },
  { name: 'admin', path: '/admin', who: 'user', state: 'error' },
  { name: 'admin-visitor', path: '/admin', state: 'error' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'admin', state: 'full' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'new', state: 'empty' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'admin', state: 'error', before: failing('/api/blogs-admin*') },
  { name: 'settings', path: '/settings', who: 'user', state: 'full' },
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
    path: '/settings',
    who: 'new',
    state: 'full',
    before: onPremium('cycle_end'),
    after: (page) => page.getByRole('button', { name: 'Keep Premium' }).waitFor(),
  },
  {
    name: 'downgrade-dialog',
    path: '/settings',
    who: 'new',
    state: 'full',
    before: onPremium(),
    after: (page) => page.getByRole('button', { name: 'Downgrade to Free…' }).click(),
  },
  ...API_KEY_SCREENSHOTS,
  { name: 'pricing-member', path: '/pricing', who: 'user', state: 'full' },
  { name: 'pricing-premium', path: '/pricing', who: 'admin', state: 'full' },
  {
    name: 'sign-out-dialog',
    path: '/settings',
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
    name: 'delete-link-dialog',
    path: '/dashboard',
    who: 'user',
    state: 'full',
    after: async (page) => {
      await page
        .getByRole('button', { name: /^More actions/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Delete link' }).click();
    },
  },
  { name: 'preview', path: '/hono+', state: 'full' },
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
  { name: 'unknown-link', path: '/NoSuchCode', state: 'error' },
  { name: 'unknown-page', path: '/blog/a/b', state: 'error' },
  { name: 'mailbox', path: '/dev/mailbox', state: 'full' },
];
