import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_PRICE } from '#contract/plans/prices.ts';
import { config } from '#web/shared/page/config.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { choosePrice } from '#web/shared/plans/price.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { useSubscription } from './queries.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';

const plan = (plan_type: string) => ({
  plan_type,
  monthly_limit: 25,
  current_usage: 1,
  cycle_ends_at: '2026-12-12T12:00:00Z',
  downgrade_at: null,
});
const onClose = vi.fn();
const show = (answer: Parameters<typeof serveRoutes>[0][string], current = 'free') => {
  const calls = serveRoutes({
    'GET /api/subscription': plan(current),
    'POST /api/subscription': answer,
  });
  showPage(<UpgradeDialog open onClose={onClose} />);
  return calls;
};

beforeEach(() => {
  signInAsMember();
  onClose.mockClear();
});
afterEach(() => {
  cleanup();
  takeToasts();
  config.billing = 'none';
  config.prices = [DEFAULT_PRICE];
  choosePrice({ price: DEFAULT_PRICE, period: 'month' });
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each([
  [true, 'This is a demo: nothing was charged.'],
  [false, ''],
])('an upgrade closes the dialog, and a demo: %s says so', async (demo, note) => {
  const calls = show({ success: true, demo, subscription: plan('premium') });
  expect(await screen.findByText('Choose Your Plan')).toBeTruthy();
  expect(writesOf(calls)).toEqual([]);
  await waitFor(() => expect(calls).toHaveLength(1));
  await press('Upgrade to Premium');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(takeToasts()).toMatchObject([{ text: 'Successfully upgraded to Premium!', note }]);
  expect(writesOf(calls)).toEqual([{ call: 'POST /api/subscription', body: {} }]);
});

it('an upgrade shows on the whole page at once, without another request', async () => {
  const id = 'id of a@example.com';
  const calls = serveRoutes({
    'GET /api/me': { id, email: 'a@example.com', role: 'user', plan: 'premium' },
    // The plan has changed since the page asked who the member is.
    'GET /api/subscription': async () => {
      await screen.findByText('premium', { selector: 'output' });
      return Response.json(plan('free'));
    },
    'POST /api/subscription': { success: true, demo: false, subscription: plan('premium') },
  });
  const Plan = () => <output>{useMe().me?.plan}</output>;
  const Usage = () => <p>{useSubscription().data?.plan_type} as loaded</p>;
  showPage(
    <>
      <Plan />
      <Usage />
      <UpgradeDialog open onClose={onClose} />
    </>,
  );
  await screen.findByText('free as loaded');
  await screen.findByText('free', { selector: 'output' });
  const before = calls.length;
  await press('Upgrade to Premium');
  await screen.findByText('premium', { selector: 'output' });
  await screen.findByText('premium as loaded');
  expect(calls).toHaveLength(before + 1);
});

it('a failed upgrade leaves the dialog open with the reason', async () => {
  show(failure(402, 'Your card was declined.'));
  await screen.findByText('Choose Your Plan');
  await waitFor(() =>
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Upgrade to Premium' }).disabled,
    ).toBe(false),
  );
  await press('Upgrade to Premium');
  expect(await screen.findByText('Your card was declined.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  expect(takeToasts()).toEqual([]);
});

it('a dialog that is opened again has forgotten its error', async () => {
  serveRoutes({
    'GET /api/subscription': plan('free'),
    'POST /api/subscription': failure(402, 'Your card was declined.'),
  });
  const Page = () => {
    const [open, setOpen] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <UpgradeDialog open={open} onClose={() => setOpen(false)} />
      </>
    );
  };
  showPage(<Page />);
  const upgrade = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Upgrade to Premium',
  });
  await waitFor(() => expect(upgrade.disabled).toBe(false));
  await press('Upgrade to Premium');
  expect(await screen.findByText('Your card was declined.')).toBeTruthy();
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Open');
  expect(await screen.findByText('Choose Your Plan')).toBeTruthy();
  expect(screen.queryByText('Your card was declined.')).toBeNull();
});

it('a Premium member is not offered the upgrade', async () => {
  show({}, 'premium');
  const manage = await screen.findByRole('link', { name: 'Manage plan' });
  expect(manage.getAttribute('href')).toBe('/settings/plan');
  const own = (name: string) =>
    screen.getByRole('region', { name }).textContent.includes('Your plan');
  expect([own('Free'), own('Premium')]).toEqual([false, true]);
  fireEvent.click(manage);
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Upgrade to Premium' })).toBeNull();
});

it.each([
  ['demo', /nothing is charged/],
  ['none', /Billed monthly, cancel anytime/],
] as const)('with billing %s the dialog says what an upgrade costs', async (billing, text) => {
  config.billing = billing;
  serveRoutes({ 'GET /api/subscription': () => new Promise(() => undefined) });
  showPage(<UpgradeDialog open onClose={onClose} />);
  expect(await screen.findByText(text)).toBeTruthy();
  // The member may be on Premium.
  const upgrade = screen.getByRole<HTMLButtonElement>('button', { name: 'Upgrade to Premium' });
  expect(upgrade.disabled).toBe(true);
});

it('the price that was chosen is the one that is shown and sent', async () => {
  const euros = { currency: 'EUR', free: '€0', month: '€5', year: '€50', saving: null } as const;
  config.prices = [{ ...DEFAULT_PRICE, year: '₹5,000', saving: '16%' }, euros];
  choosePrice({ price: config.prices[0], period: 'month' });
  const calls = show({ success: true, demo: true, subscription: plan('premium') });
  const premium = await screen.findByRole('region', { name: 'Premium' });
  expect(premium.textContent).toContain('₹500 a month');
  expect(premium.textContent).not.toContain('Your plan');
  expect(screen.getByRole('region', { name: 'Free' }).textContent).toContain('Your plan');
  expect(screen.getByRole('radio', { name: 'Yearly −16%' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Euros' }));
  expect(premium.textContent).toContain('€5 a month');
  // A year in euros saves nothing.
  fireEvent.click(screen.getByRole('radio', { name: 'Yearly' }));
  expect(premium.textContent).toContain('€50 a year');
  expect(within(screen.getByRole('region', { name: 'Free' })).getByText(/€0/)).toBeTruthy();
  expect(screen.getByText(/^Billed yearly/)).toBeTruthy();
  expect(localStorage.getItem('hop-price')).toBe('EUR year');
  await waitFor(() => expect(calls).toHaveLength(1));
  await press('Upgrade to Premium');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(writesOf(calls).map(({ body }) => body)).toEqual([
    { currency: 'EUR', period: 'year', price: '€50' },
  ]);
});
