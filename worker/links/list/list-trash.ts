import { and, desc, eq, gt, sql, type SQL } from 'drizzle-orm';
import { KEEP_TRASH_DAYS, PAGE_SIZE } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { withLiveClicks } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { isBeyond, type LinkCursor, type LinkPosition } from './link-order.ts';
import { ownColumns, type OwnLink } from '#worker/links/read/own-link.ts';

/**
 * Returns the links that the member can restore, the most recently deleted first. A link that has
 * released its code cannot be restored.
 */
export async function listTrash(
  db: Db,
  userId: string,
  from: LinkCursor | null,
  now: number,
): Promise<{ rows: OwnLink[]; after: LinkPosition | null }> {
  const deletedAt = sql`${links.updated_at}`;
  const found = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(
      and(
        isInTrash(userId, now),
        from === null ? undefined : isBeyond(deletedAt, sql`${links.id}`, from.position, true),
      ),
    )
    .orderBy(desc(links.updated_at), desc(links.id))
    .limit(PAGE_SIZE + 1)
    .all();
  const rows = await withLiveClicks(db, found.slice(0, PAGE_SIZE));
  const last = rows.at(-1);
  return {
    rows,
    after:
      found.length > PAGE_SIZE && last !== undefined ? { key: last.updatedAt, id: last.id } : null,
  };
}

/** True in SQL for links that the member can restore. */
export const isInTrash = (userId: string, now: number): SQL | undefined =>
  and(
    eq(links.user_id, userId),
    // This is SQL text, because SQLite uses a partial index only if its condition appears
    // literally.
    sql`${links.status} = 'deleted' and ${links.released_at} is null and ${links.target} <> ''`,
    gt(links.updated_at, now - KEEP_TRASH_DAYS * DAY_MS),
  );
