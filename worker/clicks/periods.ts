import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { KEEP_DAYS_MONTHS, KEEP_HOURS_DAYS } from '#contract/limits.ts';

/** Milliseconds. All periods are UTC (decision 21). */

export const startOfHour = (ms: number): number => ms - (ms % HOUR_MS);
export const startOfDay = (ms: number): number => ms - (ms % DAY_MS);

/** The first moment of the month that `ms` lies in, or of the month `months` later (negative: earlier). */
export function startOfMonth(ms: number, months = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Hours that start before this are folded into days and no longer shown as hours. */
export const oldestHourKept = (now: number): number => startOfDay(now) - KEEP_HOURS_DAYS * DAY_MS;

/** Days that start before this are folded into months, and shown as months already before they are folded. */
export const oldestDayKept = (now: number): number => startOfMonth(now, -KEEP_DAYS_MONTHS);
