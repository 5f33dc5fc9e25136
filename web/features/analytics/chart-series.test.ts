import { describe, expect, it } from 'vitest';
import type { AdvancedAnalytics } from '#contract/reports/analytics.ts';
import { HOUR_MS } from '#contract/time.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { buildSeries } from './chart-series.ts';

/** The time of `makeReport` is November 21, 2026, 10:20 UTC. */
const THIS_HOUR = Date.parse('2026-11-21T10:00:00Z');
const WIDE = { hours: true, narrow: false };

const dates = (series: ReturnType<typeof buildSeries>): string[] =>
  series.points.map(({ at }) => new Date(at).toISOString().slice(0, 10));
const clicks = (series: ReturnType<typeof buildSeries>): number[] =>
  series.points.map((point) => point.clicks);

type Previous = NonNullable<AdvancedAnalytics['previousPeriod']>;
const before = (counts: Partial<Previous>): Previous => ({
  from: '',
  to: '',
  until: '',
  current: { totalClicks: 0, uniqueClicks: 0, activeDays: 0 },
  totalClicks: 0,
  uniqueClicks: 0,
  activeDays: 0,
  clicksByDate: {},
  visitorsByDate: {},
  ...counts,
});

describe('buildSeries by day', () => {
  it('fills days without clicks with zeros up to today, in ascending order', () => {
    const analytics = {
      clicksByDate: { '2026-11-20': 2, '2026-11-18': 5 },
      visitorsByDate: { '2026-11-18': 3 },
    };
    const series = buildSeries(makeReport({ analytics }), WIDE);
    expect(series.step).toBe('day');
    expect(dates(series)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']);
    expect(clicks(series)).toEqual([5, 0, 2, 0]);
    expect(series.points.map(({ visitors }) => visitors)).toEqual([3, 0, 0, 0]);
  });

  it('starts a range on its first day even without clicks', () => {
    const series = buildSeries(makeReport({ range: '7d' }), WIDE);
    expect(series.points).toHaveLength(7);
    expect(dates(series)[0]).toBe('2026-11-15');
  });

  it('puts each day beside the same day of the previous period', () => {
    const previousPeriod = before({
      from: '2026-11-08',
      clicksByDate: { '2026-11-08': 4, '2026-11-14': 9 },
      visitorsByDate: { '2026-11-14': 1 },
    });
    const { points } = buildSeries(
      makeReport({ range: '7d', analytics: { previousPeriod } }),
      WIDE,
    );
    expect(points.map(({ previous }) => previous?.clicks)).toEqual([4, 0, 0, 0, 0, 0, 9]);
    expect(points.at(-1)?.previous).toEqual({ clicks: 9, visitors: 1 });
    expect(buildSeries(makeReport({ range: '7d' }), WIDE).points[0]?.previous).toBeNull();
  });

  it('a chart by day has one point for today without clicks', () => {
    expect(dates(buildSeries(makeReport(), WIDE))).toEqual(['2026-11-21']);
  });
});

describe('buildSeries by month', () => {
  it('a chart is monthly throughout when it starts before the daily counts', () => {
    const clicksByDate = { '2025-08-01': 40, '2026-11-02': 1, '2026-11-20': 2 };
    const visitorsByDate = { '2026-11-02': 1, '2026-11-20': 1 };
    const series = buildSeries(makeReport({ analytics: { clicksByDate, visitorsByDate } }), WIDE);
    expect(series.step).toBe('month');
    expect(series.points).toHaveLength(16);
    expect(dates(series)[0]).toBe('2025-08-01');
    expect(clicks(series)[0]).toBe(40);
    expect(series.points.at(-1)).toMatchObject({
      at: Date.parse('2026-11-01'),
      clicks: 3,
      visitors: 2,
    });
  });

  it('begins with the first day of the month 13 months ago', () => {
    const stepFrom = (date: string) =>
      buildSeries(makeReport({ analytics: { clicksByDate: { [date]: 1 } } }), WIDE).step;
    expect(stepFrom('2025-10-01')).toBe('week');
    expect(stepFrom('2025-09-30')).toBe('month');
  });
});

describe('buildSeries by week', () => {
  it('sums many days into weeks from Monday on a narrow screen', () => {
    const clicksByDate = { '2026-10-01': 1, '2026-10-04': 2, '2026-10-05': 4, '2026-11-21': 8 };
    const visitorsByDate = { '2026-10-04': 1 };
    const report = makeReport({ analytics: { clicksByDate, visitorsByDate } });
    const series = buildSeries(report, { hours: true, narrow: true });
    expect(series.step).toBe('week');
    expect(dates(series).slice(0, 3)).toEqual(['2026-10-01', '2026-10-05', '2026-10-12']);
    expect(series.points[0]?.lastDay).toBe(Date.parse('2026-10-04'));
    expect(clicks(series)).toEqual([3, 4, 0, 0, 0, 0, 0, 8]);
    expect(series.points[0]?.visitors).toBe(1);
  });

  it('sums the previous period over the same days', () => {
    const previousPeriod = before({
      from: '2026-05-26',
      clicksByDate: { '2026-05-26': 3, '2026-05-31': 4 },
    });
    const report = makeReport({ range: '90d', analytics: { previousPeriod } });
    const { points } = buildSeries(report, { hours: true, narrow: true });
    // August 24 to 30 are compared with May 26 to June 1.
    expect(points[0]).toMatchObject({ at: Date.parse('2026-08-24'), previous: { clicks: 7 } });
  });

  it('shows weeks for more than 120 days on a wide screen, too', () => {
    const stepOf = (date: string) =>
      buildSeries(makeReport({ analytics: { clicksByDate: { [date]: 1 } } }), WIDE).step;
    expect([stepOf('2026-07-25'), stepOf('2026-07-24')]).toEqual(['day', 'week']);
  });

  it('a chart by week leaves 31 days unchanged', () => {
    const report = makeReport({ analytics: { clicksByDate: { '2026-10-22': 1 } } });
    expect(buildSeries(report, { hours: true, narrow: true })).toMatchObject({
      step: 'day',
      points: { length: 31 },
    });
  });
});

describe('buildSeries by hour', () => {
  const analytics = {
    clicksByHour: { [THIS_HOUR]: 2, [THIS_HOUR - 23 * HOUR_MS]: 1 },
    visitorsByHour: { [THIS_HOUR]: 1 },
    clicksByDate: { '2026-11-20': 1, '2026-11-21': 2 },
  };

  it('shows the last 24 hours, beside the 24 before', () => {
    const previousPeriod = before({
      clicksByHour: { [THIS_HOUR - 24 * HOUR_MS]: 6 },
      visitorsByHour: { [THIS_HOUR - 24 * HOUR_MS]: 4 },
    });
    const series = buildSeries(
      makeReport({ range: '24h', analytics: { ...analytics, previousPeriod } }),
      WIDE,
    );
    expect(series.step).toBe('hour');
    expect(series.points).toHaveLength(24);
    expect(clicks(series).filter((n) => n > 0)).toEqual([1, 2]);
    expect(series.points.at(-1)).toMatchObject({
      at: THIS_HOUR,
      visitors: 1,
      previous: { clicks: 6, visitors: 4 },
    });
  });

  it('shows the hours of the first two days of a link', () => {
    const young = (created: string) =>
      buildSeries(makeReport({ range: '30d', created, analytics }), WIDE);
    expect(young('2026-11-19T10:21:00Z').step).toBe('hour');
    expect(young('2026-11-19T10:21:00Z').points[0]?.at).toBe(Date.parse('2026-11-19T10:00:00Z'));
    expect(young('2026-11-19T10:20:00Z').step).toBe('day');
    expect(young('2026-11-21T10:05:00Z').points).toHaveLength(12);
    const days = { range: 'custom', period: { from: '2026-11-20', to: '2026-11-21' } } as const;
    const created = '2026-11-20T10:00:00Z';
    expect(buildSeries(makeReport({ ...days, created, analytics }), WIDE).step).toBe('day');
  });

  it('shows the hours of one day, today up to now', () => {
    const today = buildSeries(makeReport({ range: 'today', analytics }), WIDE);
    expect([today.step, today.points.length]).toEqual(['hour', 11]);
    expect(today.points[0]?.at).toBe(Date.parse('2026-11-21'));
    const day = (date: string) =>
      buildSeries(
        makeReport({ range: 'custom', period: { from: date, to: date }, analytics }),
        WIDE,
      );
    expect([day('2026-11-20').step, day('2026-11-20').points.length]).toEqual(['hour', 24]);
    // Hours are kept for 14 days.
    expect([day('2026-11-07').step, day('2026-11-06').step]).toEqual(['hour', 'day']);
  });

  it('a chart of chosen days ends with the last of them', () => {
    const period = { from: '2026-11-01', to: '2026-11-03' };
    const series = buildSeries(makeReport({ range: 'custom', period, analytics }), WIDE);
    expect(dates(series)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
  });

  it('shows two days instead without advanced analytics or hours', () => {
    const full = makeReport({ range: '24h', analytics });
    const { clicksByDate, visitorsByDate } = full.analytics;
    for (const series of [
      buildSeries({ ...full, analytics: { clicksByDate, visitorsByDate } }, WIDE),
      buildSeries(full, { hours: false, narrow: false }),
    ])
      expect({ step: series.step, clicks: clicks(series) }).toEqual({
        step: 'day',
        clicks: [1, 2],
      });
  });
});
