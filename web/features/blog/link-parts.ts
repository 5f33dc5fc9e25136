import { LinkifyIt } from 'linkify-it';

/** A part of a text. `start` is its index in the whole text. */
export type LinkPart = { kind: 'text' | 'link'; text: string; start: number };

// Only http and https URLs with their scheme become links.
const linkifier = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, urlAuth: true });
for (const schema of ['//', 'ftp:', 'mailto:']) linkifier.add(schema, null);

/**
 * Splits plain text into web addresses and the text between them. The joined parts equal `text`.
 */
export function splitLinks(text: string): LinkPart[] {
  const parts: LinkPart[] = [];
  let end = 0;
  for (const match of linkifier.match(text) ?? []) {
    if (!URL.canParse(match.raw)) continue;
    if (match.index > end)
      parts.push({ kind: 'text', text: text.slice(end, match.index), start: end });
    parts.push({ kind: 'link', text: match.raw, start: match.index });
    end = match.lastIndex;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end), start: end });
  return parts;
}
