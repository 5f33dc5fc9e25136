const number = new Intl.NumberFormat('en');
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** 12345 → '12,345' */
export const formatNumber = (value: number): string => number.format(value);
/** RFC 3339 or 'YYYY-MM-DD' → 'Nov 21, 2026' in the reader's zone. */
export const formatDate = (iso: string): string => date.format(new Date(iso));
/** RFC 3339 → 'Nov 21, 2026, 1:05 PM' in the reader's zone. */
export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long before `now` (ms) it was, in the largest whole unit: '3 days ago'; under a minute 'just now'. */
export function formatAge(iso: string, now: number): string {
  const ago = now - new Date(iso).getTime();
  const step = STEPS.find(([, ms]) => ago >= ms);
  return step === undefined ? 'just now' : relative.format(-Math.floor(ago / step[1]), step[0]);
}

/** A URL as people read it: without scheme and without the slash of an empty path. */
export const readableUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/^([^/]+)\/$/, '$1');

/** 1 → '1 click', 2 → '2 clicks' */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
