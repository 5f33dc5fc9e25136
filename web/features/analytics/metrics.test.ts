import { describe, expect, it } from 'vitest';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { clicksOfDays, formatShare, metricValue } from './metrics.ts';

describe('formatShare', () => {
  it('rounds shares without calling a click none', () => {
    expect([0, 0.001, 0.005, 0.254, 1].map(formatShare)).toEqual([
      '0%',
      '<1%',
      '1%',
      '25%',
      '100%',
    ]);
  });
});

describe('clicksOfDays', () => {
  const reportOf = (range: AnalyticsResponse['range']): Parameters<typeof clicksOfDays>[0] => ({
    range,
    analytics: { totalClicks: 3, clicksByDevice: { Mobile: 4, Desktop: 5 } },
  });

  it('returns the total, and for 24 hours the clicks of the two days on the cards', () => {
    expect(clicksOfDays(reportOf('7d'))).toBe(3);
    expect(clicksOfDays(reportOf('24h'))).toBe(9);
  });
});

describe('valueOf', () => {
  it('returns no clicks per visitor without visitors', () => {
    const figures = [
      metricValue('clicks', { clicks: 6, visitors: 4 }),
      metricValue('per-visitor', { clicks: 6, visitors: 4 }),
    ];
    expect([...figures, metricValue('per-visitor', { clicks: 6, visitors: 0 })]).toEqual([
      6,
      1.5,
      null,
    ]);
  });
});
