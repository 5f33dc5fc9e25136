import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { startSession } from '#web/shared/session/session.ts';
import { PREMIUM } from '#web/testing/premium.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { PricingPage } from './pricing-page.tsx';
import { queries } from './query-client.tsx';

afterEach(() => {
  cleanup();
  queries.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  startSession();
});

const UPGRADE = 'Upgrade to Premium';
const button = () => screen.queryByRole<HTMLButtonElement>('button', { name: UPGRADE });

it('a visitor signs up, and no plan is asked for', () => {
  const calls = serveRoutes({});
  showPage(<PricingPage />);
  expect(screen.getByRole('link', { name: 'Sign up to upgrade' })).toBeTruthy();
  expect([button(), calls]).toEqual([null, []]);
});

it('a Free member opens the plans once the own one is known, and closes them', async () => {
  signInAsMember();
  serveRoutes({ 'GET /api/subscription': { ...PREMIUM, plan_type: 'free' } });
  showPage(<PricingPage />);
  expect(button()?.disabled).toBe(true);
  await waitFor(() => expect(button()?.disabled).toBe(false));
  expect(screen.getByText('Your plan').closest('h2')?.textContent).toBe('Free Your plan');
  const own = screen.getByRole('link', { name: 'Go to My URLs' });
  expect(own.getAttribute('href')).toBe('/dashboard');
  expect(screen.queryByRole('dialog')).toBeNull();
  await press(UPGRADE);
  await screen.findByRole('dialog', { name: 'Choose Your Plan' });
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a Premium member is offered no upgrade', async () => {
  signInAsMember();
  serveRoutes({ 'GET /api/subscription': PREMIUM });
  showPage(<PricingPage />);
  const manage = await screen.findByRole('link', { name: 'Manage plan' });
  expect(manage.getAttribute('href')).toBe('/settings');
  expect(screen.getByText('Your plan').closest('h2')?.textContent).toBe('Premium Your plan');
  expect(button()).toBeNull();
});

it('a plan that does not load counts as Free', async () => {
  signInAsMember();
  serveRoutes({ 'GET /api/subscription': failure(400, 'Down.') });
  showPage(<PricingPage />);
  await waitFor(() => expect(button()?.disabled).toBe(false));
});
