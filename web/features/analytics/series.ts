import { DAY_MS } from '#contract/time.ts';
import type { Counts } from '#contract/analytics.ts';
import { KEEP_DAYS_MONTHS } from '#contract/limits.ts';

/** One point of the chart: `date` is the UTC day 'YYYY-MM-DD' (or the first of a month), `clicks` the human clicks in it. */
export type Point = { date: string; clicks: number };
export type Series = { step: 'day' | 'month'; points: Point[] };

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;

/** The first day that a range of `days` ending today shows. */
export const rangeStart = (now: number, days: number): string => dayOf(now - (days - 1) * DAY_MS);

/**
 * The chart's points in ascending order, days without clicks filled with zeros up to today (decision 21).
 * `from` is the first day to show; null starts at the first day with clicks. Where that lies further back than days
 * are kept, the whole series goes by months, because the oldest counts no longer know their day.
 */
export function buildSeries(clicksByDate: Counts, from: string | null, now: number): Series {
  const dates = Object.keys(clicksByDate).sort();
  const first = from ?? dates[0] ?? dayOf(now);
  return first < oldestDay(now) ? byMonth(clicksByDate, first, now) : byDay(clicksByDate, first, now);
}

function oldestDay(now: number): string {
  const date = new Date(now);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - KEEP_DAYS_MONTHS, 1));
}

function byDay(counts: Counts, first: string, now: number): Series {
  const points: Point[] = [];
  const last = Date.parse(dayOf(now));
  for (let at = Date.parse(first); at <= last; at += DAY_MS) {
    const date = dayOf(at);
    points.push({ date, clicks: counts[date] ?? 0 });
  }
  return { step: 'day', points };
}

function byMonth(counts: Counts, first: string, now: number): Series {
  const sums = new Map<string, number>();
  for (const [date, clicks] of Object.entries(counts)) sums.set(monthOf(date), (sums.get(monthOf(date)) ?? 0) + clicks);
  const points: Point[] = [];
  const last = monthOf(dayOf(now));
  for (let date = monthOf(first); date <= last; date = nextMonth(date)) points.push({ date, clicks: sums.get(date) ?? 0 });
  return { step: 'month', points };
}

function nextMonth(date: string): string {
  return dayOf(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 1));
}

/** Entries of `counts`, most clicks first, ties by name; at most `most`. */
export function rankCounts(counts: Counts, most: number): { name: string; clicks: number }[] {
  return Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name))
    .slice(0, most);
}

/** A two-letter country code as its flag: regional indicator letters. '' for anything else. */
export const flagEmoji = (country: string): string =>
  /^[A-Z]{2}$/.test(country) ? String.fromCodePoint(...Array.from(country, (letter) => 0x1f1a5 + letter.charCodeAt(0))) : '';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** 'IN' → 'India'; '' and 'Unknown' → 'Unknown'; the edge's 'T1' is the Tor network. */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  if (country === 'T1') return 'Tor network';
  return /^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country;
}
