import { KEEP_DAYS_MONTHS, KEEP_HOURS_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

/** Hours, days and months of click counts. Times are ms since 1970; all periods are UTC (docs/decisions.md#d21). */

export const startOfHour = (ms: number): number => ms - (ms % HOUR_MS);
export const startOfDay = (ms: number): number => ms - (ms % DAY_MS);

/** Whole days since 1970-01-01. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

/** The start of the month that contains `ms`, or of the month `months` later (negative: earlier). */
export function startOfMonth(ms: number, months = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Hours that start before this time are rolled up into days. Reports stop showing them as hours even before that. */
export const oldestHourKept = (now: number): number => startOfDay(now) - KEEP_HOURS_DAYS * DAY_MS;

/** Days that start before this time are rolled up into months. Reports show them as months even before that. */
export const oldestDayKept = (now: number): number => startOfMonth(now, -KEEP_DAYS_MONTHS);
