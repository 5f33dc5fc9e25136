import { describe, expect, it } from 'vitest';
import { periodOf } from '#contract/reports/ranges.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { previousOf } from './compare-periods.ts';

const TODAY = Date.UTC(2026, 10, 20);
const NOW = TODAY + 10 * HOUR_MS + 1;
/** The days before the start of today on which the previous period of a range begins and ends. */
const previous = (query: Parameters<typeof periodOf>[0], since: number, options = {}) => {
  const found = previousOf(periodOf(query, NOW), since, NOW, options);
  const hours = (at: number): number => (at - TODAY) / HOUR_MS;
  return found && [hours(found.from), hours(found.until), hours(found.current.until)];
};

describe('previousOf', () => {
  it('the period is as long as the part of a range that has passed, up to this hour', () => {
    expect(previous({ range: '7d' }, 0)).toEqual([-13 * 24, -7 * 24 + 10, 10]);
    expect(previous({ range: '24h' }, 0)).toEqual([-37, -14, 10]);
    expect(previous({ range: 'all' }, 0)).toBeNull();
  });

  it('ends with a whole day where no hours are kept, and is none on the first one', () => {
    expect(previous({ range: '7d' }, 0, { hoursKept: false })).toEqual([-13 * 24, -7 * 24, 0]);
    expect(previous({ range: 'today' }, 0, { hoursKept: false })).toBeNull();
  });

  it('no period is before the day, or the hour, on which counting began', () => {
    const first = TODAY - 13 * DAY_MS;
    expect(previous({ range: '7d' }, first + DAY_MS - 1)).not.toBeNull();
    expect(previous({ range: '7d' }, first + DAY_MS)).toBeNull();
    expect(previous({ range: '24h' }, TODAY - 36 * HOUR_MS - 1)).not.toBeNull();
    expect(previous({ range: '24h' }, TODAY - 36 * HOUR_MS)).toBeNull();
  });

  it('of a period that is over has all its days, if they are kept', () => {
    const days = (from: string, to: string) => previous({ range: 'all', from, to }, 0);
    expect(days('2026-11-11', '2026-11-12')).toEqual([-11 * 24, -9 * 24, -7 * 24]);
    expect(days('2025-10-03', '2025-10-04')).not.toBeNull();
    expect(days('2025-10-02', '2025-10-03')).toBeNull();
  });
});
