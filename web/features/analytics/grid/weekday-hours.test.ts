import { describe, expect, it } from 'vitest';
import { sumByWeekdayAndHour } from './times-card.tsx';

const at = (...time: [day: number, hour: number, minute?: number]) =>
  new Date(2026, 10, ...time).getTime();

describe('sumByWeekdayAndHour', () => {
  it('sums the same hour of the same weekday, Monday first', () => {
    // November 16 and 23, 2026 are Mondays, the 22nd is a Sunday.
    const { minute, weekdays } = sumByWeekdayAndHour({
      [at(16, 14)]: 2,
      [at(23, 14)]: 3,
      [at(22, 0)]: 1,
    });
    expect(minute).toBe(0);
    expect(weekdays.map((hours) => hours.length)).toEqual(Array.from({ length: 7 }, () => 24));
    expect(weekdays[0]?.[14]).toBe(5);
    expect(weekdays[6]?.[0]).toBe(1);
    expect(weekdays.flat().reduce((sum, clicks) => sum + clicks, 0)).toBe(6);
  });

  it('starts hours at half past where the zone does', () => {
    expect(sumByWeekdayAndHour({ [at(16, 14, 30)]: 2 }).minute).toBe(30);
  });
});
