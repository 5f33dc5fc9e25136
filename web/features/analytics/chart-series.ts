import type {
  AdvancedAnalytics,
  AnalyticsResponse,
  CountsByName,
  DateCounts,
  HourCounts,
} from '#contract/analytics.ts';
import { CHART_HOURS_DAYS, KEEP_DAYS_MONTHS } from '#contract/limits.ts';
import { startOfDay, startOfHour, startOfMonth, utcDate } from '#contract/periods.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { daysOf } from './range.ts';

export type ChartTally = { clicks: number; visitors: number };
/**
 * One hour, UTC day, week or month of the chart. `at` is its start and `lastDay` the start of its
 * last UTC day, in ms. `previous` is the same time in the period before the range.
 */
export type Point = ChartTally & { at: number; lastDay: number; previous: ChartTally | null };
export type Series = { step: 'hour' | 'day' | 'week' | 'month'; points: Point[] };

/** A chart with more points is an area; one with fewer has bars. */
export const BARS_MAX = 31;

/**
 * The hourly chart of a younger link starts this many hours ago, so that it is not a single bar.
 */
const HOURS_MIN = 12;

/** Returns the Monday of a UTC day's week. 1970 began on a Thursday. */
const startOfWeek = (day: number): number => day - ((day / DAY_MS + 3) % 7) * DAY_MS;

/** Returns the first hour of the range '24h' in ms. Its last hour is the current one. */
export const firstHourOf24 = (now: number): number => startOfHour(now) - 23 * HOUR_MS;

/**
 * The part of a report that a chart needs: dates and, with advanced analytics, hours and the
 * previous period.
 */
export type ChartReport = Pick<AnalyticsResponse, 'range' | 'generatedAt'> & {
  url: Pick<AnalyticsResponse['url'], 'created_at'>;
  analytics: DateCounts & Partial<HourCounts & Pick<AdvancedAnalytics, 'previousPeriod'>>;
};

/**
 * True if the chart shows hours: for the last 24 hours and for a young link. Hours are part of
 * advanced analytics.
 */
export const showsHours = ({ analytics, range, url, generatedAt }: ChartReport): boolean =>
  analytics.clicksByHour !== undefined &&
  (range === '24h' ||
    Date.parse(generatedAt) - Date.parse(url.created_at) < CHART_HOURS_DAYS * DAY_MS);

/**
 * Builds the points of the chart in ascending order up to now, with zeros for times without clicks.
 * `hours` shows hours if the report has them; `narrow` sums many days into weeks. Days older than
 * 13 months are stored per month, so a series that starts before them is monthly throughout
 * (docs/decisions.md#d21).
 */
export function buildSeries(
  report: ChartReport,
  { hours, narrow }: { hours: boolean; narrow: boolean },
): Series {
  const now = Date.parse(report.generatedAt);
  const {
    clicksByDate,
    visitorsByDate,
    clicksByHour = {},
    visitorsByHour = {},
    previousPeriod = null,
  } = report.analytics;
  if (hours && showsHours(report)) {
    const created = startOfHour(Date.parse(report.url.created_at));
    const first =
      report.range === '24h'
        ? firstHourOf24(now)
        : Math.min(created, startOfHour(now) - (HOURS_MIN - 1) * HOUR_MS);
    const previous =
      previousPeriod?.clicksByHour === undefined
        ? null
        : lookUp(previousPeriod.clicksByHour, previousPeriod.visitorsByHour ?? {}, String);
    return {
      step: 'hour',
      points: fill(
        first,
        now,
        HOUR_MS,
        lookUp(clicksByHour, visitorsByHour, String),
        previous,
        DAY_MS,
      ),
    };
  }
  const tallyOf = lookUp(clicksByDate, visitorsByDate, utcDate);
  const first = firstDay(report, now);
  if (first < startOfMonth(now, -KEEP_DAYS_MONTHS))
    return { step: 'month', points: byMonth(clicksByDate, tallyOf, first, now) };
  const previous =
    previousPeriod && lookUp(previousPeriod.clicksByDate, previousPeriod.visitorsByDate, utcDate);
  const points = fill(first, now, DAY_MS, tallyOf, previous, (daysOf(report.range) ?? 0) * DAY_MS);
  return narrow && points.length > BARS_MAX
    ? { step: 'week', points: toWeeks(points) }
    : { step: 'day', points };
}

type LookUp = (at: number) => ChartTally;

const lookUp =
  (clicks: CountsByName, visitors: CountsByName, nameOf: (at: number) => string): LookUp =>
  (at) => ({ clicks: clicks[nameOf(at)] ?? 0, visitors: visitors[nameOf(at)] ?? 0 });

/** Returns the first UTC day of the chart: the start of the range, or the first day with clicks. */
function firstDay({ range, analytics }: ChartReport, now: number): number {
  if (range === '24h') return startOfDay(firstHourOf24(now));
  const days = daysOf(range);
  if (days !== null) return startOfDay(now) - (days - 1) * DAY_MS;
  const [first] = Object.keys(analytics.clicksByDate).sort();
  return first === undefined ? startOfDay(now) : Date.parse(first);
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
