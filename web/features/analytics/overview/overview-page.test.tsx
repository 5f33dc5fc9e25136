import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OverviewResponse } from '#contract/analytics.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { serve } from '#web/testing/fake-server.ts';
import { currentAddress, renderPage } from '#web/testing/render-page.tsx';
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

type Answer = Partial<OverviewResponse> | null;

/** Shows the page with this response; null stands for a server error. */
function show(answer: Answer | (() => Answer), onUpgrade = vi.fn(), address = '/analytics') {
  const requests = serve(() => {
    const body = typeof answer === 'function' ? answer() : answer;
    return body === null ? Response.json({}, { status: 500 }) : { ...OVERVIEW, ...body };
  });
  const { client } = renderPage(<OverviewPage onUpgrade={onUpgrade} />, [address]);
  return Object.assign(client, { requests });
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
    const { requests } = show({}, onUpgrade);
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
    expect(requests).toEqual(['GET /api/analytics?range=30d']);
    expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual([
      '7d',
      '30d',
      '90d',
    ]);
    fireEvent.click(screen.getByRole('radio', { name: '90 days' }));
    await waitFor(() => expect(requests.at(-1)).toBe('GET /api/analytics?range=90d'));
    expect(currentAddress()).toBe('/analytics?range=90d');
    fireEvent.click(screen.getByRole('radio', { name: '30 days' }));
    expect(currentAddress()).toBe('/analytics');
  });

  it('shows seven links, by their title or else their target', async () => {
    const topLinks = Array.from({ length: 9 }, (_, at) => ({
      short_code: `c${at}`,
      short_url: `https://h.example/c${at}`,
      title: at === 0 ? 'Spring' : '',
      long_url: 'https://example.com/',
      clicks: 9 - at,
    }));
    show({ analytics: { ...OVERVIEW.analytics, topLinks } });
    const list = (await screen.findByText('c0')).closest('ol');
    expect(list?.querySelectorAll('li')).toHaveLength(7);
    expect(list?.textContent).toMatch(/^c0Spring23%9 clicksc1example\.com20%8 clicks/);
  });

  it('links to the report of a code that a path must escape', async () => {
    const topLinks = OVERVIEW.analytics.topLinks.map((link) => ({
      ...link,
      short_code: 'go.example/a',
    }));
    show({ analytics: { ...OVERVIEW.analytics, topLinks } });
    const [code] = await screen.findAllByText('go.example/a');
    expect(code?.closest('a')?.getAttribute('href')).toBe('/analytics/go.example%2Fa');
  });

  it.each([
    [60, /^Brought up to date once an hour, last on /],
    [59, /^Updated /],
  ])('says how old the counts are after %i seconds', async (age, text) => {
    const countedAt = new Date(Date.parse(OVERVIEW.generatedAt) - age * 1_000).toISOString();
    show({ countedAt });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it.each([
    [false, null, undefined],
    [true, null, 'No comparison yet: nobody had clicked your links when the period before began.'],
    [
      true,
      { ...OVERVIEW.analytics, from: '2026-09-23', to: '2026-10-22' },
      'Compared with the 30 days before. Today counts up to now.',
    ],
  ])('compares with the period before (advanced: %s)', async (advanced, previousPeriod, text) => {
    show({ advanced, analytics: { ...OVERVIEW.analytics, ...(advanced && { previousPeriod }) } });
    await screen.findByText('Total Clicks');
    expect(screen.queryByText(/^(No comparison|Compared)/)?.textContent).toBe(text);
  });

  it('says that a person counts once per link and day', async () => {
    show({}, undefined, '/analytics?figure=visitors');
    const meaning = 'Each person counts once per link and day, at their first click. Days are UTC.';
    expect(await screen.findByText(meaning)).toBeTruthy();
  });

  it('keeps the figures when they cannot be brought up to date, and says so', async () => {
    const answers: (Partial<OverviewResponse> | null)[] = [{}];
    const client = show(() => answers.shift() ?? null);
    await screen.findByText('Total Clicks');
    await act(() => client.invalidateQueries());
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The newest numbers could not be loaded. You see earlier ones.',
    );
    expect(screen.getByText('Total Clicks')).toBeTruthy();
  });

  it('says that clicks are still being counted', async () => {
    show({ countedAt: null });
    expect(
      await screen.findByText(/Your clicks are being counted, so some are missing/),
    ).toBeTruthy();
  });

  it.each([
    ['No URLs yet', { links: 0 }, 'Once your links are clicked'],
    ['No clicks yet', { hasClicks: false }, 'Once your links are clicked'],
    ['No clicks yet', { hasClicks: false, countedAt: null }, 'Your clicks are being counted.'],
  ])('says “%s” and not that something failed', async (title, answer, text) => {
    show(answer);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers Retry when the overview cannot be loaded', async () => {
    show(null);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the overview');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
