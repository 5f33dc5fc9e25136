import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { listTags } from '#worker/tags/tags.ts';
import { matches, sourceInOrder, type LinkFilters } from './link-filters.ts';
import { LIVE_ORDER_KEYS, ORDER_KEYS } from './link-order.ts';
import { isInTrash } from './list-trash.ts';

/** The words are null for a search that no link can match. */
export type LinkSelection = Omit<LinkFilters, 'words'> & { words: LinkFilters['words'] | null };

/**
 * Returns how many links of a member the filters accept, and the ids of the oldest `limit` of them.
 * Unlike a page of the list it reads every link in the narrowest index.
 */
export async function selectLinks(
  db: Db,
  { words, ...others }: LinkSelection,
  { userId, limit, now }: { userId: string; limit: number; now: number },
): Promise<{ matched: number; ids: number[] }> {
  if (words === null) return { matched: 0, ids: [] };
  const filters = { ...others, words };
  const context = { userId, tags: await listTags(db, userId), now };
  const { table, where, id } = sourceInOrder(filters, context, 'createdAt', ORDER_KEYS.createdAt);
  const candidates =
    filters.isDeleted === true
      ? sql`select id from ${links} where ${isInTrash(userId, now)}`
      : sql`select ${id} as id from ${table} where ${where}`;
  const rows = await db.all<{ id: number; matched: number }>(
    sql`select ${links}.id as id, count(*) over () as matched from ${links}
      left join ${link_totals} on ${link_totals}.link_id = ${links}.id
      where ${links}.id in (${candidates}) and ${matches(filters, context, LIVE_ORDER_KEYS)}
      order by ${links}.id limit ${Math.max(1, limit)}`,
  );
  return { matched: rows[0]?.matched ?? 0, ids: rows.slice(0, limit).map((row) => row.id) };
}
