import { useMutation, useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '#web/shared/api/api.ts';
import { announcePlanChange } from '#web/shared/plans/plans.ts';
import { startSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { withQueryClient } from './query-client.tsx';

const Answer = withQueryClient(function Answer({ path }: { path: string }) {
  const query = useQuery({ queryKey: [path], queryFn: () => api<string>(path) });
  return <p>{query.data ?? query.status}</p>;
});

beforeEach(() => {
  vi.useFakeTimers();
  signInAsMember({ email: 'a@example.com' });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

async function wait(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}
const respondWith = (status: number, body: unknown) => {
  const mock = vi.fn<typeof fetch>(async () => Response.json(body, { status }));
  vi.stubGlobal('fetch', mock);
  return mock;
};

describe('query cache', () => {
  it('the user is read again when the plan changes in any tab', async () => {
    vi.useRealTimers();
    const Plan = withQueryClient(function Plan() {
      useQuery({ queryKey: ['of the plan'], queryFn: () => api('/api/report') });
      return <p>{useMe().me?.plan ?? 'unknown'}</p>;
    });
    respondWith(200, { plan: 'free' });
    render(<Plan />);
    expect(await screen.findByText('free')).toBeTruthy();
    const mock = respondWith(200, { plan: 'premium' });
    announcePlanChange();
    expect(await screen.findByText('premium')).toBeTruthy();
    // So is everything else that depends on the plan.
    expect(mock.mock.calls.map(([path]) => path)).toContain('/api/report');
  });

  it('a response is kept for the next screen of the same user', async () => {
    const mock = respondWith(200, 'for a');
    render(<Answer path="/api/kept" />);
    await wait(10);
    cleanup();
    // The same user signs in with another session.
    signInAsMember({ email: 'a@example.com', hasPassword: false });
    render(<Answer path="/api/kept" />);
    expect(screen.getByText('for a')).toBeTruthy();
    expect(mock).toHaveBeenCalledTimes(1);
  });

  it('the query cache is cleared when another user signs in', async () => {
    respondWith(200, 'for a');
    render(<Answer path="/api/cleared" />);
    await wait(10);
    expect(screen.getByText('for a')).toBeTruthy();
    cleanup();
    signInAsMember({ email: 'b@example.com' });
    respondWith(200, 'for b');
    render(<Answer path="/api/cleared" />);
    expect(screen.queryByText('for a')).toBeNull();
    await wait(10);
    expect(screen.getByText('for b')).toBeTruthy();
  });

  it('the query cache is cleared when the user signs out', async () => {
    respondWith(200, 'for a');
    render(<Answer path="/api/signed-out" />);
    await wait(10);
    cleanup();
    localStorage.clear();
    startSession();
    render(<Answer path="/api/signed-out" />);
    expect(screen.queryByText('for a')).toBeNull();
  });
});

describe('without a network', () => {
  const setOnline = (isOnline: boolean): void => {
    vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(isOnline);
    act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
  };
  afterEach(() => {
    setOnline(true);
    vi.restoreAllMocks();
  });

  it('a query fails at once, and loads again when the network is back', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    render(<Answer path="/api/offline" />);
    setOnline(false);
    await wait(50);
    expect(screen.getByText('error')).toBeTruthy();
    respondWith(200, 'loaded');
    setOnline(true);
    await wait(50);
    expect(screen.getByText('loaded')).toBeTruthy();
  });

  it('a change fails at once and says why', async () => {
    const Save = withQueryClient(function Save() {
      const save = useMutation({ mutationFn: () => api('/api/x', { method: 'POST' }) });
      return <button onClick={() => save.mutate()}>{save.error?.message ?? save.status}</button>;
    });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    setOnline(false);
    render(<Save />);
    fireEvent.click(screen.getByText('idle'));
    await wait(50);
    expect(screen.getByText(/^You’re offline\. Try again/)).toBeTruthy();
  });
});

describe('retries', () => {
  it('a failed request is repeated twice, after one second and two more', async () => {
    const mock = respondWith(503, { error: 'Down.' });
    render(<Answer path="/api/503" />);
    await wait(1_500);
    expect(mock).toHaveBeenCalledTimes(2);
    await wait(1_000);
    expect(mock).toHaveBeenCalledTimes(2);
    await wait(20_000);
    expect(screen.getByText('error')).toBeTruthy();
    expect(mock).toHaveBeenCalledTimes(3);
  });

  it.each([400, 404, 499])('a %s is not repeated', async (status) => {
    const mock = respondWith(status, { error: 'No.' });
    render(<Answer path={`/api/${status}`} />);
    await wait(20_000);
    expect(screen.getByText('error')).toBeTruthy();
    expect(mock).toHaveBeenCalledTimes(1);
  });
});
