import { describe, expect, it } from 'vitest';
import type { AdvancedAnalytics, FullReport, Range } from '#contract/analytics.ts';
import { describeChange, describeComparison } from './comparison.ts';

const report = (range: Range, previousPeriod: AdvancedAnalytics['previousPeriod']): FullReport => ({
  url: {
    short_code: 'a',
    short_url: 'https://hop.example/a',
    long_url: 'https://example.com/',
    created_at: '2026-11-12T12:00:00Z',
  },
  range,
  plan: 'premium',
  viewer: 'owner',
  advanced: true,
  analytics: {
    totalClicks: 5,
    uniqueClicks: 5,
    activeDays: 2,
    clicksByDate: {},
    visitorsByDate: {},
    clicksByCountry: {},
    clicksByDevice: {},
    recentClicks: [],
    clicksByCity: [],
    clicksByBrowser: {},
    clicksByOs: {},
    clicksByReferrer: {},
    clicksByHour: {},
    visitorsByHour: {},
    previousPeriod,
  },
  setAside: { bots: 0, prefetches: 0 },
  lifetimeClicks: 5,
  generatedAt: '2026-11-22T12:00:00Z',
});

describe('describeChange', () => {
  it.each([
    [50, 40, 'Up 25% from 40'],
    [36, 40, 'Down 10% from 40'],
    [0, 40, 'Down 100% from 40'],
    [1_001, 1_000, 'Up less than 1% from 1,000'],
    [3, 0, 'Up from 0'],
    [40, 40, 'Same as before'],
    [0, 0, 'Same as before'],
  ])('describes %i after %i', (current, previous, text) => {
    expect(describeChange(current, previous)).toBe(text);
  });
});

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
  });

  it('says why there is no comparison', () => {
    expect(describeComparison(report('7d', null))).toBe(
      'No comparison yet: this link was created on Nov 12, 2026, less than 14 days ago.',
    );
    expect(describeComparison(report('all', null))).toBe('Choose 7, 30 or 90 days to compare with the period before.');
  });
});
