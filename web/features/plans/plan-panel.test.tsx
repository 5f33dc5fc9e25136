import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Subscription } from '#contract/plans/plans.ts';
import { PLAN_CHANNEL } from '#web/shared/plans/plans.ts';
import { respondWith } from '#web/testing/respond-with.ts';
import { PREMIUM } from '#web/testing/premium.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { PlanPanel } from './plan-panel.tsx';
import { useQuotaChange } from './queries.ts';

const FREE: Subscription = { ...PREMIUM, plan_type: 'free', monthly_limit: 25 };
const PLANNED: Subscription = { ...PREMIUM, downgrade_at: PREMIUM.cycle_ends_at };

const button = (name: string) =>
  screen.findByRole<HTMLButtonElement>('button', { name, hidden: true });

const onChange = vi.fn();
let client: QueryClient;
function Settings() {
  useQuotaChange(onChange);
  return <PlanPanel />;
}
function show(): void {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Settings />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  onChange.mockClear();
  signInAsMember();
});
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('PlanPanel', () => {
  it('plans a downgrade for the end of the cycle, and takes it back', async () => {
    const mock = respondWith(
      [200, PREMIUM],
      [200, { success: true, subscription: PLANNED }],
      [200, { success: true, subscription: PREMIUM }],
    );
    show();
    fireEvent.click(await button('Downgrade to Free…'));
    expect(
      await screen.findByText(
        'You keep Premium until Dec 12, 2026, and can change your mind until then.',
      ),
    ).toBeTruthy();
    expect(screen.getByText(/Your links stay and keep redirecting\. Their clicks/)).toBeTruthy();
    fireEvent.click(await button('Downgrade to Free'));
    expect(await screen.findByText('Premium until Dec 12, 2026, then Free.')).toBeTruthy();
    expect(takeToasts()).toMatchObject([{ text: 'You are on Premium until Dec 12, 2026.' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([
      mock.mock.calls[1]?.[0],
      mock.mock.calls[1]?.[1]?.method,
      mock.mock.calls[1]?.[1]?.body,
    ]).toEqual(['/api/subscription/downgrade', 'POST', '{"when":"cycle_end"}']);
    fireEvent.click(await button('Keep Premium'));
    await button('Downgrade to Free…');
    expect(mock.mock.calls[2]?.[1]?.method).toBe('DELETE');
    expect(screen.getByText('Resets on Dec 12, 2026.')).toBeTruthy();
    expect(onChange).not.toHaveBeenCalled();
  });

  it('downgrades at once, and tells the page and the other tabs', async () => {
    const mock = respondWith([200, PREMIUM], [200, { success: true, subscription: FREE }]);
    const otherTab = new BroadcastChannel(PLAN_CHANNEL);
    const heard = new Promise((resolve) =>
      otherTab.addEventListener('message', resolve, { once: true }),
    );
    show();
    fireEvent.click(await button('Downgrade to Free…'));
    const now = await screen.findByLabelText('Now');
    expect(document.getElementById(now.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'You have already created 30 links this month, so you can create the next one on Dec 12, 2026.',
    );
    fireEvent.click(now);
    fireEvent.click(await button('Downgrade to Free'));
    await button('Upgrade to Premium');
    expect(screen.getByText('30 of 25')).toBeTruthy();
    expect(takeToasts()).toMatchObject([{ text: 'You are on Free.' }]);
    expect(mock.mock.calls[1]?.[1]?.body).toBe('{"when":"now"}');
    expect(onChange).toHaveBeenCalledTimes(1);
    await heard;
    otherTab.close();
  });

  it.each([
    [24, 'You have 1 link left until Dec 12, 2026.'],
    [
      25,
      'You have already created 25 links this month, so you can create the next one on Dec 12, 2026.',
    ],
  ])('an immediate downgrade with %i links says what is left', async (current_usage, text) => {
    respondWith([200, { ...PREMIUM, current_usage }]);
    show();
    fireEvent.click(await button('Downgrade to Free…'));
    expect((await screen.findByLabelText<HTMLInputElement>('Now')).checked).toBe(false);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Your links stay and keep redirecting. Their clicks are still counted.',
      'You can create 25 links a month instead of 1,000.',
      'You lose what only Premium includes, such as shortening many links at once.',
    ]);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('shows why a downgrade failed and reads the plan again', async () => {
    respondWith(
      [200, PREMIUM],
      [409, { error: 'Your plan is already Free.', code: 'conflict', requestId: 'r' }],
      [200, FREE],
    );
    show();
    fireEvent.click(await button('Downgrade to Free…'));
    fireEvent.click(await button('Downgrade to Free'));
    expect(await screen.findByText('Your plan is already Free.')).toBeTruthy();
    await waitFor(() => expect(screen.getByText('30 of 25')).toBeTruthy());
  });

  it('shows Retry, and no plan, when the plan cannot be loaded', async () => {
    respondWith([503, { error: 'Down.' }], [200, FREE]);
    show();
    expect(screen.getByText('Loading your plan…')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your plan could not be loaded.',
    );
    expect(screen.queryByText('Free')).toBeNull();
    fireEvent.click(await button('Retry'));
    expect(await button('Upgrade to Premium')).toBeTruthy();
  });
});

describe('useQuotaChange', () => {
  it.each([
    ['another plan', { ...FREE, current_usage: 31 }],
    ['usage that was reset', { ...PREMIUM, current_usage: 0 }],
  ])('reports %s', async (_what, next) => {
    respondWith([200, PREMIUM], [200, next]);
    show();
    await button('Downgrade to Free…');
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  });

  it('reports neither the first answer nor a new link', async () => {
    respondWith([200, PREMIUM], [200, { ...PREMIUM, current_usage: 31 }]);
    show();
    await button('Downgrade to Free…');
    await act(() => client.invalidateQueries());
    await screen.findByText('31 of 1,000');
    expect(onChange).not.toHaveBeenCalled();
  });
});
