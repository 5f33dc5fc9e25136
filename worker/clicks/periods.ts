import { KEEP_DAYS_MONTHS, KEEP_HOURS_DAYS } from '#contract/limits.ts';

/** Milliseconds. All periods are UTC (decision 21). */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const hourOf = (ms: number): number => ms - (ms % HOUR);
export const dayOf = (ms: number): number => ms - (ms % DAY);

/** The first moment of the month that `ms` lies in, or of the month `months` later (negative: earlier). */
export function monthOf(ms: number, months = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Hours that start before this are folded into days and no longer shown as hours. */
export const hoursEnd = (now: number): number => dayOf(now) - KEEP_HOURS_DAYS * DAY;

/** Days that start before this are folded into months, and shown as months already before they are folded. */
export const daysEnd = (now: number): number => monthOf(now, -KEEP_DAYS_MONTHS);
