import * as z from 'zod/mini';
import { dayParam } from '#contract/common-schemas.ts';
import { dayNumber, oldestDayKept, startOfDay, startOfHour, utcDate } from './periods.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

/** The ranges that end now. */
export const RANGES = ['today', '24h', '7d', '30d', '90d', '12m', 'all'] as const;
export type Range = (typeof RANGES)[number];
/** `custom` has a first and a last day that the reader chose. */
export type ReportRange = Range | 'custom';

/** The parameters of a range. `from` and `to` are days (UTC), both included. */
export const rangeFields = (standard: Range) => ({
  range: z._default(z.enum(RANGES), standard),
  from: dayParam('from'),
  to: dayParam('to'),
});
export type RangeQuery = { range: Range; from?: string | undefined; to?: string | undefined };

/** The checks of the fields of a range: both days or neither, in their order. */
export const periodChecks = [
  z.refine<RangeQuery>(({ from, to }) => from === undefined || to !== undefined, {
    path: ['to'],
    error: 'to is missing. Send both from and to, or neither of them.',
  }),
  z.refine<RangeQuery>(({ from, to }) => from !== undefined || to === undefined, {
    path: ['from'],
    error: 'from is missing. Send both from and to, or neither of them.',
  }),
  z.refine<RangeQuery>(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'The period ends before it begins.',
  }),
] as const;

/** The days (UTC) that a report counts, both included. `from` is null for all time. */
export type DaysOfRange = { from: string | null; to: string };

/**
 * A range in ms. `to` is exclusive; `endsNow` if its last day is not over. `isShortened` if its
 * first days are not kept.
 */
export type Period = {
  range: ReportRange;
  from: number;
  to: number;
  endsNow: boolean;
  isShortened: boolean;
};

const DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;

/**
 * The period of a range at `now` (ms). Today is the last of its days; for '24h' the current hour is
 * the last of its hours. A period of the reader's own begins with the first day that is kept.
 */
export function periodOf({ range, from, to }: RangeQuery, now: number): Period {
  const tomorrow = startOfDay(now) + DAY_MS;
  if (from !== undefined && to !== undefined) {
    const end = Math.min(Date.parse(to) + DAY_MS, tomorrow);
    // A period in the future is today.
    const wanted = Math.min(Date.parse(from), end - DAY_MS);
    const start = Math.max(wanted, Math.min(oldestDayKept(now), end - DAY_MS));
    return {
      range: 'custom',
      from: start,
      to: end,
      endsNow: end === tomorrow,
      isShortened: start > wanted,
    };
  }
  const ending = { range, to: tomorrow, endsNow: true, isShortened: false };
  if (range === 'all') return { ...ending, from: 0 };
  if (range === '24h') return { ...ending, from: startOfHour(now) - DAY_MS + HOUR_MS };
  if (range === '12m') return { ...ending, from: startOfYearTo(tomorrow) };
  return { ...ending, from: tomorrow - DAYS[range] * DAY_MS };
}

/** The same day of the month a year before `ms`. February 29 becomes March 1. */
function startOfYearTo(ms: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() - 1);
}

export const daysOfPeriod = ({ from, to }: Period): DaysOfRange => ({
  from: from === 0 ? null : utcDate(from),
  to: utcDate(to - 1),
});

/** The first and last day (days since 1970) of a period. */
export const dayNumbersOf = ({ from, to }: Period) => ({
  first: dayNumber(from),
  last: dayNumber(to - 1),
});
