import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { prefetchMe } from '#web/shared/api/use-me.ts';
import { startSession } from '#web/shared/session/session.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import {
  currentAddress,
  goBack,
  press,
  pressUnanswered,
  showPage,
} from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { AdminClaimPage } from './claim-page.tsx';

const KEY = 'hop-admin-claim';
const BUTTON = 'Become an administrator';

afterEach(() => {
  cleanup();
  takeToasts();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  startSession();
});

it('a visitor’s link leaves the address, stays in the tab and survives signing in', async () => {
  showPage(<AdminClaimPage />, '/before', '/admin/claim#secret');
  await waitFor(() => expect(currentAddress()).toBe('/admin/claim'));
  expect(sessionStorage.getItem(KEY)).toBe('secret');
  expect(localStorage.getItem(KEY)).toBeNull();
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf('Sign In')).toBe('/auth?next=/admin/claim');
  expect(hrefOf('Sign Up')).toBe('/auth?tab=sign-up&next=/admin/claim');
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  goBack();
  expect(currentAddress()).toBe('/before');
});

it('a member becomes an administrator on the button only, and the link is forgotten', async () => {
  signInAsMember({ email: 'ann@example.com' });
  sessionStorage.setItem(KEY, 'secret');
  const calls = serveRoutes({ 'POST /api/admin/claim': { success: true } });
  await prefetchMe();
  calls.length = 0;
  showPage(<AdminClaimPage />, '/before', '/admin/claim');
  expect(document.title).toMatch(/^Become an administrator/);
  expect(screen.getByText(/^ann@example\.com will see all users/)).toBeTruthy();
  expect(calls).toEqual([]);
  await press(BUTTON);
  await waitFor(() => expect(currentAddress()).toBe('/admin'));
  expect(writesOf(calls)).toEqual([{ call: 'POST /api/admin/claim', body: { token: 'secret' } }]);
  await waitFor(() => expect(calls.at(-1)?.call).toBe('GET /api/me'));
  expect(sessionStorage.getItem(KEY)).toBeNull();
  expect(takeToasts().map(({ text }) => text)).toEqual(['You are an administrator now.']);
  goBack();
  expect(currentAddress()).toBe('/before');
});

it('a link that fails is kept, with the reason and the button', async () => {
  signInAsMember();
  serveRoutes({ 'POST /api/admin/claim': failure(503, 'Not now.') });
  showPage(<AdminClaimPage />, '/admin/claim#secret');
  await press(BUTTON);
  expect(await screen.findByText('Not now.')).toBeTruthy();
  expect(sessionStorage.getItem(KEY)).toBe('secret');
  await pressUnanswered(BUTTON);
});

it('the page without a link says where links come from', () => {
  signInAsMember();
  showPage(<AdminClaimPage />, '/admin/claim');
  expect(screen.getByText(/opens from a one-time link/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
});
