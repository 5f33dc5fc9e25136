import type { AdvancedAnalytics, Figures } from '#contract/reports/analytics.ts';
import { oldestDayKept, startOfDay, startOfHour, utcDate } from '#contract/reports/periods.ts';
import type { Period } from '#contract/reports/ranges.ts';
import { DAY_MS } from '#contract/time.ts';
import { buildTimePanels } from './panels.ts';
import type { PeriodRow } from './store.ts';

/** The previous period from `from` to `until`, which is compared with `current`. Times are in ms. */
export type Previous = { from: number; until: number; current: { from: number; until: number } };

const lengthOf = ({ range, from, to }: Period): number => (range === '24h' ? DAY_MS : to - from);

/**
 * Returns the period of the same length before a range, and the part of the range that has passed:
 * up to the current hour, or up to today if the earlier period has no hours any more. Null if there
 * is nothing to compare, or if nothing was counted at its start.
 */
export function previousOf(
  period: Period,
  countedSince: number,
  now: number,
  { hoursKept = true }: { hoursKept?: boolean } = {},
): Previous | null {
  if (period.range === 'all') return null;
  const length = lengthOf(period);
  const from = period.from - length;
  const since = (period.range === '24h' ? startOfHour : startOfDay)(countedSince);
  // Days before these are only read as part of a range that ends now.
  if (since > from || (!period.endsNow && from < oldestDayKept(now))) return null;
  const end = !period.endsNow ? period.to : hoursKept ? startOfHour(now) : startOfDay(now);
  if (end <= period.from) return null;
  return { from, until: end - length, current: { from: period.from, until: end } };
}

/** Adds up the previous period, and as much of the range as has passed of it. */
export function comparePeriods(
  rows: readonly PeriodRow[],
  period: Period,
  { from, until, current }: Previous,
  now: number,
): NonNullable<AdvancedAnalytics['previousPeriod']> {
  const { dates, hours, ...before } = sumBetween(rows, from, until, now);
  return {
    from: utcDate(from),
    to: utcDate(until - 1),
    until: new Date(until).toISOString(),
    ...before.figures,
    ...dates,
    ...(lengthOf(period) === DAY_MS && hours),
    current: sumBetween(rows, current.from, current.until, now).figures,
  };
}

function sumBetween(rows: readonly PeriodRow[], from: number, until: number, now: number) {
  const between = rows.filter(({ at }) => at >= from && at < until);
  const { sums, activeDays, dates, hours } = buildTimePanels(between, now);
  const figures: Figures = {
    totalClicks: sums.human,
    uniqueClicks: sums.visitors,
    activeDays,
  };
  return { figures, dates, hours };
}
