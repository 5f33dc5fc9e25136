import { PAGE_SIZE } from '#contract/limits.ts';
import type { MyLinksQuery } from '#contract/links/links.ts';
import type { Page } from '#worker/db/paginate.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { readAccountTotals, type AccountTotals } from './account-totals.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { decodeCursor, encodeCursor, type LinkOrder } from './link-order.ts';
import { filtersOf } from './query-filters.ts';
import { searchLinks } from './search-links.ts';
import { listTrash } from './list-trash.ts';

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
  const { words, ...filters } = filtersOf(query, origins);
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
