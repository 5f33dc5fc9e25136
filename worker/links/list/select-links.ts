import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { clicksColumn } from '#worker/links/read/shard-totals.ts';
import { listTags } from '#worker/tags/tags.ts';
import { matches, sourceInOrder, type LinkFilters } from './link-filters.ts';
import { LIVE_ORDER_KEYS, ORDER_KEYS } from './link-order.ts';
import { isInTrash } from './list-trash.ts';

/** `words` is null for a search that no link can match. */
export type LinkSelection = Omit<LinkFilters, 'words'> & { words: LinkFilters['words'] | null };

type Reader = { userId: string; now: number };

/**
 * Returns how many links of a member the filters accept, and the ids of the oldest `limit` of them.
 * Unlike a page of the list it reads every link in the narrowest index.
 */
export async function selectLinks(
  db: Db,
  selection: LinkSelection,
  { userId, limit, now }: Reader & { limit: number },
): Promise<{ matched: number; ids: number[] }> {
  const { candidates, condition } = await chooseLinks(db, selection, { userId, now });
  const rows = await db.all<{ id: number; matched: number }>(
    sql`select ${links}.id as id, count(*) over () as matched from ${links}
      left join ${link_totals} on ${link_totals}.link_id = ${links}.id
      where ${links}.id in (${candidates}) and ${condition}
      order by ${links}.id limit ${Math.max(1, limit)}`,
  );
  return { matched: rows[0]?.matched ?? 0, ids: rows.slice(0, limit).map((row) => row.id) };
}

/**
 * Counts the links that the filters accept, and their clicks, among the newest `max` of the
 * narrowest index.
 */
export async function countSelectedLinks(
  db: Db,
  selection: LinkSelection,
  { userId, max, now }: Reader & { max: number },
): Promise<{ links: number; clicks: number; isComplete: boolean }> {
  const { candidates, condition } = await chooseLinks(db, selection, { userId, now });
  const [row] = await db.all<{ links: number; clicks: number; looked: number }>(
    sql`with candidates as materialized (${candidates} order by id desc limit ${max + 1})
      select count(*) as links, coalesce(sum(${clicksColumn}), 0) as clicks,
        (select count(*) from candidates) as looked from ${links}
      left join ${link_totals} on ${link_totals}.link_id = ${links}.id
      where ${links}.id in (select id from candidates limit ${max}) and ${condition}`,
  );
  const { looked = 0, ...counted } = row ?? { links: 0, clicks: 0 };
  return { ...counted, isComplete: looked <= max };
}

/**
 * Returns SQL for the filters, in a query of `links` that joins `link_totals`: the ids of the
 * links in the narrowest index, and the condition that is true for those that all filters accept.
 */
export async function chooseLinks(
  db: Db,
  { words, ...others }: LinkSelection,
  { userId, now }: Reader,
): Promise<{ candidates: SQL; condition: SQL }> {
  if (words === null) return { candidates: sql`select 0 as id`, condition: sql`0` };
  const filters = { ...others, words };
  const context = { userId, tags: await listTags(db, userId), now };
  const { table, where, id } = sourceInOrder(filters, context, 'createdAt', ORDER_KEYS.createdAt);
  const condition = matches(filters, context, LIVE_ORDER_KEYS);
  if (filters.isDeleted !== true)
    return { candidates: sql`select ${id} as id from ${table} where ${where}`, condition };
  const trash = sql`${isInTrash(userId, now)}`;
  return {
    candidates: sql`select id from ${links} where ${trash}`,
    condition: sql`${condition} and ${trash}`,
  };
}
