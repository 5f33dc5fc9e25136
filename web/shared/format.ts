import { dateFormat, formatRelative } from '#contract/language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** Formats RFC 3339 or 'YYYY-MM-DD' as 'Nov 21, 2026' in the reader's time zone. */
export const formatDate = dateFormat({ dateStyle: 'medium' });
/** Formats RFC 3339 as 'Nov 21, 2026, 1:05 PM' in the reader's time zone. */
export const formatDateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
/** Formats a UTC day as 'Nov 21', or two as 'Nov 21 – 27'. */
export const formatUtcMonthDay = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Options for a time on a 24-hour clock: '13:05'. */
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

/**
 * Returns the age of `iso` at `now` (ms) in the largest whole unit: '3 days ago', or 'just now'
 * under a minute.
 */
export function formatAge(iso: string, now: number): string {
  const age = now - new Date(iso).getTime();
  const unit = UNITS.find(([, ms]) => age >= ms);
  return unit === undefined ? 'just now' : formatRelative(-Math.floor(age / unit[1]), unit[0]);
}

/** Formats a URL without its scheme, and without the slash of an empty path. */
export const readableUrl = (url: string): string =>
  url.replace(/^https?:\/\//, '').replace(/^([^/]+)\/$/, '$1');

/** Splits a URL into its host with port, 'example.com', and the rest, '/path?query'. */
export function splitHost(url: string): { host: string; rest: string } {
  const readable = readableUrl(url);
  const end = readable.search(/[/?#]/);
  return end === -1
    ? { host: readable, rest: '' }
    : { host: readable.slice(0, end), rest: readable.slice(end) };
}
