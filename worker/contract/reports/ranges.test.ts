import { describe, expect, it } from 'vitest';
import { daysOfPeriod, periodOf } from './ranges.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);

describe('periodOf', () => {
  it.each([
    ['today', '2026-11-20', '2026-11-20'],
    ['24h', '2026-11-19', '2026-11-20'],
    ['7d', '2026-11-14', '2026-11-20'],
    ['12m', '2025-11-21', '2026-11-20'],
    ['all', null, '2026-11-20'],
  ] as const)('%s is from %s to %s', (range, from, to) => {
    expect(daysOfPeriod(periodOf({ range }, NOW))).toEqual({ from, to });
  });

  it('24 hours are the current hour and the 23 before', () => {
    expect(periodOf({ range: '24h' }, NOW).from).toBe(Date.UTC(2026, 10, 19, 16));
  });

  it('12 months end with February 28 and 29', () => {
    const on = (day: number) => daysOfPeriod(periodOf({ range: '12m' }, Date.UTC(2028, 1, day)));
    expect(on(28).from).toBe('2027-03-01');
    expect(on(29).from).toBe('2027-03-01');
  });

  it('an own period ends today at the latest, and begins with the first day kept', () => {
    const own = (from: string, to: string) => periodOf({ range: '7d', from, to }, NOW);
    expect(own('2026-11-01', '2026-11-10')).toMatchObject({
      range: 'custom',
      from: Date.UTC(2026, 10, 1),
      to: Date.UTC(2026, 10, 11),
      endsNow: false,
      isShortened: false,
    });
    expect(daysOfPeriod(own('2026-11-19', '2027-01-01'))).toEqual({
      from: '2026-11-19',
      to: '2026-11-20',
    });
    expect(own('2026-11-19', '2026-11-20').endsNow).toBe(true);
    expect(daysOfPeriod(own('2027-01-01', '2027-01-02')).from).toBe('2026-11-20');
    const old = own('2020-01-01', '2026-11-10');
    expect([daysOfPeriod(old).from, old.isShortened]).toEqual(['2025-10-01', true]);
    const gone = own('2020-01-01', '2020-01-02');
    expect([daysOfPeriod(gone), gone.isShortened]).toEqual([
      { from: '2020-01-02', to: '2020-01-02' },
      true,
    ]);
  });
});
