import type {
  AdvancedAnalytics,
  AnalyticsResponse,
  CountsByName,
  DateCounts,
  HourCounts,
} from '#contract/reports/analytics.ts';
import { CHART_HOURS_DAYS, KEEP_DAYS_MONTHS } from '#contract/limits.ts';
import {
  oldestHourKept,
  startOfDay,
  startOfHour,
  startOfMonth,
  utcDate,
} from '#contract/reports/periods.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

export type ChartTally = { clicks: number; visitors: number };
/**
 * One hour, UTC day, week or month of the chart. `at` is its start and `lastDay` the start of its
 * last UTC day, in ms. `previous` is the same time in the period before the range.
 */
export type Point = ChartTally & { at: number; lastDay: number; previous: ChartTally | null };
export type Series = { step: 'hour' | 'day' | 'week' | 'month'; points: Point[] };

/** A chart with more points is an area; one with fewer has bars. */
export const BARS_MAX = 31;
/** A chart of more days shows weeks. */
const DAYS_MAX = 120;

/**
 * The hourly chart of a younger link starts this many hours ago, so that it is not a single bar.
 */
const HOURS_MIN = 12;

/** Returns the Monday of a UTC day's week. 1970 began on a Thursday. */
const startOfWeek = (day: number): number => day - ((day / DAY_MS + 3) % 7) * DAY_MS;

/** Returns the first hour of the range '24h' in ms. Its last hour is the current one. */
export const firstHourOf24 = (now: number): number => startOfHour(now) - 23 * HOUR_MS;

/**
 * The part of a report that a chart needs: dates and, where the report has them, hours and the
 * previous period.
 */
export type ChartReport = Pick<AnalyticsResponse, 'range' | 'period' | 'generatedAt'> & {
  url: Pick<AnalyticsResponse['url'], 'created_at'>;
  analytics: DateCounts & Partial<HourCounts & Pick<AdvancedAnalytics, 'previousPeriod'>>;
};

/** Returns the end of the report's range in ms, exclusive, but not later than now. */
const endOf = ({ period, generatedAt }: ChartReport): number =>
  Math.min(Date.parse(period.to) + DAY_MS - 1, Date.parse(generatedAt));

/** True if the last day of the range is not over. */
export const isRunning = ({ period, generatedAt }: Pick<ChartReport, 'period' | 'generatedAt'>) =>
  period.to === utcDate(Date.parse(generatedAt));

/** True for a range of one day whose hours are kept. */
const isDayWithHours = ({ range, period, generatedAt }: ChartReport): boolean =>
  range === '24h' ||
  (period.from === period.to && Date.parse(period.to) >= oldestHourKept(Date.parse(generatedAt)));

/** True if the chart shows hours: for a single day and for a young link. */
export const showsHours = (report: ChartReport): boolean =>
  report.analytics.clicksByHour !== undefined &&
  (isDayWithHours(report) ||
    (report.range !== 'custom' &&
      Date.parse(report.generatedAt) - Date.parse(report.url.created_at) <
        CHART_HOURS_DAYS * DAY_MS));

/**
 * Builds the points of the chart in ascending order, with zeros for times without clicks. `hours`
 * shows hours if the report has them; `narrow` sums many days into weeks. Days older than 13 months
 * are stored per month, so a series that starts before them is monthly throughout
 * (docs/decisions.md#d21).
 */
export function buildSeries(
  report: ChartReport,
  { hours, narrow }: { hours: boolean; narrow: boolean },
): Series {
  const now = Date.parse(report.generatedAt);
  const end = endOf(report);
  const { clicksByDate, visitorsByDate, previousPeriod = null } = report.analytics;
  if (hours && showsHours(report)) return { step: 'hour', points: buildHours(report, end) };
  const tallyOf = lookUp(clicksByDate, visitorsByDate, utcDate);
  const first = firstDay(report);
  if (first < startOfMonth(now, -KEEP_DAYS_MONTHS))
    return { step: 'month', points: byMonth(clicksByDate, tallyOf, first, now) };
  const previous =
    previousPeriod && lookUp(previousPeriod.clicksByDate, previousPeriod.visitorsByDate, utcDate);
  const shift = previousPeriod === null ? 0 : first - Date.parse(previousPeriod.from);
  const points = fill(first, end, DAY_MS, tallyOf, previous, shift);
  return points.length > (narrow ? BARS_MAX : DAYS_MAX)
    ? { step: 'week', points: toWeeks(points) }
    : { step: 'day', points };
}

function buildHours(report: ChartReport, end: number): Point[] {
  const { range, period, url, analytics } = report;
  const { clicksByHour = {}, visitorsByHour = {}, previousPeriod = null } = analytics;
  const now = startOfHour(end);
  const first =
    range === '24h'
      ? firstHourOf24(end)
      : isDayWithHours(report)
        ? Date.parse(period.to)
        : Math.min(startOfHour(Date.parse(url.created_at)), now - (HOURS_MIN - 1) * HOUR_MS);
  const previous =
    previousPeriod?.clicksByHour === undefined
      ? null
      : lookUp(previousPeriod.clicksByHour, previousPeriod.visitorsByHour ?? {}, String);
  return fill(first, end, HOUR_MS, lookUp(clicksByHour, visitorsByHour, String), previous, DAY_MS);
}

type LookUp = (at: number) => ChartTally;

const lookUp =
  (clicks: CountsByName, visitors: CountsByName, nameOf: (at: number) => string): LookUp =>
  (at) => ({ clicks: clicks[nameOf(at)] ?? 0, visitors: visitors[nameOf(at)] ?? 0 });

/** Returns the first UTC day of the chart: the start of the range, or the first day with clicks. */
function firstDay({ period, analytics, generatedAt }: ChartReport): number {
  if (period.from !== null) return Date.parse(period.from);
  const [first] = Object.keys(analytics.clicksByDate).sort();
  return first === undefined ? startOfDay(Date.parse(generatedAt)) : Date.parse(first);
}

function fill(
  first: number,
  now: number,
  step: number,
  tallyOf: LookUp,
  previous: LookUp | null,
  shift: number,
): Point[] {
  const points: Point[] = [];
  for (let at = first; at <= now; at += step)
    points.push({
      at,
      lastDay: startOfDay(at),
      ...tallyOf(at),
      previous: previous && previous(at - shift),
    });
  return points;
}

function byMonth(clicksByDate: CountsByName, tallyOf: LookUp, first: number, now: number): Point[] {
  const points = new Map<number, Point>();
  for (let at = startOfMonth(first); at <= now; at = startOfMonth(at, 1))
    points.set(at, {
      at,
      lastDay: startOfMonth(at, 1) - DAY_MS,
      clicks: 0,
      visitors: 0,
      previous: null,
    });
  for (const day of Object.keys(clicksByDate).map((date) => Date.parse(date))) {
    const point = points.get(startOfMonth(day));
    if (point !== undefined) addTally(point, tallyOf(day));
  }
  return [...points.values()];
}

function toWeeks(days: readonly Point[]): Point[] {
  const weeks = new Map<number, Point>();
  for (const day of days) {
    const week = weeks.get(startOfWeek(day.at));
    if (week === undefined)
      weeks.set(startOfWeek(day.at), { ...day, previous: day.previous && { ...day.previous } });
    else {
      addTally(week, day);
      week.lastDay = day.lastDay;
      if (week.previous !== null && day.previous !== null) addTally(week.previous, day.previous);
    }
  }
  return [...weeks.values()];
}

function addTally(sum: ChartTally, { clicks, visitors }: ChartTally): void {
  sum.clicks += clicks;
  sum.visitors += visitors;
}
