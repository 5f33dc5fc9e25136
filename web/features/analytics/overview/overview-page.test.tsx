import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OverviewResponse } from '#contract/analytics.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { OverviewPage } from './overview-page.tsx';

const OVERVIEW: OverviewResponse = {
  range: '30d',
  plan: 'free',
  advanced: false,
  links: 300,
  hasClicks: true,
  countedAt: '2026-11-21T10:00:00Z',
  generatedAt: '2026-11-21T10:20:00Z',
  setAside: { bots: 0, prefetches: 0 },
  analytics: {
    totalClicks: 40,
    uniqueClicks: 20,
    activeDays: 1,
    clicksByDate: { '2026-11-20': 40 },
    visitorsByDate: { '2026-11-20': 20 },
    clicksByCountry: { IN: 40 },
    clicksByDevice: { Mobile: 40 },
    topLinks: [
      {
        short_code: 'spring',
        short_url: 'https://h.example/spring',
        title: '',
        long_url: 'https://example.com/',
        clicks: 30,
      },
    ],
  },
};

/**
 * Shows the page with this response; null stands for a server error. Returns the requested
 * addresses.
 */
function show(answer: Partial<OverviewResponse> | null, onUpgrade = vi.fn()): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(
      answer === null
        ? Response.json({}, { status: 500 })
        : Response.json({ ...OVERVIEW, ...answer }),
    );
  });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })}
    >
      <MemoryRouter initialEntries={['/analytics']}>
        <OverviewPage onUpgrade={onUpgrade} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return asked;
}

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('OverviewPage', () => {
  it('shows figures, top links and how old they are, and offers what the plan lacks', async () => {
    const onUpgrade = vi.fn();
    const asked = show({}, onUpgrade);
    expect((await screen.findByRole('tab', { name: /Total Clicks/ })).textContent).toBe(
      'Total Clicks40',
    );
    expect(screen.getByText(/Brought up to date once an hour, last on Nov 21, 2026/)).toBeTruthy();
    const link = await screen.findByRole('link', { name: /spring/ });
    expect([link.getAttribute('href'), link.textContent]).toEqual([
      '/analytics/spring',
      'springexample.com75%30 clicks',
    ]);
    expect(screen.queryByRole('heading', { name: 'Sources' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Upgrade to Premium' }));
    expect(onUpgrade).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole('radio', { name: '90 days' }));
    await waitFor(() => expect(asked.at(-1)).toBe('/api/analytics?range=90d'));
  });

  it('says that clicks are still being counted', async () => {
    show({ countedAt: null });
    expect(
      await screen.findByText(/Your clicks are being counted, so some are missing/),
    ).toBeTruthy();
  });

  it.each([
    ['No URLs yet', { links: 0 }],
    ['No clicks yet', { hasClicks: false }],
  ])('says “%s” and not that something failed', async (title, answer) => {
    show(answer);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers Retry when the overview cannot be loaded', async () => {
    show(null);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the overview');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
