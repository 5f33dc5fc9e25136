import { KEEP_DAYS_MONTHS, KEEP_HOURS_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

/**
 * Hours, days and months in UTC (docs/decisions.md#d21). Days and months are numbers since 1970,
 * times are ms.
 */

export const startOfDay = (ms: number): number => ms - (ms % DAY_MS);

export const startOfHour = (ms: number): number => ms - (ms % HOUR_MS);

/** Whole days since 1970-01-01. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

/**
 * The start of the month that contains `ms`, or of the month `months` later (negative: earlier).
 */
export function startOfMonth(ms: number, months = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** The date of a time: `2026-11-20`. */
export const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whole months since January 1970, of a day. */
export function monthOfDay(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export const firstDayOfMonth = (month: number): number => dayNumber(Date.UTC(1970, month, 1));
export const lastDayOfMonth = (month: number): number => firstDayOfMonth(month + 1) - 1;

/** Reports show hours that start at or after this time. */
export const oldestHourKept = (now: number): number => startOfDay(now) - KEEP_HOURS_DAYS * DAY_MS;

/** Reports show days that start before this time as months. */
export const oldestDayKept = (now: number): number => startOfMonth(now, -KEEP_DAYS_MONTHS);
