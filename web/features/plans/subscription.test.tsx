import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config } from '#web/shared/config.ts';
import { startSession, storageKey } from '#web/shared/session.ts';
import { useSubscriptionCache } from './queries.ts';
import { SubscriptionCard } from './subscription-card.tsx';

const plan = (used: number) => ({
  plan_type: 'free',
  monthly_limit: 25,
  current_usage: used,
  billing_cycle_start: '2026-11-12T00:00:00Z',
  cycle_ends_at: '2026-12-12T00:00:00Z',
});

function Card() {
  const current = useSubscriptionCache();
  return (
    <>
      <button type="button" onClick={() => current.afterShorten({ current_usage: 18, monthly_limit: 25 })}>
        Made a link
      </button>
      <SubscriptionCard onUpgrade={() => undefined} />
    </>
  );
}

function show(): void {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Card />
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
  vi.stubGlobal('requestIdleCallback', () => 0);
  const stored = {
    access_token: 't',
    expires_at: Date.now() / 1000 + 3600,
    refresh_token: 'r',
    user: { id: 'u', email: 'a@b.co' },
  };
  localStorage.setItem(storageKey(config.auth.url), JSON.stringify(stored));
  startSession();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a link just made counts at once, and the card asks again a second later', async () => {
  const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(plan(17))));
  vi.stubGlobal('fetch', mock);
  show();
  await wait(10);
  expect(screen.getByText('17 of 25')).toBeTruthy();
  expect(mock.mock.calls[0]?.[0]).toMatch(/^\/api\/subscription\?t=\d+$/);
  expect(new Headers(mock.mock.calls[0]?.[1]?.headers).get('cache-control')).toBe('no-cache');

  mock.mockImplementation(() => Promise.resolve(Response.json(plan(19))));
  act(() => screen.getByRole('button', { name: 'Made a link' }).click());
  await wait(900);
  expect(screen.getByText('18 of 25')).toBeTruthy();
  expect(mock).toHaveBeenCalledTimes(1);
  await wait(150);
  expect(mock).toHaveBeenCalledTimes(2);
  expect(screen.getByText('19 of 25')).toBeTruthy();
});

test('a failure shows the free plan with 25, says so, and asks again on Retry', async () => {
  const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ error: 'Down.' }, { status: 503 })));
  vi.stubGlobal('fetch', mock);
  show();
  await wait(10);
  expect(screen.getByText('0 of 25')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Your usage could not be read.');
  mock.mockImplementation(() => Promise.resolve(Response.json(plan(24))));
  act(() => screen.getByRole('button', { name: 'Retry' }).click());
  await wait(10);
  expect(screen.getByText('24 of 25')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
