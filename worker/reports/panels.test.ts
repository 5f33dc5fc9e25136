import { describe, expect, it } from 'vitest';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { noCounts, noSums, type Tally } from '#worker/clicks/fold/counts.ts';
import { leadingLinks } from './account-days.ts';
import { buildDimensionPanels, buildTimePanels, readRecentClicks } from './panels.ts';
import { sumDays } from './prefix-report.ts';
import type { PeriodRow } from './store.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
/** The oldest day that reports show by itself: 13 months ago. */
const OLDEST = Date.UTC(2025, 9, 1);
const row = (at: number, human: number, more: Partial<PeriodRow> = {}): PeriodRow => ({
  grain: 'd',
  at,
  ...noSums(),
  human,
  scans: 0,
  ...more,
});

describe('buildTimePanels', () => {
  it('shows days of the last 13 months, and months before', () => {
    const rows = [row(OLDEST, 1), row(OLDEST - 1, 2), row(OLDEST - 20 * DAY_MS, 4), row(NOW, 8)];
    expect(buildTimePanels(rows, NOW).dates.clicksByDate).toEqual({
      '2025-09-01': 6,
      '2025-10-01': 1,
      '2026-11-20': 8,
    });
  });

  it('shows the hours of the last 14 days, in order, and none of a whole day', () => {
    const oldest = Date.UTC(2026, 10, 6);
    const hour = { grain: 'h', visitors: 1 } as const;
    const rows = [
      row(NOW - HOUR_MS, 2, hour),
      row(oldest, 3, hour),
      row(oldest - HOUR_MS, 4, hour),
      row(oldest, 5, { visitors: 2 }),
      row(NOW, 0, { ...hour, bot: 7 }),
    ];
    const { hours, activeDays, sums } = buildTimePanels(rows, NOW);
    expect(Object.entries(hours.clicksByHour)).toEqual([
      [String(oldest), 3],
      [String(NOW - HOUR_MS), 2],
    ]);
    expect(hours.visitorsByHour).toEqual({ [oldest]: 1, [NOW - HOUR_MS]: 1 });
    expect([activeDays, sums.human, sums.bot]).toEqual([3, 14, 7]);
  });
});

describe('sumDays', () => {
  it('shows days of the last 13 months, and months before', () => {
    const day = (ms: number, human: number) => ({ ...noSums(), human, bot: 1, day: ms / DAY_MS });
    const days = [day(OLDEST - 20 * DAY_MS, 4), day(OLDEST - DAY_MS, 2), day(OLDEST, 1)];
    expect(sumDays([...days, day(OLDEST + DAY_MS, 0)], NOW)).toEqual({
      totals: { clicks: 7, visitors: 0, bots: 4, prefetches: 0 },
      days: [
        { at: Date.UTC(2025, 8, 1), clicks: 6 },
        { at: OLDEST, clicks: 1 },
      ],
    });
  });
});

describe('buildDimensionPanels', () => {
  const panels = (counts: Partial<Record<'place' | 'agent' | 'ref' | 'utm', Tally>>) =>
    buildDimensionPanels([{ ...noCounts(), ...counts }]);
  const many = (count: number, nameOf: (i: number) => string): Tally =>
    new Map(Array.from({ length: count }, (_, i) => [nameOf(i), 1 + (i % 2)]));

  it('orders values by count, then by name', () => {
    const ref = new Map([
      ['b', 1],
      ['c', 2],
      ['a', 1],
    ]);
    expect(Object.entries(panels({ ref }).clicksByReferrer)).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('lists 100 values of each panel and counts all others under Other, but no cities', () => {
    const { clicksByReferrer, clicksByUtmSource, clicksByBrowser, clicksByCity } = panels({
      ref: many(103, (i) => `r${i}`),
      utm: many(103, (i) => `s${i}||`),
      agent: many(103, (i) => `Desktop|b${i}|Windows`),
      place: many(103, (i) => `IN||c${i}`),
    });
    for (const panel of [clicksByUtmSource, clicksByBrowser, clicksByReferrer]) {
      expect(Object.keys(panel)).toHaveLength(101);
      expect(panel['Other']).toBe(3);
    }
    expect(clicksByCity).toHaveLength(100);
  });

  it('adds unlisted values to an Other that is listed', () => {
    const ref = many(102, (i) => `r${i}`).set('Other', 50);
    const { clicksByReferrer } = panels({ ref });
    expect(clicksByReferrer['Other']).toBe(50 + 3);
    expect(Object.keys(clicksByReferrer)).toHaveLength(100);
  });

  it('groups the hosts that a site has for other devices and for its own links', () => {
    const ref = new Map([
      ['www.facebook.com', 1],
      ['l.facebook.com', 2],
      ['facebook.com', 3],
      ['m.me', 1],
    ]);
    expect(panels({ ref }).clicksByReferrer).toEqual({ 'facebook.com': 6, 'm.me': 1 });
  });

  it('leaves out UTM values that a click did not have', () => {
    const utm = new Map([
      ['news||spring', 2],
      ['||autumn', 1],
    ]);
    expect(panels({ utm })).toMatchObject({
      clicksByUtmSource: { news: 2 },
      clicksByUtmMedium: {},
      clicksByUtmCampaign: { spring: 2, autumn: 1 },
    });
  });
});

describe('leadingLinks', () => {
  it('adds up the clicks of days, the older of equal links first', () => {
    const day = (number: number, top: [string, number][]) => ({
      day: number,
      counts: noCounts(),
      top: new Map(top),
    });
    const days = [
      day(1, [
        ['9', 2],
        ['3', 1],
      ]),
      day(2, [
        ['3', 1],
        ['5', 7],
        ['8', 1],
      ]),
    ];
    expect(leadingLinks(days, 3)).toEqual([
      [5, 7],
      [3, 2],
      [9, 2],
    ]);
  });
});

describe('readRecentClicks', () => {
  it('lists the clicks of whole days that are kept, within the period', () => {
    const oldest = Date.UTC(2026, 10, 20) - KEEP_RECENT_CLICKS_DAYS * DAY_MS;
    const times = (from: number, to: number) =>
      readRecentClicks(
        JSON.stringify([NOW, NOW - 1, oldest, oldest - 1].map((at) => [at, '', '', ''])),
        { from, to },
        NOW,
      ).map(({ clicked_at }) => Date.parse(clicked_at));
    expect(times(0, NOW + 1)).toEqual([NOW, NOW - 1, oldest]);
    expect(times(NOW - 1, NOW)).toEqual([NOW - 1]);
  });
});
