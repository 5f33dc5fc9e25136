import { describe, expect, it } from 'vitest';
import { firstDayShown } from './range.ts';
import { buildSeries, rangeStart, rankCounts } from './series.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('buildSeries', () => {
  it('fills days without clicks with zeros up to today, in ascending order', () => {
    expect(buildSeries({ '2026-11-20': 2, '2026-11-18': 5 }, null, NOW)).toEqual({
      step: 'day',
      points: [
        { date: '2026-11-18', clicks: 5 },
        { date: '2026-11-19', clicks: 0 },
        { date: '2026-11-20', clicks: 2 },
        { date: '2026-11-21', clicks: 0 },
      ],
    });
  });

  it('starts a range on its first day even without clicks', () => {
    const { points } = buildSeries({ '2026-11-21': 1 }, rangeStart(NOW, 7), NOW);
    expect(points).toHaveLength(7);
    expect(points[0]).toEqual({ date: '2026-11-15', clicks: 0 });
  });

  it('is monthly when it starts before the daily counts', () => {
    const { step, points } = buildSeries({ '2025-08-01': 40, '2026-11-02': 1, '2026-11-20': 2 }, null, NOW);
    expect(step).toBe('month');
    expect(points).toHaveLength(16);
    expect(points[0]).toEqual({ date: '2025-08-01', clicks: 40 });
    expect(points.at(-1)).toEqual({ date: '2026-11-01', clicks: 3 });
  });

  it('is daily from the first day of the month 13 months ago', () => {
    expect(buildSeries({ '2025-10-01': 1 }, null, NOW).step).toBe('day');
    expect(buildSeries({ '2025-09-30': 1 }, null, NOW).step).toBe('month');
  });

  it('keeps the sum of the clicks', () => {
    const counts = { '2025-10-01': 3, '2025-10-31': 4, '2026-02-28': 5 };
    for (const from of [null, '2025-01-01']) {
      expect(buildSeries(counts, from, NOW).points.reduce((sum, point) => sum + point.clicks, 0)).toBe(12);
    }
  });

  it('has one point for today without clicks', () => {
    expect(buildSeries({}, null, NOW).points).toEqual([{ date: '2026-11-21', clicks: 0 }]);
  });
});

describe('firstDayShown', () => {
  it('counts today as a day of the range', () => {
    expect(firstDayShown('7d', NOW)).toBe('2026-11-15');
    expect(firstDayShown('all', NOW)).toBeNull();
  });
});

describe('rankCounts', () => {
  it('orders by clicks, then by name, and cuts the list', () => {
    expect(rankCounts({ b: 1, a: 1, c: 9, d: 0 }, 3)).toEqual([
      { name: 'c', clicks: 9 },
      { name: 'a', clicks: 1 },
      { name: 'b', clicks: 1 },
    ]);
  });
});
