import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

const number = new Intl.NumberFormat('en');
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** 12345 → '12,345' */
export const formatNumber = (value: number): string => number.format(value);
/** RFC 3339 or 'YYYY-MM-DD' → 'Nov 21, 2026' in the reader's time zone. */
export const formatDate = (iso: string): string => date.format(new Date(iso));
/** RFC 3339 → 'Nov 21, 2026, 1:05 PM' in the reader's time zone. */
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * The age of `iso` at `now` (milliseconds) in the largest whole unit: '3 days ago'; 'just now'
 * under a minute.
 */
export function formatAge(iso: string, now: number): string {
  const age = now - new Date(iso).getTime();
  const unit = UNITS.find(([, ms]) => age >= ms);
  return unit === undefined ? 'just now' : relative.format(-Math.floor(age / unit[1]), unit[0]);
}

/** A URL for display: without its scheme, and without the slash of an empty path. */
export const readableUrl = (url: string): string =>
  url.replace(/^https?:\/\//, '').replace(/^([^/]+)\/$/, '$1');

/**
 * A URL for display, as its host (with a port) and everything after it: 'example.com' and
 * '/path?query'.
 */
export function splitHost(url: string): { host: string; rest: string } {
  const readable = readableUrl(url);
  const end = readable.search(/[/?#]/);
  return end === -1
    ? { host: readable, rest: '' }
    : { host: readable.slice(0, end), rest: readable.slice(end) };
}

/** 1 → '1 click', 2 → '2 clicks' */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
