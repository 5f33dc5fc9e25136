import * as z from 'zod/mini';
import { atMost } from '#contract/common-schemas.ts';
import { dateFormat } from '#contract/language.ts';
import { periodChecks, rangeFields, type DaysOfRange, type ReportRange } from './ranges.ts';

export const timeZone = z.string().check(
  atMost('tz', 64),
  z.refine((name) => {
    try {
      return dateFormat({ timeZone: name })(0) !== '';
    } catch {
      return false;
    }
  }, 'tz must be a time zone like Asia/Kolkata.'),
);

/** GET /api/analytics/:code/times?range=&from=&to=&tz= */
export const timesQuery = z
  .object({ ...rangeFields('all'), tz: z._default(timeZone, 'UTC') })
  .check(...periodChecks);

/** Clicks by weekday and hour in a time zone. */
export type TimesResponse = {
  range: ReportRange;
  period: DaysOfRange;
  shortenedBy: Shortened;
  timeZone: string;
  totalClicks: number;
  /** 168 counts: of the hours of Monday, then of those of Tuesday, and so on. */
  clicksByWeekHour: number[];
  /** The first day with hours, if the range begins earlier. Otherwise null. */
  hoursSince: string | null;
};

/** `size`: these links have too many days with clicks for one request. */
export type Shortened = 'retention' | 'size' | null;
