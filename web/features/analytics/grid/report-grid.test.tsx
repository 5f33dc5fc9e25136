import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FilteredReport, FullReport } from '#contract/analytics.ts';
import type { Filter } from '#contract/report-filter.ts';
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
  imported: null,
  generatedAt: '2026-11-21T10:00:00Z',
};
const report: FullReport = {
  ...frame,
  advanced: true,
  setAside: { bots: 0, prefetches: 0 },
  lifetimeClicks: 10,
  analytics: {
    totalClicks: 10,
    uniqueClicks: 8,
    activeDays: 2,
    qrScans: 0,
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
const byCountry: FilteredReport = {
  ...frame,
  advanced: true,
  filter: 'country:IN',
  analytics: {
    ...report.analytics,
    totalClicks: 7,
    uniqueClicks: null,
    visitorsByDate: null,
    clicksByCountry: { IN: 7 },
    clicksByDevice: null,
    clicksByBrowser: null,
    clicksByOs: null,
    clicksByReferrer: null,
    clicksByHour: null,
    visitorsByHour: null,
  },
};
const unfiltered: Filtering = {
  filter: null,
  shown: null,
  stale: false,
  error: null,
  retrying: false,
  retry: () => {},
  clear: () => {},
  toggle: () => {},
};
const show = (filtering: Partial<Filtering>) =>
  render(
    <ReportGrid report={report} filtering={{ ...unfiltered, ...filtering }} onUpgrade={() => {}} />,
  );
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
    show({ filter: { dimension: 'browser', value: 'Mobile' } });
    expect(screen.queryByRole('button', { name: /^Mobile/, pressed: true })).toBeNull();
    cleanup();
    show({ filter: { dimension: 'device', value: 'Mobile' } });
    expect(screen.getByRole('button', { name: /^Mobile/, pressed: true })).toBeTruthy();
  });

  it('shows campaigns if any parameter has a value, and they do not filter', () => {
    const analytics = { ...report.analytics, clicksByUtmMedium: { email: 2 } };
    render(
      <ReportGrid report={{ ...report, analytics }} filtering={unfiltered} onUpgrade={() => {}} />,
    );
    fireEvent.click(screen.getByRole('tab', { name: 'Medium' }));
    expect(listed('Medium')).toEqual(['email 20% 2']);
    expect(screen.queryByRole('button', { name: /^email/ })).toBeNull();
    cleanup();
    show({});
    expect(screen.queryByText('Campaigns')).toBeNull();
  });

  it('keeps the cards of an earlier filtered report that could not be updated', () => {
    const error = new Error('Down.');
    show({ filter: { dimension: 'country', value: 'IN' }, shown: byCountry, error });
    expect(screen.getByRole('alert').textContent).toMatch(/^Failed to load the filtered report\. /);
    expect(screen.getByText('Clicks by Device')).toBeTruthy();
  });

  it('shows no flag, but a dot, for a country without one', () => {
    const analytics = { ...report.analytics, clicksByCountry: { IN: 7, Unknown: 3 } };
    render(
      <ReportGrid report={{ ...report, analytics }} filtering={unfiltered} onUpgrade={() => {}} />,
    );
    fireEvent.click(screen.getByRole('tab', { name: 'Countries' }));
    const rows = within(screen.getByRole('tabpanel', { name: 'Countries' })).getAllByRole(
      'listitem',
    );
    expect(rows.map((row) => row.querySelector('img') !== null)).toEqual([true, false]);
  });

  it('says which cards a filter cannot answer, and why', () => {
    const clear = vi.fn<() => void>();
    show({ filter: { dimension: 'country', value: 'IN' }, shown: byCountry, clear });
    expect(screen.getAllByText(/^Not counted together with this filter/).length).toBe(3);
    expect(
      screen.getAllByText(/devices, sources and hours of these clicks are not known/).length,
    ).toBeGreaterThan(0);
    for (const button of screen.getAllByRole('button', { name: 'Show all clicks' })) button.click();
    expect(clear).toHaveBeenCalledTimes(3);
    screen.getByRole('button', { name: 'Remove filter Country: India' }).click();
    expect(clear).toHaveBeenCalledTimes(4);
  });

  it('shows no numbers of all clicks where the filtered ones failed to load', () => {
    const retry = vi.fn<() => void>();
    show({ filter: { dimension: 'country', value: 'IN' }, error: new Error('Down.'), retry });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load the filtered report');
    expect(screen.queryByText('Clicks by Device')).toBeNull();
    screen.getByRole('button', { name: 'Retry' }).click();
    expect(retry).toHaveBeenCalledOnce();
  });
});
