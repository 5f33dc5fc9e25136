import type { SharedCounts } from '#contract/reports/shared-reports.ts';
import { dayNumber, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';

/** The clicks on the days from `from` to `to`, both 'YYYY-MM-DD'. */
export type Bar = { from: string; to: string; clicks: number };

/** The most bars, so that each is wide enough on a phone and on paper. */
const BARS_MAX = 62;

/**
 * Returns the bars of a chart. Each covers the same number of days, as few as fit, but the last one
 * may have fewer. Days without clicks count 0.
 */
export function toBars({
  from,
  to,
  clicksByDate,
}: Pick<SharedCounts, 'from' | 'to' | 'clicksByDate'>): Bar[] {
  const [first, last] = [from, to].map((date) => dayNumber(Date.parse(date)));
  if (first === undefined || last === undefined) return [];
  const days = Math.ceil((last - first + 1) / BARS_MAX);
  const bars: Bar[] = [];
  for (let start = first; start <= last; start += days) {
    const end = Math.min(start + days - 1, last);
    const dates = Array.from({ length: end - start + 1 }, (_, at) =>
      utcDate((start + at) * DAY_MS),
    );
    bars.push({
      from: utcDate(start * DAY_MS),
      to: utcDate(end * DAY_MS),
      clicks: dates.reduce((sum, date) => sum + (clicksByDate[date] ?? 0), 0),
    });
  }
  return bars;
}

export const daysInBar = ({ from, to }: Bar): number =>
  dayNumber(Date.parse(to)) - dayNumber(Date.parse(from)) + 1;
