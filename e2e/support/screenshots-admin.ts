import { failing, type Screenshot } from './screenshot.ts';

/** The administrators’ pages, also as others are refused there. */
export const ADMIN_SCREENSHOTS: readonly Screenshot[] = [
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
  { name: 'admin', path: '/admin', who: 'user', state: 'error' },
  { name: 'admin-visitor', path: '/admin', state: 'error' },
  { name: 'admin-claim', path: '/admin/claim#secret', who: 'user', state: 'full' },
  { name: 'admin-claim', path: '/admin/claim', state: 'empty' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'admin', state: 'full' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'new', state: 'empty' },
  { name: 'admin-blogs', path: '/admin/blogs', who: 'admin', state: 'error', before: failing('/api/blogs-admin*') },
];
