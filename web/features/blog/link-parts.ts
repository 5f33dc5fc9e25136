/** `at`: where the part begins in the whole text. */
export type Part = { kind: 'text' | 'link'; text: string; at: number };

const ADDRESS = /https?:\/\/[^\s<>"]+/g;
/** What ends a sentence, not an address. A closing bracket belongs to the address only if that opened one. */
const TAIL = /[.,;:!?'’”]+$/;

/** Plain text cut into what is a web address and what is not. Joined again the parts give `text`. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimmed(match[0]);
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index), at: end });
    parts.push({ kind: 'link', text: address, at: match.index });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end), at: end });
  return parts;
}

function trimmed(address: string): string {
  let kept = address.replace(TAIL, '');
  while (kept.endsWith(')') && !kept.includes('(')) kept = kept.slice(0, -1).replace(TAIL, '');
  return kept;
}
