import { dateFormat, dateFormOf, formatRelative, LANGUAGE } from '#contract/language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** The build, which renders pages, has no reader. Pages with dates are replaced, never hydrated. */
const readersForm = () => dateFormOf('document' in globalThis ? navigator.language : LANGUAGE);

/** Like `dateFormat`, in the form that the reader is used to: '21 Nov 2026, 13:05' in Germany. */
export const localDateFormat = (options: Intl.DateTimeFormatOptions) =>
  dateFormat(options, readersForm);

/** Formats RFC 3339 or 'YYYY-MM-DD' as 'Nov 21, 2026' in the reader's time zone. */
export const formatDate = localDateFormat({ dateStyle: 'medium' });
/** Formats RFC 3339 as 'Nov 21, 2026, 1:05 PM' in the reader's time zone. */
export const formatDateTime = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' });
/** Formats RFC 3339 as 'Saturday, November 21, 2026 at 1:05:09 PM', for a time's tooltip. */
export const formatFullTime = localDateFormat({ dateStyle: 'full', timeStyle: 'medium' });
/** Formats a UTC day as 'Nov 21, 2026', or two as 'Nov 1 – 30, 2026'. */
export const formatDateInUtc = localDateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
/** Formats a UTC day as 'Nov 21', or two as 'Nov 21 – 27'. */
export const formatUtcMonthDay = localDateFormat({
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Options for a time of day: '1:05 PM', or '13:05' where clocks have 24 hours. */
export const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

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

/** Returns the code in a short URL, without its host: 'spring-sale'. */
export const codeOf = (shortUrl: string): string => splitHost(shortUrl).rest.slice(1);

/** Splits a URL into its host with port, 'example.com', and the rest, '/path?query'. */
export function splitHost(url: string): { host: string; rest: string } {
  const readable = readableUrl(url);
  const end = readable.search(/[/?#]/);
  return end === -1
    ? { host: readable, rest: '' }
    : { host: readable.slice(0, end), rest: readable.slice(end) };
}
