import type { LinkFilterQuery } from '#contract/links.ts';
import { toSearchWords } from '#worker/links/words/words.ts';
import { parseTime } from './link-order.ts';
import type { LinkSelection } from './select-links.ts';

/** Returns the filters of a request by My URLs. No other filter applies to the trash. */
export function filtersOf(query: LinkFilterQuery, shortOrigin: string): LinkSelection {
  const { status } = query;
  if (status === 'trash') return { words: [], codePrefix: '', archived: false, isDeleted: true };
  return {
    words: wordsOf(query.q, shortOrigin),
    codePrefix: '',
    archived: status === 'archived',
    favorite: query.favorite === undefined ? undefined : true,
    tag: query.tag,
    status: status === 'archived' ? undefined : status,
    health: query.health,
    host: query.host?.toLowerCase(),
    createdAfter: parseTime(query.from),
    createdBefore: parseTime(query.to),
    minClicks: query.min_clicks,
    maxClicks: query.max_clicks,
    importId: query.import,
  };
}

/**
 * Returns the words of a search, where a pasted short URL stands for its code; null if no link can
 * match.
 */
function wordsOf(q: string, shortOrigin: string): string[] | null {
  if (q.trim() === '') return [];
  const text = q.trim().replace(/^https?:\/\//i, '');
  const host = new URL(shortOrigin).host;
  return toSearchWords(
    text.toLowerCase().startsWith(`${host}/`) ? text.slice(host.length + 1) : text,
  );
}
