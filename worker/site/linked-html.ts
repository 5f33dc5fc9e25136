import { escapeHtml } from '#worker/html.ts';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”‘’«»]+/g;
const AFTER = /[.,;:!?…]+$/;

/**
 * Plain text as HTML in which web addresses are links; everything else stays text (SECURITY.md T18). The application's own scanner
 * knows more cases and replaces this; it would be a thirtieth of the Worker.
 */
export function linkedHtml(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimAddress(match[0]);
    if (!URL.canParse(address)) continue;
    const href = escapeHtml(address);
    html += `${escapeHtml(text.slice(end, match.index))}<a target="_blank" rel="noopener noreferrer nofollow" href="${href}">${href}</a>`;
    end = match.index + address.length;
  }
  return html + escapeHtml(text.slice(end));
}

/** Removes punctuation and unmatched closing brackets from the end. */
function trimAddress(address: string): string {
  const trimmed = address.replace(AFTER, '');
  const last = trimmed.at(-1) ?? '';
  const opening = { ')': '(', ']': '[', '}': '{' }[last];
  const isUnmatched = opening !== undefined && trimmed.split(last).length > trimmed.split(opening).length;
  return isUnmatched ? trimAddress(trimmed.slice(0, -1)) : trimmed;
}
