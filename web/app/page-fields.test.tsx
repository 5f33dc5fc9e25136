import { cleanup, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { PasswordPanel } from '#web/features/account/password-panel.tsx';
import { AdminPage } from '#web/features/admin/admin-page.tsx';
import { AuthPage } from '#web/features/auth/auth-page.tsx';
import { ResetPage } from '#web/features/auth/reset-page.tsx';
import { BlogAdminPage } from '#web/features/blog/blog-admin-page.tsx';
import { ImportPage } from '#web/features/import/import-page.tsx';
import { NewLinkDialog } from '#web/features/shorten/new-link-dialog.tsx';
import { startSession } from '#web/shared/session/session.ts';
import { listControls } from '#web/testing/list-controls.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { DashboardPage } from './dashboard-page.tsx';
import { HomePage } from './home-page.tsx';
import { queries } from './query-client.tsx';

afterEach(() => {
  cleanup();
  queries.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  startSession();
});

const none = () => undefined;
const edit = { pending: false, run: none, dialog: null };
const NewLink = () => (
  <NewLinkDialog quotaChanges={0} edit={edit} onCreated={none} onUpgrade={none} onClose={none}>
    {null}
  </NewLinkDialog>
);
const Password = () => <PasswordPanel email="a@example.com" />;
const ANSWERS = {
  'GET /api/me': { id: 'id of a@example.com', email: 'a@example.com', role: 'admin' },
  'GET /api/blogs-admin': [],
  'GET /api/my-urls': {
    urls: [makeLink()],
    nextCursor: null,
    totals: { links: 1, clicks: 3, active: 1, countedAt: null },
  },
};
const CURRENT = 'verbatim, password, current-password';
const NEW_PASSWORD = 'verbatim, password, new-password, “At least 6…”';
const EMAIL = 'Email:, email, email';
const ALIAS = 'Alias (optional):, verbatim, “Up to 20…”';

it.each([
  ['/auth', ['Email:, email, username webauthn', `Password:, ${CURRENT}`], AuthPage],
  ['/auth?tab=sign-up', [EMAIL, `Password:, ${NEW_PASSWORD}`], AuthPage],
  ['/auth?tab=forgot', [EMAIL], AuthPage],
  ['/auth?tab=resend', [EMAIL], AuthPage],
  ['/', ['Destination:, verbatim, inputmode=url'], HomePage],
])('the fields of a visitor at %s have their limits and help', async (address, controls, Page) => {
  serveRoutes({});
  showPage(<Page />, address);
  await waitFor(() => expect(listControls()).toEqual(controls));
});

it.each([
  ['/', ['Destination:, verbatim, inputmode=url', ALIAS], HomePage],
  [
    'a new link',
    [
      'Destination:, verbatim, inputmode=url, dir=ltr',
      ALIAS,
      'End date (optional):, datetime-local, “After this time…”',
      'Title (optional):, maxlength=120, “Only you see…”',
      'Tags (optional):, autocomplete=off, “Separate tags with…”',
      'Note (optional):, maxlength=2000',
    ],
    NewLink,
  ],
  [
    '/dashboard?q=a',
    ['Search your links: a, search, maxlength=100', 'Order: Newest first', '[ ] Select abc'],
    DashboardPage,
  ],
  [
    '/dashboard?host=a.example&from=2026-11-01&min_clicks=2&health=dead',
    [
      'Search your links:, search, maxlength=100',
      'Order: Newest first',
      'Host of the destination: a.example, verbatim, maxlength=100, min=0',
      'Destination check: Unreachable',
      'Created from: 2026-11-01, verbatim, date, maxlength=100, min=0',
      'Created until:, verbatim, date, maxlength=100, min=0',
      'Clicks, at least: 2, verbatim, number, maxlength=100, min=0',
      'Clicks, at most:, verbatim, number, maxlength=100, min=0',
      '[ ] Select abc',
    ],
    DashboardPage,
  ],
  ['/auth/reset', [`New password:, ${NEW_PASSWORD}`], ResetPage],
  ['/settings', [`Current password:, ${CURRENT}`, `New password:, ${NEW_PASSWORD}`], Password],
  [
    '/admin/blogs',
    [
      'Title:, maxlength=200, dir=auto, required',
      'Slug:, verbatim, maxlength=100, required, “/blog/……”',
      'Content:, dir=auto, required, “Line breaks are…”',
      'Excerpt:, maxlength=200, dir=auto, “For the list,…”',
      'Author:, maxlength=80, dir=auto, “The name that…”',
      'Tags:, dir=auto, “Up to 5,…”',
      '[ ] Publish immediately',
    ],
    BlogAdminPage,
  ],
  [
    '/links/import',
    [
      'File with links:, file, accept=.csv,.tsv,.txt,.json,.html,.sql,text/csv,' +
        'text/tab-separated-values,text/plain,text/html,application/json,application/sql',
      'Or paste rows:, verbatim, dir=ltr',
      'Service: Shlink',
      'Address of the server:, verbatim, url, dir=ltr',
      'API key:, password, autocomplete=off, dir=ltr, “It is used…”',
    ],
    ImportPage,
  ],
  [
    '/admin?tab=users',
    [
      'Search by email or id:, search, maxlength=100',
      'Role: Any role',
      'Plan: Any plan',
      'Suspension: Suspended or not',
    ],
    AdminPage,
  ],
  [
    '/admin?tab=urls',
    [
      'Search by code or destination:, search, maxlength=100',
      'Status: Any status',
      'Holds: Held or not',
      'Owner: Any owner',
    ],
    AdminPage,
  ],
  [
    '/admin?tab=reports',
    ['Search by code or destination:, search, maxlength=100', 'Status: Open'],
    AdminPage,
  ],
  [
    '/admin?tab=blocklist',
    [
      'Hosts:',
      'Choose a text file…:, file, accept=text/plain,.txt,.hosts',
      'Reason:, maxlength=200',
      'Search the blocklist:, search, maxlength=100',
    ],
    AdminPage,
  ],
  ['/admin?tab=log', ['Search the audit log:, search, maxlength=100'], AdminPage],
])('the fields of a member at %s have their limits and help', async (address, controls, Page) => {
  signInAsMember();
  serveRoutes(ANSWERS);
  showPage(<Page />, address.startsWith('/') ? address : '/');
  await waitFor(() => expect(listControls()).toEqual(controls));
});
