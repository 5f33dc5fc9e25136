import { describe, expect, it } from 'vitest';
import type { AdvancedAnalytics } from '#contract/reports/analytics.ts';
import type { ReportRange } from '#contract/reports/ranges.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { describeComparison as describeExactly } from './main-card.tsx';

const figures = { totalClicks: 4, uniqueClicks: 4, activeDays: 1 };
const previous = {
  ...figures,
  from: '2026-11-08',
  to: '2026-11-14',
  until: '2026-11-14T10:00:00Z',
  current: figures,
  clicksByDate: {},
  visitorsByDate: {},
};
const report = (range: ReportRange, previousPeriod: AdvancedAnalytics['previousPeriod']) =>
  makeReport({ range, created: '2026-11-12T12:00:00Z', analytics: { previousPeriod } });

/** Ranges of dates have thin spaces. */
const describeComparison = (made: Parameters<typeof describeExactly>[0]): string =>
  describeExactly(made).replaceAll('\u2009', ' ');

describe('describeComparison', () => {
  it('names the days before the range, and that both sides are cut at the same time', () => {
    expect(describeComparison(report('7d', previous))).toBe(
      'Compared with Nov 8 – 14, 2026, both up to the last full hour.',
    );
    expect(describeComparison(report('24h', previous))).toBe(
      'Compared with the 24 hours before, both up to the last full hour.',
    );
    expect(
      describeComparison({
        ...report('custom', previous),
        period: { from: '2026-11-15', to: '2026-11-20' },
      }),
    ).toBe('Compared with Nov 8 – 14, 2026.');
  });

  it('says why there is no comparison', () => {
    expect(describeComparison(report('7d', null))).toBe(
      'No comparison yet: this link was created on Nov 12, 2026, after the period before began.',
    );
    expect(describeComparison(report('all', null))).toBe(
      'Choose a shorter range to compare it with the one before.',
    );
  });
});
