import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { startSession } from '#web/shared/session.ts';
import { currentSession } from '#web/shared/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { AccountMenu } from './account-menu.tsx';
import { Header } from './header.tsx';

afterEach(() => {
  cleanup();
  takeToasts();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const navigation = () =>
  within(screen.getByRole('navigation', { name: 'Main' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent?.trim());
const me = (role: string, plan_type = 'free') => ({
  id: 'x',
  email: 'x@x.example',
  role,
  plan_type,
});

it('a visitor is offered sign-in and sign-up, and no page of members', () => {
  const calls = serveRoutes({});
  showPage(<Header />, '/pricing');
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth');
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe(
    '/auth?tab=sign-up',
  );
  expect(navigation()).not.toContain('My URLs');
  expect(screen.queryByRole('link', { name: 'New link' })).toBeNull();
  expect(calls).toEqual([]);
});

it.each([
  ['user', false],
  ['admin', true],
])('the role %s sees the admin area: %s', async (role, sees) => {
  signInAsMember({ email: `${role}@example.com` });
  const calls = serveRoutes({ 'GET /api/me': me(role) });
  showPage(<Header />, '/pricing');
  await waitFor(() => expect(calls).toHaveLength(1));
  await act(async () => undefined);
  await waitFor(() => expect(navigation().includes('Admin')).toBe(sees));
  expect(navigation()).toEqual(expect.arrayContaining(['My URLs', 'Manage Blogs']));
  expect(screen.queryByRole('link', { name: 'Sign In' })).toBeNull();
});

it.each([
  ['/', 0],
  ['/dashboard', 0],
  ['/settings', 1],
])('the page %s has %i further ways to a new link', (address, count) => {
  signInAsMember({ email: 'links@example.com' });
  serveRoutes({ 'GET /api/me': me('user') });
  showPage(<Header />, address);
  expect(screen.queryAllByRole('link', { name: 'New link' })).toHaveLength(count);
});

async function openMenu(email: string, answers: Parameters<typeof serveRoutes>[0], isWide = true) {
  signInAsMember({ email });
  const calls = serveRoutes(answers);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), {
      matches: isWide,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
  showPage(<AccountMenu email={email} />, '/settings');
  await waitFor(() => expect(calls).toHaveLength(1));
  await act(async () => undefined);
  fireEvent.click(screen.getByRole('button', { name: `Account of ${email}` }));
  const items = await screen.findAllByRole('menuitem');
  return { calls, items: items.map(({ textContent }) => textContent) };
}
const LAST = ['Logout', 'Sign out everywhere'];

it.each<[string, string, string, boolean, string[]]>([
  ['free', 'user', 'wide', true, ['Settings', 'Upgrade to Premium', ...LAST]],
  ['premium', 'user', 'wide', true, ['Settings', 'Manage plan', ...LAST]],
  [
    'free',
    'admin',
    'narrow',
    false,
    ['Manage Blogs', 'Admin', 'Settings', 'Upgrade to Premium', ...LAST],
  ],
  ['free', 'user', 'narrow', false, ['Manage Blogs', 'Settings', 'Upgrade to Premium', ...LAST]],
])('the menu of a %s %s in a %s window', async (plan, role, width, isWide, expected) => {
  const email = `${plan}-${role}-${width}@example.com`;
  const { items } = await openMenu(email, { 'GET /api/me': me(role, plan) }, isWide);
  expect(items).toEqual(expected);
});

it('Logout ends the session of this browser and opens the home page', async () => {
  const { calls } = await openMenu('out@example.com', {
    'GET /api/me': me('user'),
    'POST /api/auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(currentAddress()).toBe('/'));
  expect(calls.at(-1)?.call).toBe('POST /api/auth/v1/logout?scope=local');
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]));
});

it('Sign out everywhere asks first, and a failure leaves the member signed in', async () => {
  const { calls } = await openMenu('all@example.com', { 'GET /api/me': me('user') });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out everywhere' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(calls).toHaveLength(1);
  const confirm = dialog.getByRole('button', { name: 'Sign out everywhere' });
  serveRoutes({ 'POST /api/auth/v1/logout': () => new Response(null, { status: 500 }) });
  fireEvent.click(confirm);
  expect(await dialog.findByText(/We couldn’t sign you out on every device/)).toBeTruthy();
  expect([currentAddress(), currentSession().status]).toEqual(['/settings', 'member']);
  const retried = serveRoutes({
    'POST /api/auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  fireEvent.click(confirm);
  await waitFor(() => expect(currentAddress()).toBe('/'));
  expect(retried.map(({ call }) => call)).toEqual(['POST /api/auth/v1/logout?scope=global']);
  expect(takeToasts().map(({ text }) => text)).toEqual(['You are signed out on every device.']);
});
