import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { MainCard } from './main-card.tsx';

afterEach(cleanup);

const analytics = {
  totalClicks: 60,
  uniqueClicks: 40,
  activeDays: 3,
  clicksByDate: { '2026-11-20': 59, '2026-11-21': 1 },
  visitorsByDate: { '2026-11-20': 40 },
  previousPeriod: {
    from: '2026-11-08',
    to: '2026-11-14',
    totalClicks: 40,
    uniqueClicks: 40,
    activeDays: 3,
    clicksByDate: {},
    visitorsByDate: {},
  },
};

const renderCard = (report: AnalyticsResponse, path = '/') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <MainCard report={report} />
    </MemoryRouter>,
  );
const tab = (name: RegExp) => screen.getByRole('tab', { name });

describe('MainCard', () => {
  it('compares every figure with the previous period', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    expect(tab(/Total Clicks/).textContent).toBe('Total Clicks60Up 50% from 40');
    expect(tab(/Unique Visitors/).textContent).toBe('Unique Visitors40Same as before');
    expect(tab(/Clicks per visitor/).textContent).toBe('Clicks per visitor1.5Up 50% from 1.0');
    expect(screen.getByText('Active Days').parentElement?.textContent).toContain('3Same as before');
  });

  it('shows the selected figure in the chart and its table', () => {
    renderCard(makeReport({ range: '7d', analytics }));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Clicks by Date');
    act(() => tab(/Unique Visitors/).click());
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Visitors by Date');
    const rows = screen
      .getByRole('table', { name: 'Visitors by day (UTC)' })
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
    renderCard(makeReport({ range: '7d', analytics: busy }), '/?figure=visitors');
    expect(tab(/Unique Visitors/).textContent).toBe('Unique Visitorsabout 4,041');
    expect(screen.getByText(/More than 4,000 a day are estimated/)).toBeTruthy();
    cleanup();
    renderCard(
      makeReport({
        range: '7d',
        analytics: { ...busy, visitorsByDate: { '2026-11-20': 4_000, '2026-11-21': 41 } },
      }),
    );
    expect(tab(/Unique Visitors/).textContent).toBe('Unique Visitors4,041');
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

  it('the card gives no clicks per visitor where nobody can be counted', () => {
    renderCard(
      makeReport({ range: '7d', analytics: { ...analytics, previousPeriod: null } }),
      '/?figure=per-visitor',
    );
    const cells = [...screen.getByRole('table').querySelectorAll('td')].map(
      (cell) => cell.textContent,
    );
    expect(cells).toEqual(['–', '–', '–', '–', '–', '1.48', '–']);
  });

  it('explains why 24 hours have no clicks per visitor', () => {
    renderCard(makeReport({ range: '24h', analytics }), '/?figure=per-visitor');
    expect(tab(/Clicks per visitor/).textContent).toBe('Clicks per visitor–');
    expect(screen.getByText(/this figure needs whole days/)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('says since when the days of 24 hours count without advanced analytics', () => {
    const {
      clicksByHour: _,
      visitorsByHour: __,
      previousPeriod: ___,
      ...basic
    } = makeReport({ analytics }).analytics;
    renderCard({ ...makeReport({ range: '24h' }), advanced: false, analytics: basic });
    expect(
      screen.getByText(/Days are UTC, from Nov 20, 11:00\. Hours are part of Premium\./),
    ).toBeTruthy();
    expect(
      screen.getByRole('table', { name: 'Clicks by day (UTC)' }).querySelectorAll('tbody tr'),
    ).toHaveLength(2);
  });
});
