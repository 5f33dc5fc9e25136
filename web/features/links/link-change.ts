import type { LinkChange, LinkRow } from '#contract/links.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Converts RFC 3339 to the value of an `<input type="datetime-local">` in the reader's time zone; null becomes ''. */
export function toDateTimeLocal(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The changes that the form makes to `link`, or null. `end` is in the reader's time zone; '' means no end date. */
export function buildLinkChange(link: LinkRow, longUrl: string, end: string): LinkChange | null {
  const change: LinkChange = {};
  if (longUrl !== link.long_url) change.longUrl = longUrl;
  if (end !== toDateTimeLocal(link.expires_at)) change.expiresAt = end === '' ? null : new Date(end).getTime();
  return Object.keys(change).length === 0 ? null : change;
}
