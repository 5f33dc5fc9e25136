import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AnalyticsResponse, FilteredReport, FullReport } from '#contract/reports/analytics.ts';
import type { Filter } from '#contract/reports/report-filter.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { currentAddress, goBack, press, renderPage } from '#web/testing/render-page.tsx';
import type { Filtering } from './filters.ts';
import { ReportGrid } from './report-grid.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const frame = {
  url: {
    short_code: 'a',
    short_url: 'https://hop.example/a',
    long_url: 'https://example.com/',
    created_at: '2026-11-01T00:00:00Z',
  },
  range: 'all' as const,
  plan: 'premium' as const,
  viewer: 'owner' as const,
  period: { from: null, to: '2026-11-21' },
  shortenedBy: null,
  lifetime: { totalClicks: 10, uniqueClicks: 8, activeDays: 2 },
  imported: null,
  generatedAt: '2026-11-21T10:00:00Z',
};
const report: FullReport = {
  ...frame,
  advanced: true,
  setAside: { bots: 0, prefetches: 0 },
  analytics: {
    totalClicks: 10,
    uniqueClicks: 8,
    activeDays: 2,
    qrScans: 0,
    destinations: [],
    clicksByDate: { '2026-11-20': 10 },
    visitorsByDate: { '2026-11-20': 8 },
    clicksByCountry: { IN: 7, DE: 3 },
    clicksByCity: [{ country: 'IN', region: 'MH', city: 'Pune', clicks: 7 }],
    clicksByDevice: { Mobile: 6, Other: 4 },
    clicksByBrowser: { Chrome: 10 },
    clicksByOs: { Android: 10 },
    clicksByReferrer: { Direct: 10 },
    clicksByUtmSource: {},
    clicksByUtmMedium: {},
    clicksByUtmCampaign: {},
    clicksByHour: {},
    visitorsByHour: {},
    previousPeriod: null,
    recentClicks: [],
  },
};
const recent = (device_type: string, browser: string) => ({
  clicked_at: '2026-11-20T10:00:00Z',
  country: 'IN',
  device_type,
  browser,
});
const byCountry: FilteredReport = {
  ...frame,
  advanced: true,
  filters: ['country:IN'],
  reasons: {},
  pairsSince: null,
  unlisted: 0,
  recent: { matching: 2, of: 50 },
  analytics: {
    ...report.analytics,
    totalClicks: 7,
    uniqueClicks: null,
    visitorsByDate: null,
    clicksByCountry: { IN: 7 },
    clicksByDevice: { Mobile: 5, Desktop: 2 },
    clicksByBrowser: null,
    clicksByOs: null,
    clicksByReferrer: null,
    clicksByUtmSource: null,
    clicksByUtmMedium: null,
    clicksByUtmCampaign: null,
    qrScans: null,
    destinations: null,
    clicksByHour: null,
    visitorsByHour: null,
    recentClicks: [recent('Mobile', 'Mobile Safari'), recent('Desktop', 'Chrome')],
  },
};
const unfiltered: Filtering = {
  filters: [],
  shown: null,
  stale: false,
  error: null,
  retrying: false,
  retry: () => {},
  clear: () => {},
  toggle: () => {},
};
const INDIA: Filter = { dimension: 'country', value: 'IN' };

function show(
  filtering: Partial<Filtering>,
  { shown = report }: { shown?: AnalyticsResponse } = {},
) {
  const grid = (of: AnalyticsResponse) => (
    <ReportGrid
      report={of}
      filtering={{ ...unfiltered, ...filtering }}
      timesPath="/api/analytics/a/times?range=all"
      onUpgrade={() => {}}
    />
  );
  const { rerender } = renderPage(grid(shown), ['/before', '/']);
  return (next: AnalyticsResponse) => rerender(grid(next));
}
const openTab = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));
const listed = (name: string) =>
  within(screen.getByRole('tabpanel', { name }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

describe('ReportGrid', () => {
  it('filters by the row that is pressed, but never by Other', () => {
    const toggle = vi.fn<(filter: Filter) => void>();
    show({ toggle });
    expect(listed('Type')).toEqual(['Mobile 60% 6', 'Other 40% 4']);
    screen.getByRole('button', { name: /^Mobile/ }).click();
    expect(toggle).toHaveBeenCalledExactlyOnceWith({ dimension: 'device', value: 'Mobile' });
    expect(screen.queryByRole('button', { name: /^Other/ })).toBeNull();
  });

  it('a row is the filter only if dimension and value are the same', () => {
    show({ filters: [{ dimension: 'browser', value: 'Mobile' }] });
    expect(screen.queryByRole('button', { name: /^Mobile/, pressed: true })).toBeNull();
    cleanup();
    show({ filters: [INDIA, { dimension: 'device', value: 'Mobile' }] });
    expect(screen.getByRole('button', { name: /^Mobile/, pressed: true })).toBeTruthy();
  });

  it('opens on countries, and the address holds the view of a card', () => {
    show({});
    expect(screen.getByRole('tablist', { name: 'Locations' })).toBeTruthy();
    expect(listed('Countries')).toEqual(['India 70% 7', 'Germany 30% 3']);
    openTab('Cities');
    expect(currentAddress()).toBe('/?places=cities');
    expect(listed('Cities')).toEqual(['Pune India 70% 7']);
    openTab('Countries');
    expect(currentAddress()).toBe('/');
    goBack();
    expect(currentAddress()).toBe('/before');
  });

  it('shows campaigns and scans as views of the sources, and they do not filter', () => {
    const analytics = {
      ...report.analytics,
      clicksByUtmCampaign: { spring: 1 },
      clicksByUtmSource: { news: 3 },
      clicksByUtmMedium: { email: 2 },
      qrScans: 4,
    };
    show({}, { shown: { ...report, analytics } });
    openTab('Campaigns');
    expect(listed('Campaigns')).toEqual(['spring 10% 1']);
    openTab('UTM source');
    expect(listed('UTM source')).toEqual(['news 30% 3']);
    openTab('UTM medium');
    expect(currentAddress()).toBe('/?sources=utm-medium');
    expect(listed('UTM medium')).toEqual(['email 20% 2']);
    expect(screen.queryByRole('button', { name: /^email/ })).toBeNull();
    openTab('Scans');
    expect(listed('Scans')).toEqual(['Scans of the QR code 40% 4', 'Clicks on the link 60% 6']);
    cleanup();
    show({});
    for (const name of ['Campaigns', 'Scans'])
      expect(screen.queryByRole('tab', { name })).toBeNull();
  });

  it('names sources, systems and browsers as people do', () => {
    const analytics = {
      ...report.analytics,
      clicksByReferrer: { 't.co': 5, 'x.com': 3, 'blog.example': 2 },
      clicksByOs: { 'Mac OS': 10 },
    };
    const toggle = vi.fn<(filter: Filter) => void>();
    show({ toggle }, { shown: { ...report, analytics } });
    const sources = screen.getByRole('heading', { name: 'Sources' }).closest('.grid');
    expect(sources?.textContent).toContain('X t.co 50% 5X x.com 30% 3blog.example 20% 2');
    const pressRow = (name: RegExp) => screen.getByRole('button', { name }).click();
    pressRow(/^X t\.co/);
    openTab('System');
    expect(listed('System')).toEqual(['macOS 100% 10']);
    pressRow(/^macOS/);
    openTab('Browser');
    pressRow(/^Chrome/);
    pressRow(/^India 70%/);
    openTab('Cities');
    pressRow(/^Pune/);
    expect(toggle.mock.calls.map(([{ dimension, value }]) => `${dimension} ${value}`)).toEqual([
      'referrer t.co',
      'os Mac OS',
      'browser Chrome',
      'country IN',
      'city IN|MH|Pune',
    ]);
  });

  it('keeps the cards of an earlier filtered report that could not be updated', () => {
    show({ filters: [INDIA], shown: byCountry, error: new Error('Down.') });
    expect(screen.getByRole('alert').textContent).toMatch(/^Failed to load the filtered report\. /);
    expect(screen.getByText('Clicks by Device')).toBeTruthy();
  });

  it('shows no flag, but a dot, for a country without one', () => {
    const few = Object.fromEntries(
      ['AT', 'BE', 'CH', 'DK', 'ES', 'FR', 'GB', 'HU', 'IE'].map((country) => [country, 1]),
    );
    const analytics = { ...report.analytics, clicksByCountry: { IN: 7, Unknown: 3, ...few } };
    show({}, { shown: { ...report, analytics } });
    const rows = within(screen.getByRole('tabpanel', { name: 'Countries' })).getAllByRole(
      'listitem',
    );
    expect(rows.map((row) => row.querySelector('img') !== null)).toEqual([
      true,
      false,
      ...Array.from({ length: 8 }, () => true),
    ]);
    expect(screen.getByText('No clicks in this range')).toBeTruthy();
  });

  it('shows the map beside the countries if there is room, and else behind a tab', async () => {
    show({});
    expect(screen.queryByRole('tab', { name: 'Map' })).toBeNull();
    const name = 'World map, countries with most clicks first';
    const map = within(await screen.findByRole('group', { name }));
    expect(map.getByRole('button', { name: 'India: 7 clicks, 70%' })).toBeTruthy();
    // Sources and devices share a row, so nothing is beside the times.
    const wide = () =>
      [...document.querySelectorAll(String.raw`.lg\:col-span-2 h2`)].map((one) => one.textContent);
    expect(wide()).toEqual(['Clicks by Country', 'Times']);
    cleanup();
    vi.stubGlobal('matchMedia', (media: string) =>
      Object.assign(new EventTarget(), { media, matches: false }),
    );
    show({});
    expect(screen.queryByRole('group', { name })).toBeNull();
    expect(wide()).toEqual([]);
    openTab('Map');
    expect(await screen.findByRole('group', { name })).toBeTruthy();
  });

  it('answers from counted pairs, and else from the last clicks that match', () => {
    show({ filters: [INDIA], shown: byCountry });
    expect(listed('Type')).toEqual(['Mobile 71% 5', 'Desktop 29% 2']);
    openTab('Browser');
    const browsers = screen.getByRole('tabpanel', { name: 'Browser' });
    expect(browsers.textContent).toContain('2 of the last 50 clicks');
    expect(listed('Browser')).toEqual(['Chrome 50% 1', 'Safari (mobile) 50% 1']);
    const bar = screen.getByLabelText('Filters');
    expect(bar.textContent).toContain('2 of the last 50 clicks');
    expect(bar.getAttribute('aria-live')).toBe('polite');
  });

  it('answers each card from the last clicks, and says what they cannot answer', () => {
    const details = { os: 'Mac OS', referrer: 't.co' };
    const analytics = {
      ...byCountry.analytics,
      clicksByCountry: null,
      clicksByCity: null,
      clicksByDevice: null,
      recentClicks: [{ ...recent('Mobile', 'Chrome'), ...details }, recent('Mobile', 'Chrome')],
    };
    show({ filters: [INDIA], shown: { ...byCountry, analytics } });
    expect(listed('Countries')).toEqual(['India 100% 2']);
    expect(listed('Type')).toEqual(['Mobile 100% 2']);
    openTab('System');
    expect(listed('System')).toEqual(['macOS 100% 1']);
    const sources = screen.getByRole('heading', { name: 'Sources' }).closest('.grid');
    expect(sources?.textContent).toContain('X 100% 1');
    expect(screen.queryByText('Not counted together with this filter')).toBeNull();
    openTab('Cities');
    expect(screen.getByText('Not counted together with this filter')).toBeTruthy();
  });

  it('shows the destinations to others without a button, and not with a filter', async () => {
    const destinations = [
      { url: 'https://a.example/', weight: 70, clicks: 7, visitors: 7, share: null },
      { url: 'https://b.example/', weight: 30, clicks: 3, visitors: 3, share: null },
    ];
    const analytics = { ...report.analytics, destinations };
    const shown = { ...report, viewer: 'admin' as const, analytics };
    show({}, { shown });
    await screen.findByRole('heading', { name: 'Destinations' });
    expect(screen.queryByRole('button', { name: /the destination$/ })).toBeNull();
    cleanup();
    show({ filters: [INDIA], shown: byCountry }, { shown });
    expect(screen.queryByRole('heading', { name: 'Destinations' })).toBeNull();
  });

  it('leaves the focus where it is when the plan adds cards', () => {
    const { clicksByHour: _, visitorsByHour: __, previousPeriod: ___, ...basic } = report.analytics;
    const upgrade = show({}, { shown: { ...report, advanced: false, analytics: basic } });
    const tab = screen.getByRole('tab', { name: 'Countries' });
    tab.focus();
    upgrade(report);
    expect(document.activeElement).toBe(tab);
  });

  it('loads the times near the screen, in the time zone of the reader', async () => {
    let isUp = false;
    let near: (seen: object[]) => void = () => undefined;
    vi.stubGlobal('IntersectionObserver', function observer(notify: typeof near) {
      near = notify;
      return { observe: () => undefined, disconnect: () => undefined };
    });
    const requests = serve(() =>
      isUp ? { totalClicks: 0, clicksByWeekHour: [] } : rejection(503, 'Down.'),
    );
    show({});
    expect(requests).toEqual([]);
    act(() => near([{ isIntersecting: true }]));
    expect(await screen.findByText('Failed to load the times.')).toBeTruthy();
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(requests[0]).toBe(`GET /api/analytics/a/times?range=all&tz=${zone}`);
    isUp = true;
    await press('Retry');
    await waitFor(() => expect(screen.getAllByText('No clicks in this range')).toHaveLength(2));
  });

  it('folds the cards without an answer into one line', () => {
    const clear = vi.fn<() => void>();
    show({ filters: [INDIA], shown: byCountry, clear });
    expect(screen.queryByRole('heading', { name: 'Sources' })).toBeNull();
    expect(
      screen.getByText(/^Sources and Times cannot be filtered by Country: India\./),
    ).toBeTruthy();
    screen.getByRole('button', { name: 'Show all clicks' }).click();
    expect(clear).toHaveBeenCalledOnce();
    expect(screen.queryByText('Not counted together with this filter')).toBeNull();
  });

  it('says how clicks are stored where filters are explained', () => {
    show({ filters: [INDIA], shown: byCountry });
    fireEvent.click(screen.getByRole('button', { name: 'About filters' }));
    expect(screen.getByText(/the last 50 clicks one by one, for at most 60 days\.$/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'About Recent Clicks' }));
    expect(screen.getByText(/ This list shows those of the last 30 days\.$/)).toBeTruthy();
  });

  it('says since when pairs are counted', () => {
    const analytics = { ...byCountry.analytics, recentClicks: [] };
    show({ filters: [INDIA], shown: { ...byCountry, analytics, pairsSince: '2026-11-20' } });
    expect(screen.getByText(/^Counted for Country: India since Nov 20, 2026\./)).toBeTruthy();
    expect(screen.getByText('No recent clicks match the filter')).toBeTruthy();
  });

  it('shows no numbers of all clicks where the filtered ones failed to load', () => {
    const retry = vi.fn<() => void>();
    show({ filters: [INDIA], error: new Error('Down.'), retry });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load the filtered report');
    expect(screen.queryByText('Clicks by Device')).toBeNull();
    screen.getByRole('button', { name: 'Retry' }).click();
    expect(retry).toHaveBeenCalledOnce();
  });
});
