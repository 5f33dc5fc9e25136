import type { ForwardParams } from '#contract/forward-params.ts';
import type { LinkChange, LinkRow } from '#contract/links.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Converts RFC 3339 to the value of an `<input type="datetime-local">` in the reader's time zone;
 * null becomes ''.
 */
export function toDateTimeLocal(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** What the form of a link has. `end` is in the reader's time zone; '' means no end date. */
export type LinkForm = {
  longUrl: string;
  end: string;
  title: string;
  note: string;
  tags: readonly string[];
  forwardParams: ForwardParams;
};

/** The form for a link as it is. */
export const toForm = (link: LinkRow): LinkForm => ({
  longUrl: link.long_url,
  end: toDateTimeLocal(link.expires_at),
  title: link.title,
  note: link.note,
  tags: link.tags.map(({ name }) => name),
  forwardParams: link.forward_params,
});

/** The changes that the form makes to `link`, or null. */
export function buildLinkChange(
  link: LinkRow,
  { longUrl, end, title, note, tags, forwardParams }: LinkForm,
): LinkChange | null {
  const change: LinkChange = {};
  if (longUrl !== link.long_url) change.longUrl = longUrl;
  if (end !== toDateTimeLocal(link.expires_at))
    change.expiresAt = end === '' ? null : new Date(end).getTime();
  const before = toForm(link);
  if (title !== before.title) change.title = title;
  if (note !== before.note) change.note = note;
  if (tags.join() !== before.tags.join()) change.tags = [...tags];
  if (forwardParams.toString() !== before.forwardParams.toString())
    change.forwardParams = forwardParams;
  return Object.keys(change).length === 0 ? null : change;
}
