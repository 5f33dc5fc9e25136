import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { choose, currentAddress, press, showPage } from '#web/testing/render-page.tsx';
import { makeLink } from '#web/testing/make-link.ts';
import { makeSharedReport } from '#web/testing/make-shared-report.ts';
import { serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { DashboardPage } from './dashboard-page.tsx';

const SUBSCRIPTION = {
  monthly_limit: 25,
  current_usage: 1,
  billing_cycle_start: '2026-11-12T12:00:00Z',
  cycle_ends_at: '2026-12-12T12:00:00Z',
  downgrade_at: null,
};
let answerPlan: (plan: 'free' | 'premium') => void = () => undefined;

beforeEach(() => {
  signInAsMember();
  const totals = { links: 0, clicks: 0, active: 0, countedAt: null };
  serveRoutes({
    'GET /api/my-urls': { urls: [], nextCursor: null, totals },
    'GET /api/views': { views: [] },
    'GET /api/tags': { tags: [] },
    'GET /api/subscription': () =>
      new Promise<object>((resolve) => {
        answerPlan = (plan_type) => resolve({ ...SUBSCRIPTION, plan_type });
      }),
  });
  showPage(<DashboardPage />, '/dashboard');
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('offers many links at once only when the plan is known', async () => {
  await press('Add many links');
  const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  await screen.findByRole('menuitem', { name: 'Import links' });
  expect(items()).toEqual(['Import links']);
  await act(async () => answerPlan('premium'));
  await screen.findByRole('menuitem', { name: 'Shorten many links' });
  fireEvent.click(screen.getByRole('menuitem', { name: 'Shorten many links' }));
  expect(await screen.findByRole('dialog', { name: 'Shorten many links' })).toBeTruthy();
});

it('a plan without many links leads to the plans, and imports work on each', async () => {
  await screen.findByRole('button', { name: 'Add many links' });
  await act(async () => answerPlan('free'));
  await choose('Add many links', 'Shorten many links');
  expect(await screen.findByRole('dialog', { name: 'Choose Your Plan' })).toBeTruthy();
  await press('Close');
  await choose('Add many links', 'Import links');
  expect(currentAddress()).toBe('/links/import');
});

it('a tag of the list shares the report of this tag, and closes the form', async () => {
  cleanup();
  const address = 'https://hop.example/share#secret';
  const calls = serveRoutes({
    'GET /api/my-urls': {
      urls: [makeLink()],
      nextCursor: null,
      totals: { links: 1, clicks: 0, active: 1, countedAt: null },
    },
    'GET /api/views': { views: [] },
    'GET /api/tags': { tags: [{ id: 7, name: 'launch', color: 'gray', links: 1 }] },
    'GET /api/subscription': { ...SUBSCRIPTION, plan_type: 'premium' },
    'GET /api/shared-reports': { reports: [] },
    'POST /api/shared-reports': { ...makeSharedReport(), address },
  });
  showPage(<DashboardPage />, '/dashboard');
  for (const button of ['Close', 'Create and copy address']) {
    await choose('More for this list', 'Manage tags');
    await press('Share a report of the tag launch');
    await screen.findByRole('dialog', { name: 'Share report' });
    await press(button);
    if (button === 'Close') await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  await screen.findByText(address);
  expect(writesOf(calls).map(({ body }) => body)).toMatchObject([
    { tagId: 7, title: 'Clicks on launch' },
  ]);
});
