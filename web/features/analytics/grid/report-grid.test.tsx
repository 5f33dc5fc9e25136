import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FilteredReport, FullReport } from '#contract/reports/analytics.ts';
import type { Filter } from '#contract/reports/report-filter.ts';
import { REPORT_PARTS, type ReportPart } from '#web/features/analytics/report-parts.ts';
import { currentAddress, renderPage } from '#web/testing/render-page.tsx';
import type { Filtering } from './filters.ts';
import { ReportGrid } from './report-grid.tsx';

afterEach(cleanup);

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
  filtering: Partial<Filtering> | null,
  {
    shown = report,
    parts = REPORT_PARTS,
  }: { shown?: FullReport; parts?: readonly ReportPart[] } = {},
) {
  return renderPage(
    <ReportGrid
      report={shown}
      filtering={filtering && { ...unfiltered, ...filtering }}
      timesPath={null}
      parts={parts}
      onUpgrade={() => {}}
    />,
  );
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
    expect(listed('Countries')).toEqual(['India 70% 7', 'Germany 30% 3']);
    openTab('Cities');
    expect(currentAddress()).toBe('/?places=cities');
    expect(listed('Cities')).toEqual(['Pune India 70% 7']);
    openTab('Countries');
    expect(currentAddress()).toBe('/');
  });

  it('shows campaigns and scans as views of the sources, and they do not filter', () => {
    const analytics = { ...report.analytics, clicksByUtmMedium: { email: 2 }, qrScans: 4 };
    show({}, { shown: { ...report, analytics } });
    openTab('UTM medium');
    expect(listed('UTM medium')).toEqual(['email 20% 2']);
    expect(screen.queryByRole('button', { name: /^email/ })).toBeNull();
    openTab('Scans');
    expect(listed('Scans')).toEqual(['Scans of the QR code 40% 4', 'Clicks on the link 60% 6']);
    cleanup();
    show({});
    expect(screen.queryByRole('tab', { name: 'Scans' })).toBeNull();
  });

  it('names sources, systems and browsers as people do', () => {
    const analytics = {
      ...report.analytics,
      clicksByReferrer: { 't.co': 5, 'x.com': 3, 'blog.example': 2 },
      clicksByOs: { 'Mac OS': 10 },
    };
    show({}, { shown: { ...report, analytics } });
    const sources = screen.getByRole('heading', { name: 'Sources' }).closest('.grid');
    expect(sources?.textContent).toContain('X t.co 50% 5X x.com 30% 3blog.example 20% 2');
    openTab('System');
    expect(listed('System')).toEqual(['macOS 100% 10']);
  });

  it('keeps the cards of an earlier filtered report that could not be updated', () => {
    show({ filters: [INDIA], shown: byCountry, error: new Error('Down.') });
    expect(screen.getByRole('alert').textContent).toMatch(/^Failed to load the filtered report\. /);
    expect(screen.getByText('Clicks by Device')).toBeTruthy();
  });

  it('shows no flag, but a dot, for a country without one', () => {
    const analytics = { ...report.analytics, clicksByCountry: { IN: 7, Unknown: 3 } };
    show({}, { shown: { ...report, analytics } });
    const rows = within(screen.getByRole('tabpanel', { name: 'Countries' })).getAllByRole(
      'listitem',
    );
    expect(rows.map((row) => row.querySelector('img') !== null)).toEqual([true, false]);
  });

  it('answers from counted pairs, and else from the last clicks that match', () => {
    show({ filters: [INDIA], shown: byCountry });
    expect(listed('Type')).toEqual(['Mobile 71% 5', 'Desktop 29% 2']);
    openTab('Browser');
    const browsers = screen.getByRole('tabpanel', { name: 'Browser' });
    expect(browsers.textContent).toContain('2 of the last 50 clicks');
    expect(listed('Browser')).toEqual(['Chrome 50% 1', 'Safari (mobile) 50% 1']);
  });

  it('folds the cards without an answer into one line', () => {
    const clear = vi.fn<() => void>();
    show({ filters: [INDIA], shown: byCountry, clear });
    expect(screen.queryByRole('heading', { name: 'Sources' })).toBeNull();
    expect(screen.getByText(/^Sources cannot be filtered by Country: India\./)).toBeTruthy();
    screen.getByRole('button', { name: 'Show all clicks' }).click();
    expect(clear).toHaveBeenCalledOnce();
    expect(screen.queryByText('Not counted together with this filter')).toBeNull();
  });

  it('says how clicks are stored where filters are explained', () => {
    show({ filters: [INDIA], shown: byCountry });
    fireEvent.click(screen.getByRole('button', { name: 'About filters' }));
    expect(screen.getByText(/the last 50 clicks one by one, for at most 60 days\.$/)).toBeTruthy();
  });

  it('says since when pairs are counted', () => {
    show({ filters: [INDIA], shown: { ...byCountry, pairsSince: '2026-11-20' } });
    expect(screen.getByText(/^Counted for Country: India since Nov 20, 2026\./)).toBeTruthy();
  });

  it('shows no numbers of all clicks where the filtered ones failed to load', () => {
    const retry = vi.fn<() => void>();
    show({ filters: [INDIA], error: new Error('Down.'), retry });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load the filtered report');
    expect(screen.queryByText('Clicks by Device')).toBeNull();
    screen.getByRole('button', { name: 'Retry' }).click();
    expect(retry).toHaveBeenCalledOnce();
  });

  it('shows only the chosen parts of a report that cannot be filtered', () => {
    show(null, { parts: ['devices'] });
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'Clicks by Device',
    ]);
    expect(screen.queryByText(/^Choose a country/)).toBeNull();
    expect(screen.queryByRole('button', { name: /^Mobile/ })).toBeNull();
  });
});
