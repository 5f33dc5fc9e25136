import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { startSession } from '#web/shared/session/session.ts';
import { currentSession } from '#web/shared/session/session.ts';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, press, showPage } from '#web/testing/render-page.tsx';
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
const me = (role: string, plan = 'free') => ({
  id: 'x',
  email: 'x@x.example',
  role,
  plan,
});

const PAGES = ['Blog', 'Pricing', 'About', 'Privacy', 'Terms'];
const itemsOf = async (menu: string) => {
  fireEvent.click(screen.getByRole('button', { name: menu }));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
};

it('a visitor is offered the public pages, sign-in and sign-up', async () => {
  const calls = serveRoutes({});
  showPage(<Header />, '/pricing');
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth');
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe(
    '/auth?tab=sign-up',
  );
  expect(navigation()).toEqual(PAGES);
  expect(screen.queryByRole('link', { name: 'New link' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  expect(await itemsOf('Menu')).toEqual(PAGES);
  expect(calls).toEqual([]);
});

it.each([
  ['user', ['My URLs', 'Analytics', 'Manage Blogs']],
  ['admin', ['My URLs', 'Analytics', 'Manage Blogs', 'Admin']],
])('the role %s sees %o, and the public pages under More', async (role, own) => {
  signInAsMember({ email: `${role}@example.com` });
  const calls = serveRoutes({ 'GET /api/me': me(role) });
  showPage(<Header />, '/pricing');
  await waitFor(() => expect(calls).toHaveLength(1));
  await act(async () => undefined);
  await waitFor(() => expect(navigation()).toEqual(own));
  expect(screen.queryByRole('link', { name: 'Sign In' })).toBeNull();
  expect(await itemsOf('More')).toEqual(PAGES);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(await itemsOf('Menu')).toEqual([...own, ...PAGES]);
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

async function openMenu(email: string, answers: Parameters<typeof serveRoutes>[0]) {
  signInAsMember({ email });
  const calls = serveRoutes(answers);
  showPage(<AccountMenu email={email} />, '/settings');
  await waitFor(() => expect(calls).toHaveLength(1));
  await act(async () => undefined);
  expect(screen.getByRole('button', { name: `Account of ${email}` }).textContent).toContain(email);
  return { calls, items: await itemsOf(`Account of ${email}`) };
}

it.each([
  ['free', 'Upgrade to Premium', '/pricing', 'Free plan'],
  ['premium', 'Manage plan', '/settings/plan', 'Premium plan'],
])(
  'the address is the button of the account menu, which has on %s “%s”',
  async (plan, offer, to, heading) => {
    const { items } = await openMenu(`${plan}@example.com`, { 'GET /api/me': me('user', plan) });
    expect(items).toEqual(['Settings', offer, 'Logout', 'Sign out everywhere']);
    expect(screen.getByRole('menuitem', { name: offer }).getAttribute('href')).toBe(to);
    expect(screen.getByText(heading)).toBeTruthy();
  },
);

it('the account menu chooses the color scheme and stays open', async () => {
  await openMenu('dark@example.com', { 'GET /api/me': me('user') });
  const checked = () =>
    screen
      .getAllByRole('menuitemradio', { checked: true })
      .map((choice) => choice.getAttribute('aria-label'));
  expect(checked()).toEqual(['System']);
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  expect(checked()).toEqual(['Dark']);
  expect(document.documentElement.dataset['theme']).toBe('dark');
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'System' }));
  expect(document.documentElement.dataset['theme']).toBeUndefined();
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

it.each([
  ['Logout', 'the provider', 1, 'Sign out of Acme'],
  ['Logout', 'a password', undefined, undefined],
  ['Sign out everywhere', 'the provider', 1, 'Sign out of Acme'],
])(
  '%s after a sign-in with %s offers what still has a session',
  async (item, _, atProvider, label) => {
    const before = config.auth;
    config.auth = { ...before, sso: { name: 'Acme' } };
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 204 })));
    signInAsMember({ email: 'a@x.example', ...(atProvider !== undefined && { atProvider }) });
    showPage(<AccountMenu email="a@x.example" />, '/dashboard');
    fireEvent.click(screen.getByRole('button', { name: 'Account of a@x.example' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    if (item !== 'Logout') await press(item);
    await waitFor(() => expect(currentAddress()).toBe('/'));
    await act(async () => undefined);
    config.auth = before;
    expect(takeToasts().at(-1)?.action?.label).toBe(label);
  },
);
