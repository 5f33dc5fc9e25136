import type { LinkChange, LinkRow } from '#contract/links.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** An instant as `<input type="datetime-local">` has it, in the reader's zone; '' for none. */
export function toDateTimeLocal(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** What the form asks to change, or null where it changes nothing. `end` is the reader's local time, '' for none. */
export function buildLinkChange(link: LinkRow, longUrl: string, end: string): LinkChange | null {
  const change: LinkChange = {};
  if (longUrl !== link.long_url) change.longUrl = longUrl;
  if (end !== toDateTimeLocal(link.expires_at)) change.expiresAt = end === '' ? null : new Date(end).getTime();
  return Object.keys(change).length === 0 ? null : change;
}
