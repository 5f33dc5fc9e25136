import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { documentTitle } from '#contract/pages/page-titles.ts';
import { config } from '#web/shared/page/config.ts';
import { loadPendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { currentSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { AccountExportPanel } from './export-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SettingsPage } from './settings-page.tsx';

const saved = vi.hoisted((): { name: string; text: Promise<string> }[] => []);
/** `Blob.text` drops a byte order mark. */
const textOf = async (blob: Blob): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer());
vi.mock('#web/shared/page/save-file.ts', () => ({
  saveFile: (blob: Blob, name: string) => saved.push({ name, text: textOf(blob) }),
}));
const USER = '/api/auth/v1/user';
const SESSION = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3600,
  user: { id: 'id of a@example.com', email: 'a@example.com', app_metadata: { has_password: true } },
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  saved.length = 0;
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const fill = (current: string, next: string): void => {
  fireEvent.change(field('Current password'), { target: { value: current } });
  fireEvent.change(field('New password'), { target: { value: next } });
};
const changeButton = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: 'Change password' });

async function enterMailedCode(): Promise<void> {
  await press('Forgot password?');
  await press('Email me a code');
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } });
  await press('Continue');
}

it('a changed password empties both fields and keeps the focus on the page', async () => {
  const calls = serveRoutes({ [`PUT ${USER}`]: { id: 'u', email: 'a@example.com' } });
  showPage(
    <>
      <h1 tabIndex={-1}>Settings</h1>
      <PasswordPanel email="a@example.com" />
    </>,
  );
  expect(field('Current password').autocomplete).toBe('current-password');
  expect(field('New password').autocomplete).toBe('new-password');
  fill('', 'a new password');
  fireEvent.click(changeButton());
  expect((await screen.findByRole('alert')).textContent).toBe('Enter your current password.');
  fill('the old one', 'short');
  fireEvent.click(changeButton());
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Password should be at least 6 characters/,
  );
  await waitFor(() => expect(document.activeElement).toBe(field('New password')));
  expect(calls).toEqual([]);
  fill('the old one', 'a new password');
  changeButton().focus();
  fireEvent.click(changeButton());
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Password changed.']));
  expect(calls.map(({ body }) => body)).toMatchObject([
    { password: 'a new password', current_password: 'the old one' },
  ]);
  expect([field('Current password').value, field('New password').value]).toEqual(['', '']);
  expect(document.activeElement).toBe(changeButton());
  fill('the old one', 'a new password');
  await pressUnanswered('Change password');
});

it.each([
  ['current_password_invalid', 'Current password'],
  ['weak_password', 'New password'],
])('the error %s is at the field %s and both fields keep their text', async (code, label) => {
  serveRoutes({
    [`PUT ${USER}`]: async () => {
      // Errors of the submit itself have taken the focus by then.
      await new Promise((resolve) => setTimeout(resolve));
      return Response.json(
        { code, message: 'No.' },
        { status: 422, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
      );
    },
  });
  showPage(<PasswordPanel email="a@example.com" />);
  fill('the old one', 'a new password');
  fireEvent.click(changeButton());
  const alert = await screen.findByRole('alert');
  expect(field(label).getAttribute('aria-describedby')).toContain(alert.id);
  await waitFor(() => expect(document.activeElement).toBe(field(label)));
  expect([field('Current password').value, field('New password').value]).toEqual([
    'the old one',
    'a new password',
  ]);
});

it('a mailed code replaces the current password, for one change', async () => {
  const refusals = [failure(422, 'Too common.', { msg: 'Too common.' })];
  const calls = serveRoutes({
    'POST /api/auth/v1/recover': {},
    'POST /api/auth/v1/verify': SESSION,
    [`PUT ${USER}`]: () => refusals.pop()?.() ?? SESSION.user,
  });
  showPage(<PasswordPanel email="a@example.com" />);
  fill('a guess', '');
  await press('Forgot password?');
  expect(screen.getByText('We’ll email a 6-digit code to a@example.com.')).toBeTruthy();
  await press('Email me a code');
  fireEvent.change(await screen.findByLabelText('6-digit code'), { target: { value: '123456' } });
  await press('Continue');
  expect(await screen.findByText(/^You entered the code from the email/)).toBeTruthy();
  expect(screen.queryByLabelText('Current password', { selector: 'input' })).toBeNull();
  fireEvent.change(field('New password'), { target: { value: 'a new password' } });
  fireEvent.click(changeButton());
  expect((await screen.findByRole('alert')).textContent).toBe('Too common.');
  expect(screen.getByText(/^You entered the code from the email/)).toBeTruthy();
  fireEvent.click(changeButton());
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Password changed.']));
  const bodies = writesOf(calls).map(({ body }) => body);
  expect(bodies).toMatchObject([
    { email: 'a@example.com' },
    { email: 'a@example.com', token: '123456', type: 'recovery' },
    { password: 'a new password' },
    { password: 'a new password' },
  ]);
  expect(bodies.at(-1)).not.toHaveProperty('current_password');
  expect(calls[0]?.call).toMatch(/\?redirect_to=.*settings$/);
  expect(field('Current password')).toBeTruthy();
});

const waiting = { ...SESSION.user, app_metadata: { pending: true }, factors: [{ id: 'f1' }] };

it('the second factor of a mailed code proves the member, too', async () => {
  serveRoutes({
    'POST /api/auth/v1/recover': {},
    'POST /api/auth/v1/verify': { ...SESSION, user: waiting },
    'POST /api/auth/v1/factors/f1/verify': SESSION,
  });
  showPage(<PasswordPanel email="a@example.com" />);
  await enterMailedCode();
  const code = await screen.findByLabelText('Code from your authenticator app');
  fireEvent.change(code, { target: { value: '654321' } });
  await press('Continue');
  expect(await screen.findByText(/^You entered the code from the email/)).toBeTruthy();
});

it('a sign-in that ends before its second factor, as in another tab, proves nothing', async () => {
  serveRoutes({
    'POST /api/auth/v1/recover': {},
    'POST /api/auth/v1/verify': { ...SESSION, user: waiting },
  });
  showPage(<PasswordPanel email="a@example.com" />);
  await enterMailedCode();
  await screen.findByLabelText('Code from your authenticator app');
  localStorage.clear();
  act(() => loadPendingSignIn(null));
  expect(await screen.findByLabelText('6-digit code')).toBeTruthy();
  expect(screen.queryByText(/^You entered the code from the email/)).toBeNull();
});

it('a member who goes back before the second factor of a mailed code is signed out', async () => {
  const calls = serveRoutes({
    'POST /api/auth/v1/recover': {},
    'POST /api/auth/v1/verify': { ...SESSION, user: waiting },
    'POST /api/auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  showPage(<PasswordPanel email="a@example.com" />);
  await enterMailedCode();
  await screen.findByLabelText('Code from your authenticator app');
  expect(currentSession().status).toBe('member');
  await press('Use your current password instead');
  await waitFor(() => expect(currentSession().status).toBe('visitor'));
  expect(calls.at(-1)?.call).toBe('POST /api/auth/v1/logout?scope=local');
  expect(localStorage.length).toBe(0);
});

const FORMATS = [
  ['csv', 'CSV for spreadsheets'],
  ['json', 'JSON'],
  ['redirects', '_redirects (Netlify, Cloudflare Pages)'],
  ['nginx', 'nginx'],
  ['apache', 'Apache'],
  ['caddy', 'Caddy'],
  ['cloudflare', 'Cloudflare Bulk Redirects'],
  ['shlink', 'Shlink'],
  ['yourls', 'YOURLS'],
  ['dub', 'Dub'],
];

it.each([
  ['csv', 'links.csv', '\uFEFFthe file'],
  ['json', 'links.json', 'the file'],
  ['redirects', '_redirects', 'the file'],
])('the links as %s become the file %s', async (format, name, text) => {
  let answer = (): void => undefined;
  const calls = serveRoutes({
    'GET /api/account/links': () =>
      new Promise((resolve) => (answer = () => resolve(new Response('the file')))),
  });
  showPage(<AccountExportPanel />);
  const choice = screen.getByLabelText<HTMLSelectElement>('Format of the links');
  expect(choice.value).toBe('csv');
  expect([...choice.options].map(({ value, text: label }) => [value, label])).toEqual(FORMATS);
  fireEvent.change(choice, { target: { value: format } });
  await press('Download links');
  await waitFor(() => expect(calls).toHaveLength(1));
  // A later choice is for the next file.
  fireEvent.change(choice, { target: { value: 'apache' } });
  answer();
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(calls.map(({ call }) => call)).toEqual([`GET /api/account/links?format=${format}`]);
  expect([saved[0]?.name, await saved[0]?.text]).toEqual([name, text]);
});

it('the whole account is one file, and a failed export saves none', async () => {
  serveRoutes({ 'GET /api/account/export': { links: [] } });
  showPage(<AccountExportPanel />);
  await press('Download my data');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect([saved[0]?.name, await saved[0]?.text]).toEqual([
    'hop-account.json',
    '{\n  "links": []\n}',
  ]);
  serveRoutes({
    'GET /api/account/export': failure(503, 'Not now.'),
    'GET /api/account/links': failure(503, 'Not now.'),
  });
  for (const button of ['Download my data', 'Download links']) {
    await press(button);
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: 'The export failed.', note: 'Not now.', tone: 'bad' },
      ]),
    );
  }
  expect(saved).toHaveLength(1);
  const code = 'second_factor_required';
  serveRoutes({ 'GET /api/account/export': failure(403, 'Enter a code.', { code }) });
  await press('Download my data');
  expect(await screen.findByLabelText('Code from your authenticator app')).toBeTruthy();
  cleanup();
  showPage(<AccountExportPanel />);
  for (const button of ['Download my data', 'Download links']) await pressUnanswered(button);
});

it('the settings have the panels that the sign-in of the site allows', () => {
  serveRoutes({});
  const before = config.auth;
  const titles = () =>
    screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  showPage(<SettingsPage weeklyMail={null} />, '/settings');
  expect(titles()).toEqual(['Password', 'Second factor', 'Passkeys', 'Delete account']);
  cleanup();
  config.auth = { ...before, mode: 'hosted', passwords: false, sso: { name: 'Acme' } };
  showPage(<SettingsPage weeklyMail={null} />, '/settings');
  expect(titles()).toEqual(['Acme', 'Delete account']);
  config.auth = before;
});

it('the settings say who is signed in, mark their section and lead to the others', () => {
  showPage(<SettingsPage weeklyMail={<p>the mail</p>} />, '/settings');
  expect(screen.getByText('Signed in as a@example.com')).toBeTruthy();
  expect(document.title).toBe(documentTitle('Settings'));
  const sections = within(screen.getByRole('navigation', { name: 'Settings' }));
  expect(sections.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/settings',
    '/settings/sessions',
    '/settings/plan',
    '/settings/api',
    '/settings/webhooks',
    '/settings/data',
  ]);
  const current = sections.getAllByRole('link', { current: 'page' });
  expect(current.map(({ textContent }) => textContent)).toEqual(['Account']);
  expect(screen.getByText('the mail')).toBeTruthy();
});
