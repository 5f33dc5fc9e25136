import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { useSubscriptionCache } from './queries.ts';
import { PlanCell, SubscriptionCard, useNeedsPlanCard } from './subscription-card.tsx';

const subscription = (used: number) => ({
  plan_type: 'free',
  monthly_limit: 25,
  current_usage: used,
  billing_cycle_start: '2026-11-12T12:00:00Z',
  cycle_ends_at: '2026-12-12T12:00:00Z',
  downgrade_at: null,
});

const onUpgrade = vi.fn<() => void>();

function Card() {
  const cache = useSubscriptionCache();
  return (
    <>
      <button
        type="button"
        onClick={() => cache.afterShorten({ current_usage: 18, monthly_limit: 25 })}
      >
        Create a link
      </button>
      <SubscriptionCard onUpgrade={onUpgrade} />
    </>
  );
}

/** Shows the card or the cell, as My URLs does. */
const CardOrCell = () =>
  useNeedsPlanCard() ? (
    <SubscriptionCard onUpgrade={() => undefined} />
  ) : (
    <PlanCell onUpgrade={() => undefined} />
  );

function show(content = <Card />): void {
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <MemoryRouter>
        <h1 tabIndex={-1}>My URLs</h1>
        {content}
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

async function wait(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  signInAsMember();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('SubscriptionCard', () => {
  it('counts a new link at once and reloads a second later', async () => {
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(subscription(17))));
    vi.stubGlobal('fetch', mock);
    show();
    await wait(10);
    expect(screen.getByText('17 of 25')).toBeTruthy();
    expect(screen.getByText('Resets on Dec 12, 2026.')).toBeTruthy();
    expect(screen.queryByText(/^You can create/)).toBeNull();
    expect(screen.getByRole('region', { name: 'Your subscription' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Upgrade' }));
    expect(onUpgrade).toHaveBeenCalledOnce();
    expect(mock.mock.calls[0]?.[0]).toMatch(/^\/api\/subscription\?t=\d+$/);
    expect(new Headers(mock.mock.calls[0]?.[1]?.headers).get('cache-control')).toBe('no-cache');

    mock.mockImplementation(() => Promise.resolve(Response.json(subscription(19))));
    act(() => screen.getByRole('button', { name: 'Create a link' }).click());
    await wait(900);
    expect(screen.getByText('18 of 25')).toBeTruthy();
    expect(mock).toHaveBeenCalledTimes(1);
    await wait(150);
    expect(mock).toHaveBeenCalledTimes(2);
    expect(screen.getByText('19 of 25')).toBeTruthy();
    expect(screen.getByText(/^You can create 6 more links\./)).toBeTruthy();
    expect(screen.getAllByText('Resets on Dec 12, 2026.')).toHaveLength(1);
  });

  it('a reload does not wait for a first answer, which would be the old usage', async () => {
    const mock = vi.fn<typeof fetch>(() => new Promise(() => undefined));
    vi.stubGlobal('fetch', mock);
    show();
    await wait(10);
    mock.mockImplementation(() => Promise.resolve(Response.json(subscription(25))));
    act(() => screen.getByRole('button', { name: 'Create a link' }).click());
    await wait(1_010);
    expect(screen.getByText('25 of 25')).toBeTruthy();
    expect(screen.getByText(/^You have used all links of your plan\./)).toBeTruthy();
  });

  it('the card leads to the plan on Premium, and focus stays when Upgrade disappears', async () => {
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(subscription(17))));
    vi.stubGlobal('fetch', mock);
    show();
    await wait(10);
    screen.getByRole('button', { name: 'Upgrade' }).focus();
    const premium = {
      ...subscription(17),
      plan_type: 'premium',
      monthly_limit: 1000,
      downgrade_at: '2026-12-12T12:00:00Z',
    };
    mock.mockImplementation(() => Promise.resolve(Response.json(premium)));
    act(() => screen.getByRole('button', { name: 'Create a link' }).click());
    await wait(1_100);
    expect(screen.getByText('Premium until Dec 12, 2026, then Free.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Manage plan' }).getAttribute('href')).toBe(
      '/settings/plan',
    );
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'My URLs' }));
  });

  it.each([
    ['Home', Card],
    ['the dashboard', CardOrCell],
  ])('on %s it shows 0 of 25 and Retry when loading fails', async (_, Content) => {
    const mock = vi.fn<typeof fetch>(() =>
      Promise.resolve(Response.json({ error: 'Down.' }, { status: 503 })),
    );
    vi.stubGlobal('fetch', mock);
    show(<Content />);
    await wait(10);
    expect(screen.getByText('0 of 25')).toBeTruthy();
    expect(screen.getByText('Your links keep working.')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Your usage could not be loaded.');
    mock.mockImplementation(() => Promise.resolve(Response.json(subscription(24))));
    act(() => screen.getByRole('button', { name: 'Retry' }).click());
    await wait(10);
    expect(screen.getByText('24 of 25')).toBeTruthy();
    expect(screen.getByText(/^You can create 1 more link\./)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
