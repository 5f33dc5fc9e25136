import { PAGE_SIZE } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { idFromCursor, type Page } from '#worker/db/paginate.ts';
import { searchLinks } from './search-links.ts';
import { type OwnLink } from './own-link.ts';
import { readTotals, type Totals } from './store.ts';

/** One page of a member's links, newest first, and the totals over all of their links. `cursor` is '' for the first page. */
export async function listLinks(
  db: Db,
  userId: string,
  query: { q: string; cursor: string },
  now: number,
): Promise<Page<OwnLink> & { totals: Totals }> {
  const id = idFromCursor(query.cursor);
  const [{ rows, after }, totals] = await Promise.all([
    searchLinks(db, {
      userId,
      q: query.q,
      sort: { by: 'createdAt', descending: true },
      from: id === null ? null : { position: { id, clicks: 0 }, direction: 'after' },
      limit: PAGE_SIZE,
      now,
    }),
    readTotals(db, userId),
  ]);
  return { rows, nextCursor: after === null ? null : String(after.id), totals };
}
