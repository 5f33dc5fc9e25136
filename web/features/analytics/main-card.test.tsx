import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { currentAddress, goBack, showPage } from '#web/testing/render-page.tsx';
import { MainCard } from './main-card.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const analytics = {
  totalClicks: 60,
  uniqueClicks: 40,
  activeDays: 3,
  clicksByDate: { '2026-11-20': 59, '2026-11-21': 1 },
  visitorsByDate: { '2026-11-20': 40 },
  previousPeriod: {
    from: '2026-11-08',
    to: '2026-11-14',
    until: '2026-11-14T10:00:00Z',
    // Without the running hour.
    current: { totalClicks: 60, uniqueClicks: 40, activeDays: 3 },
    totalClicks: 40,
    uniqueClicks: 40,
    activeDays: 3,
    clicksByDate: {},
    visitorsByDate: {},
  },
};

const lifetime = { totalClicks: 600, uniqueClicks: 300, activeDays: 30 };
const renderCard = (report: AnalyticsResponse, path = '/') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <MainCard report={report} />
    </MemoryRouter>,
  );
const tab = (name: RegExp) => screen.getByRole('tab', { name });

describe('MainCard', () => {
  it('shows figures of the whole life, with those of the range and their comparison', () => {
    renderCard(makeReport({ range: '7d', lifetime, analytics }));
    expect(tab(/Total Clicks/).textContent).toBe(
      'Total Clicks60060 in the last 7 daysUp 50% from 40',
    );
    expect(tab(/Unique Visitors/).textContent).toBe(
      'Unique Visitors30040 in the last 7 daysSame as before',
    );
    expect(tab(/Clicks per visitor/).textContent).toBe(
      'Clicks per visitor2.01.5 in the last 7 daysUp 50% from 1.0',
    );
    expect(screen.getByText('Active Days').parentElement?.textContent).toBe(
      'Active Days303 in the last 7 daysSame as before',
    );
  });

  it('compares the figures over the same elapsed time', () => {
    const current = { ...analytics.previousPeriod.current, totalClicks: 50 };
    const previousPeriod = { ...analytics.previousPeriod, current };
    renderCard(makeReport({ range: '7d', lifetime, analytics: { ...analytics, previousPeriod } }));
    expect(tab(/Total Clicks/).textContent).toBe(
      'Total Clicks60060 in the last 7 daysUp 25% from 40',
    );
  });

  it('all time has the figures once', () => {
    renderCard(makeReport({ lifetime, analytics: { ...analytics, previousPeriod: null } }));
    expect(tab(/Total Clicks/).textContent).toBe('Total Clicks600');
  });

  it('shows the selected figure in the chart and its table', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Clicks by Date');
    act(() => tab(/Unique Visitors/).click());
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Visitors by date');
    expect(screen.getByRole('tabpanel', { name: /^Unique Visitors/ }).id).toBe(
      tab(/Unique Visitors/).getAttribute('aria-controls'),
    );
    expect(screen.getByRole('columnheader', { name: 'Visitors' })).toBeTruthy();
    const rows = screen
      .getByRole('table', { name: 'Visitors by day' })
      .querySelectorAll('tbody tr');
    expect([...rows].map((row) => row.querySelector('td')?.textContent)).toEqual([
      '0',
      '0',
      '0',
      '0',
      '0',
      '40',
      '0',
    ]);
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe(
      'Saturday, November 21, 2026, so far: 0 visitors, before: 0',
    );
  });

  it('says that the visitors of a busy day are estimated', () => {
    const busy = {
      ...analytics,
      previousPeriod: null,
      uniqueClicks: 4_041,
      visitorsByDate: { '2026-11-20': 4_001, '2026-11-21': 40 },
    };
    renderCard(makeReport({ range: '7d', lifetime, analytics: busy }), '/?figure=visitors');
    expect(tab(/Unique Visitors/).textContent).toBe(
      'Unique Visitorsabout 300about 4,041 in the last 7 days',
    );
    fireEvent.click(screen.getByRole('button', { name: 'About Visitors by date' }));
    const isSaid = () => screen.queryByText(/More than 4,000 a day are estimated/) !== null;
    expect(isSaid()).toBe(true);
    const meaning = () => screen.getByText(/a day are estimated/).textContent;
    expect(meaning()).toMatch(/^Each person counts once per day, at their first click\. More/);
    act(() => tab(/Clicks per visitor/).click());
    expect(meaning()).toContain('asks not to be tracked count as clicks only. More');
    act(() => tab(/Total Clicks/).click());
    expect(isSaid()).toBe(false);
    cleanup();
    renderCard(
      makeReport({
        range: '7d',
        lifetime,
        analytics: { ...busy, visitorsByDate: { '2026-11-20': 4_000, '2026-11-21': 41 } },
      }),
    );
    expect(tab(/Unique Visitors/).textContent).toBe('Unique Visitors3004,041 in the last 7 days');
  });

  it('mirrors the arrow keys of the figures from right to left', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    const press = (key: string) =>
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
    const selected = () => screen.getByRole('tab', { selected: true }).textContent;
    act(() => tab(/Total Clicks/).focus());
    press('ArrowRight');
    expect(selected()).toMatch(/^Unique/);
    document.documentElement.style.direction = 'rtl';
    press('ArrowRight');
    expect(selected()).toMatch(/^Total/);
    press('ArrowLeft');
    press('ArrowLeft');
    press('ArrowLeft');
    expect(selected()).toMatch(/^Total/);
    document.documentElement.removeAttribute('style');
  });

  it('Home and End select the first and the last figure, which is the only tab stop', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    for (const [key, name] of [
      ['End', /^Clicks per visitor/],
      ['Home', /^Total/],
      ['ArrowLeft', /^Clicks per visitor/],
      ['ArrowRight', /^Total/],
    ] as const) {
      fireEvent.keyDown(screen.getByRole('tab', { selected: true }), { key });
      expect(document.activeElement).toBe(screen.getByRole('tab', { selected: true }));
      expect(document.activeElement?.textContent).toMatch(name);
      expect(screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)).toEqual([
        document.activeElement,
      ]);
    }
  });

  it('the address of a report names the chosen figure, unless it is Total Clicks', () => {
    showPage(<MainCard report={makeReport({ range: '7d', analytics })} />, '/b', '/a?range=7d');
    act(() => tab(/Unique Visitors/).click());
    expect(currentAddress()).toBe('/a?range=7d&figure=visitors');
    act(() => tab(/Total Clicks/).click());
    expect(currentAddress()).toBe('/a?range=7d');
    goBack();
    expect(currentAddress()).toBe('/b');
  });

  it('a number of seven digits is shortened on a phone', () => {
    const textOf = (totalClicks: number) => {
      renderCard(makeReport({ lifetime: { ...lifetime, totalClicks } }));
      const { textContent } = tab(/Total Clicks/);
      cleanup();
      return textContent;
    };
    expect(textOf(1_234_567)).toBe('Total Clicks1,234,5671.235M');
    expect(textOf(1_000_000)).toBe('Total Clicks1,000,0001M');
    expect(textOf(999_999)).toBe('Total Clicks999,999');
  });

  it('says when the link was created, and how old it was when the report was built', () => {
    renderCard(makeReport({ range: '7d', created: '2026-11-14T12:00:00Z', analytics }));
    expect(screen.getByText('Created').parentElement?.textContent).toBe(
      'CreatedNov 14, 20266 days ago',
    );
  });

  it('explains a figure on request', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    expect(screen.queryByText(/By people\./)).toBeNull();
    const about = screen.getByRole('button', { name: 'About Clicks by Date' });
    fireEvent.click(about);
    expect(about.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText(/By people\..*Compared with Nov 8 – 14, 2026/)).toBeTruthy();
    fireEvent.keyDown(about, { key: 'Escape' });
    expect(screen.queryByText(/By people\./)).toBeNull();
  });

  it('clicks per visitor of a young link are shown by day, the others by hour', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    const hours = { clicksByHour: { [now]: 1 }, visitorsByHour: { [now]: 1 } };
    const young = makeReport({
      created: '2026-11-20T10:00:00Z',
      analytics: { ...analytics, ...hours },
    });
    renderCard(young, '/?figure=visitors');
    expect(screen.getByRole('table', { name: 'Visitors by hour' })).toBeTruthy();
    cleanup();
    renderCard(young, '/?figure=per-visitor');
    expect(screen.getByRole('table', { name: 'Clicks per visitor by day' })).toBeTruthy();
  });

  it('shows the legend only beside figures that are compared', () => {
    const hasLegend = (report: AnalyticsResponse, path: string) => {
      renderCard(report, path);
      const found = screen.queryByText('Previous period', { selector: 'span' }) !== null;
      cleanup();
      return found;
    };
    const compared = makeReport({ range: '24h', analytics });
    expect(hasLegend(compared, '/')).toBe(true);
    expect(hasLegend(compared, '/?figure=per-visitor')).toBe(false);
    expect(hasLegend(makeReport({ range: '24h' }), '/')).toBe(false);
  });

  it('shows a chart if only the period before the range has clicks', () => {
    const { previousPeriod } = analytics;
    const before = { ...previousPeriod, clicksByDate: { '2026-11-10': 3 } };
    renderCard(makeReport({ range: '7d', analytics: { previousPeriod: before } }));
    const rows = [...screen.getByRole('table').querySelectorAll('tbody tr')];
    expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual([
      '0',
      '0',
      '3',
      '0',
      '0',
      '0',
      '0',
    ]);
    expect(rows.map((row) => row.children[1]?.textContent)).toEqual(Array(7).fill('0'));
    cleanup();
    const period = { from: '2026-11-15', to: '2026-11-20' };
    renderCard(makeReport({ range: 'custom', period, analytics }));
    const last = screen.getByRole('slider').getAttribute('aria-valuetext');
    expect(last).toMatch(/^Friday, November 20, 2026: 59 clicks/);
    cleanup();
    renderCard(makeReport({ range: '7d' }));
    expect(screen.getByText('No clicks in this range')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('a chart narrower than 480 px shows weeks, also after it was resized', () => {
    let width = 480;
    let resize = (): void => undefined;
    const observe = vi.fn<() => void>();
    const disconnect = vi.fn<() => void>();
    vi.stubGlobal('ResizeObserver', function observer(notify: () => void) {
      resize = notify;
      return { observe, disconnect };
    });
    Object.defineProperty(HTMLDivElement.prototype, 'clientWidth', {
      get: () => width,
      configurable: true,
    });
    const { container, unmount } = renderCard(makeReport({ range: '90d', analytics }));
    const shown = () => [
      screen.getByRole('slider').getAttribute('aria-label'),
      ...[...screen.getByRole('table').querySelectorAll('caption, th')]
        .slice(0, 5)
        .map(({ textContent }) => textContent.replaceAll('\u2009', ' ')),
    ];
    const columns = ['Clicks', 'Previous period'];
    expect(shown()).toEqual([
      'Chart: Clicks by day',
      'Clicks by day',
      'Date',
      ...columns,
      'Monday, August 24, 2026',
    ]);
    expect(observe).toHaveBeenCalledOnce();
    width = 479;
    act(resize);
    expect(shown()).toEqual([
      'Chart: Clicks by week',
      'Clicks by week',
      'Week',
      ...columns,
      'Aug 24 – 30',
    ]);
    expect(container.querySelector('figure svg')?.textContent).toMatch(/Nov 16so far$/);
    unmount();
    expect(disconnect).toHaveBeenCalledOnce();
    renderCard(makeReport({ analytics: { clicksByDate: { '2025-08-01': 40 } } }));
    expect(shown()).toEqual([
      'Chart: Clicks by month',
      'Clicks by month',
      'Month',
      'Clicks',
      'Aug 2025',
      'Sep 2025',
    ]);
    Reflect.deleteProperty(HTMLDivElement.prototype, 'clientWidth');
  });

  it('the card gives no clicks per visitor where nobody can be counted', () => {
    renderCard(
      makeReport({ range: '7d', analytics: { ...analytics, previousPeriod: null } }),
      '/?figure=per-visitor',
    );
    const cells = [...screen.getByRole('table').querySelectorAll('td')].map(
      (cell) => cell.textContent,
    );
    expect(cells).toEqual(['–', '–', '–', '–', '–', '1.48', '–']);
    const chart = screen.getByRole('slider');
    fireEvent.change(chart, { target: { value: '5' } });
    expect(chart.getAttribute('aria-valuetext')).toContain(': 1.48 clicks per visitor');
  });

  it('explains why 24 hours have no clicks per visitor', () => {
    renderCard(makeReport({ range: '24h', analytics }), '/?figure=per-visitor');
    expect(tab(/Clicks per visitor/).textContent).toBe('Clicks per visitor–');
    expect(screen.getByText(/this figure needs whole days/)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows the days of 24 hours without advanced analytics', () => {
    const {
      clicksByHour: _,
      visitorsByHour: __,
      previousPeriod: ___,
      ...basic
    } = makeReport({ analytics }).analytics;
    renderCard({ ...makeReport({ range: '24h' }), advanced: false, analytics: basic });
    expect(
      screen.getByRole('table', { name: 'Clicks by day' }).querySelectorAll('tbody tr'),
    ).toHaveLength(2);
  });

  it('shows hours of a young link on every plan', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    const { previousPeriod: _, ...basic } = makeReport({
      analytics: { ...analytics, clicksByHour: { [now]: 1 }, visitorsByHour: {} },
    }).analytics;
    const young = makeReport({ created: '2026-11-20T10:00:00Z' });
    renderCard({ ...young, advanced: false, analytics: basic });
    expect(screen.getByRole('table', { name: 'Clicks by hour' })).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Hour' })).toBeTruthy();
  });
});
