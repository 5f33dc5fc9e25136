import { escapeHtml } from '#worker/html.ts';

/** The attributes of every link that somebody typed. */
export const LINK_ATTRIBUTES = 'target="_blank" rel="noopener noreferrer nofollow"';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”‘’«»]+/g;
const PUNCTUATION = '.,;:!?…';
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Plain text as HTML in which web addresses are links; everything else stays text (SECURITY.md
 * T18). The application's own scanner knows more cases and replaces this result, but it would be a
 * thirtieth of the Worker. The time is linear in the length of any text, because a post is linked
 * at every visit (SECURITY.md T56).
 */
export function linkedHtml(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].slice(0, endOfAddress(match[0]));
    if (!URL.canParse(address)) continue;
    const href = escapeHtml(address);
    html += `${escapeHtml(text.slice(end, match.index))}<a ${LINK_ATTRIBUTES} href="${href}">${href}</a>`;
    end = match.index + address.length;
  }
  return html + escapeHtml(text.slice(end));
}

/**
 * The length of an address without the punctuation and unmatched closing brackets at its end.
 * Brackets are counted once. A regular expression would start again at every punctuation mark.
 */
function endOfAddress(address: string): number {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  const countOf = (character: string): number => counts.get(character) ?? 0;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = OPENING[last];
    if (opening === undefined ? !PUNCTUATION.includes(last) : countOf(last) <= countOf(opening))
      break;
    counts.set(last, countOf(last) - 1);
  }
  return end;
}
