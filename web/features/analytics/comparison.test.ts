import { describe, expect, it } from 'vitest';
import type { AdvancedAnalytics, Range } from '#contract/analytics.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { describeComparison } from './main-card.tsx';

const report = (range: Range, previousPeriod: AdvancedAnalytics['previousPeriod']) =>
  makeReport({ range, created: '2026-11-12T12:00:00Z', analytics: { previousPeriod } });

describe('describeComparison', () => {
  it('names the days before the range', () => {
    const previous = {
      from: '2026-11-09',
      to: '2026-11-15',
      totalClicks: 4,
      uniqueClicks: 4,
      activeDays: 1,
      clicksByDate: {},
      visitorsByDate: {},
    };
    expect(describeComparison(report('7d', previous))).toBe(
      'Compared with the 7 days before, Nov 9 to Nov 15. Today counts up to now.',
    );
    expect(describeComparison(report('24h', previous))).toBe(
      'Compared with the 24 hours before. The current hour counts up to now.',
    );
  });

  it('says why there is no comparison', () => {
    expect(describeComparison(report('7d', null))).toBe(
      'No comparison yet: this link was created on Nov 12, 2026, less than 14 days ago.',
    );
    expect(describeComparison(report('24h', null))).toContain('less than 48 hours ago.');
    expect(describeComparison(report('all', null))).toBe(
      'Choose 24 hours, 7, 30 or 90 days to compare with the period before.',
    );
  });
});
