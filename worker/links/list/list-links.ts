import { PAGE_SIZE } from '#contract/limits.ts';
import type { MatchingLinksQuery, MyLinksQuery } from '#contract/links.ts';
import type { Page } from '#worker/db/paginate.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { readAccountTotals, type AccountTotals } from './account-totals.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { decodeCursor, encodeCursor, parseTime, type LinkOrder } from './link-order.ts';
import { searchLinks } from './search-links.ts';
import type { LinkSelection } from './select-links.ts';
import { listTrash } from './list-trash.ts';
import { toSearchWords } from '#worker/links/words/words.ts';

const ORDERS: Readonly<Record<string, LinkOrder>> = {
  created: 'createdAt',
  clicks: 'clicks',
  last_click: 'lastClickAt',
  code: 'code',
};

/**
 * Returns one page of a member's links, and the totals over all their links. Returns null if the
 * cursor belongs to another order.
 */
export async function listLinks(
  { db, origins, now, waitUntil }: Pick<RequestContext, 'db' | 'origins' | 'now' | 'waitUntil'>,
  userId: string,
  query: MyLinksQuery,
): Promise<(Page<OwnLink> & { totals: AccountTotals }) | null> {
  const from = query.cursor === '' ? null : decodeCursor(query.cursor, query.sort);
  if (query.cursor !== '' && from === null) return null;
  const { words, ...filters } = toSelection(query, origins.short);
  const [page, totals] = await Promise.all([
    query.status === 'trash'
      ? listTrash(db, userId, from, now)
      : searchLinks(db, {
          userId,
          words,
          filters,
          sort: {
            by: ORDERS[query.sort.replace('-', '')] ?? 'createdAt',
            descending: query.sort.startsWith('-'),
          },
          from,
          limit: PAGE_SIZE,
          now,
        }),
    readAccountTotals(db, userId, now, waitUntil),
  ]);
  return {
    rows: page.rows,
    nextCursor: page.after && encodeCursor('after', query.sort, page.after),
    totals,
  };
}

/** Converts the filters of a request. To the trash no other filter applies. */
export function toSelection(query: MatchingLinksQuery, shortOrigin: string): LinkSelection {
  const all = { words: [], codePrefix: '', archived: query.status === 'archived' };
  if (query.status === 'trash') return { ...all, isDeleted: true };
  return {
    ...all,
    words: wordsOf(query.q, shortOrigin),
    favorite: query.favorite === undefined ? undefined : true,
    tag: query.tag,
    status: query.status === 'archived' ? undefined : query.status,
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
