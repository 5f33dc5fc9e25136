import { describe, expect, it } from 'vitest';
import { rankCounts, sumByHourOfDay } from './series.ts';

describe('rankCounts', () => {
  it('orders by clicks, then by name, and cuts the list', () => {
    expect(rankCounts({ b: 1, a: 1, c: 9, d: 0 }, 3)).toEqual([
      { name: 'c', clicks: 9 },
      { name: 'a', clicks: 1 },
      { name: 'b', clicks: 1 },
    ]);
  });
});

describe('sumByHourOfDay', () => {
  it('sums days by the hour of the reader, with hours that have no clicks', () => {
    const at = (...time: [day: number, hour: number, minute: number]) => new Date(2026, 10, ...time).getTime();
    const hours = sumByHourOfDay({ [at(20, 14, 0)]: 2, [at(21, 14, 0)]: 3, [at(21, 0, 0)]: 1 });
    expect(hours.length).toBe(24);
    expect(hours.filter(({ clicks }) => clicks > 0)).toEqual([
      { hour: '00:00', clicks: 1 },
      { hour: '14:00', clicks: 5 },
    ]);
    // An hour of UTC starts at half past in India.
    expect(sumByHourOfDay({ [at(20, 14, 30)]: 2 })[14]).toEqual({ hour: '14:30', clicks: 2 });
  });
});
