import type { Db } from '#worker/db/client.ts';
import { idFromCursor, paginate, type Page } from '#worker/db/paginate.ts';
import { listOwnLinks, readTotals, type OwnLink, type Totals } from './store.ts';

/** One page of a member's links, newest first, and the totals over all of their links. `cursor` is '' for the first page. */
export async function listLinks(
  db: Db,
  userId: string,
  query: { q: string; cursor: string },
): Promise<Page<OwnLink> & { totals: Totals }> {
  const [rows, totals] = await Promise.all([
    listOwnLinks(db, { userId, q: query.q, beforeId: idFromCursor(query.cursor) }),
    readTotals(db, userId),
  ]);
  return { ...paginate(rows, (link) => String(link.id)), totals };
}
