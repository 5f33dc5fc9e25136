import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { startSession } from '#web/shared/session/session.ts';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, goBack, press, showPage } from '#web/testing/render-page.tsx';
import { AdminPage } from './admin-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const me = (role: string) => ({ id: 'me', email: 'me@example.com', role });
const tabs = () => screen.queryAllByRole('tab');

it('a visitor gets the way to sign in, and nothing is asked', () => {
  const calls = serveRoutes({});
  showPage(<AdminPage />, '/admin');
  const main = screen.getByRole('link', { name: 'Sign In' });
  expect(main.getAttribute('href')).toBe('/auth?next=/admin');
  expect([calls, tabs()]).toEqual([[], []]);
});

it('a member without the role sees no admin area, and only the role is asked', async () => {
  signInAsMember({ email: 'member@example.com' });
  const calls = serveRoutes({ 'GET /api/me': me('user') });
  showPage(<AdminPage />, '/admin?tab=users');
  expect(await screen.findByText('You don’t have access to this page')).toBeTruthy();
  expect([calls.map(({ call }) => call), tabs()]).toEqual([['GET /api/me'], []]);
});

it('an administrator without a required second factor is sent to the settings', async () => {
  signInAsMember({ email: 'admin@example.com' });
  const calls = serveRoutes({ 'GET /api/me': { ...me('admin'), needsSecondFactor: true } });
  showPage(<AdminPage />, '/admin');
  const link = await screen.findByRole('link', { name: 'Open Settings' });
  expect(link.getAttribute('href')).toBe('/settings');
  expect([calls.map(({ call }) => call), tabs()]).toEqual([['GET /api/me'], []]);
});

it('a passkey is the second factor of an administrator who has one', async () => {
  class Credential {
    static parseRequestOptionsFromJSON = (options: object) => options;
    toJSON = () => ({ id: 'c' });
  }
  vi.stubGlobal('PublicKeyCredential', Credential);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { get: async () => new Credential() },
  });
  signInAsMember({ email: 'passkey@example.com' });
  let needs = true;
  serveRoutes({
    'GET /api/me': () => ({ ...me('admin'), ...(needs && { needsSecondFactor: true }) }),
    'GET /api/admin': failure(503, 'Down.'),
    'GET /api/auth/v1/passkeys': [{ id: 'p1' }],
    'POST /api/auth/v1/passkeys/proof/options': { challenge_id: 't', options: {} },
    'POST /api/auth/v1/passkeys/proof/verify': () => {
      needs = false;
      return {};
    },
    'POST /api/auth/v1/token': {
      access_token: 'a.b.c',
      refresh_token: 'r',
      expires_in: 3600,
      user: { id: 'id of passkey@example.com', email: 'passkey@example.com' },
    },
  });
  showPage(<AdminPage />, '/admin');
  await press('Use a passkey');
  await waitFor(() => expect(tabs()).not.toEqual([]));
});

it('a role that cannot be read shows Retry instead of a verdict', async () => {
  signInAsMember({ email: 'again@example.com' });
  serveRoutes({ 'GET /api/me': failure(503, 'Down.') });
  showPage(<AdminPage />, '/admin');
  expect(await screen.findByText('We couldn’t check your permissions.')).toBeTruthy();
  expect(screen.queryByText('You don’t have access to this page')).toBeNull();
  serveRoutes({ 'GET /api/me': me('user') });
  await press('Retry');
  expect(await screen.findByText('You don’t have access to this page')).toBeTruthy();
});

it('an administrator starts at the statistics, and the address names the other tabs', async () => {
  signInAsMember({ email: 'admin@example.com' });
  const calls = serveRoutes({
    'GET /api/me': me('admin'),
    'GET /api/admin': failure(503, 'Down.'),
  });
  showPage(<AdminPage />, '/before', '/admin?tab=unknown');
  const selected = () => tabs().find((tab) => tab.getAttribute('aria-selected') === 'true');
  await waitFor(() => expect(selected()?.textContent).toBe('Statistics'));
  expect(tabs().map(({ textContent }) => textContent)).toEqual([
    'Statistics',
    'Users & Subscriptions',
    'URLs',
    'Reports',
    'Blocklist',
    'App links',
    'Audit log',
    'System',
  ]);
  fireEvent.click(screen.getByRole('tab', { name: 'Audit log' }));
  await waitFor(() => expect(currentAddress()).toBe('/admin?tab=log'));
  expect(await screen.findByText('The audit log could not be loaded.')).toBeTruthy();
  expect(calls.at(-1)?.call).toBe('GET /api/admin?action=log&q=&cursor=');
  fireEvent.click(screen.getByRole('tab', { name: 'Statistics' }));
  await waitFor(() => expect(currentAddress()).toBe('/admin'));
  goBack();
  expect(currentAddress()).toBe('/before');
});
