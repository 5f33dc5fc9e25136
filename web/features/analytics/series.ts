import type { Counts } from '#contract/analytics.ts';
import { DAY_MS } from '#contract/time.ts';
import { KEEP_DAYS_MONTHS } from '#contract/limits.ts';

/** A point of the chart: the human clicks on a UTC date 'YYYY-MM-DD', or in the month that starts on it. */
export type Point = { date: string; clicks: number };
export type Series = { step: 'day' | 'month'; points: Point[] };

const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`;

/** The first UTC date of a range of `days` that ends today. */
export const rangeStart = (now: number, days: number): string => utcDate(now - (days - 1) * DAY_MS);

/**
 * The points of the chart in ascending order up to today, with zeros for days without clicks. `from` is the first date to show;
 * null starts at the first date with clicks. A series that starts before the daily counts do is monthly throughout, because older
 * clicks are stored per month. See docs/decisions.md#d21.
 */
export function buildSeries(clicksByDate: Counts, from: string | null, now: number): Series {
  const dates = Object.keys(clicksByDate).sort();
  const first = from ?? dates[0] ?? utcDate(now);
  return first < oldestDailyDate(now) ? byMonth(clicksByDate, first, now) : byDay(clicksByDate, first, now);
}

function oldestDailyDate(now: number): string {
  const date = new Date(now);
  return utcDate(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - KEEP_DAYS_MONTHS, 1));
}

function byDay(counts: Counts, first: string, now: number): Series {
  const points: Point[] = [];
  const last = Date.parse(utcDate(now));
  for (let ms = Date.parse(first); ms <= last; ms += DAY_MS) {
    const date = utcDate(ms);
    points.push({ date, clicks: counts[date] ?? 0 });
  }
  return { step: 'day', points };
}

function byMonth(counts: Counts, first: string, now: number): Series {
  const sums = new Map<string, number>();
  for (const [date, clicks] of Object.entries(counts)) {
    const month = firstOfMonth(date);
    sums.set(month, (sums.get(month) ?? 0) + clicks);
  }
  const points: Point[] = [];
  const last = firstOfMonth(utcDate(now));
  for (let date = firstOfMonth(first); date <= last; date = nextMonth(date)) points.push({ date, clicks: sums.get(date) ?? 0 });
  return { step: 'month', points };
}

function nextMonth(date: string): string {
  return utcDate(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 1));
}

/** At most `max` entries of `counts`, most clicks first; ties are ordered by name. */
export function rankCounts(counts: Counts, max: number): { name: string; clicks: number }[] {
  return Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name))
    .slice(0, max);
}
