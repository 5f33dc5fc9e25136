import { parseJson } from '#worker/http/parse-json.ts';
import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { clicksColumn } from '#worker/links/read/shard-totals.ts';
import type { LinkIds } from '#worker/db/link-ids.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';

export const LINK_ORDERS = ['createdAt', 'clicks', 'lastClickAt', 'code'] as const;
export type LinkOrder = (typeof LINK_ORDERS)[number];
export type LinkSort = { by: LinkOrder; descending: boolean };

/**
 * The SQL expressions that lists are ordered by, each as in an index of `links`. Clicks are those
 * of the last ranking (links/list/rank-links.ts). Links with equal keys are ordered by id.
 */
export const ORDER_KEYS: Readonly<Record<LinkOrder, SQL<number | string>>> = {
  createdAt: sql<number>`${links}.created_at`,
  clicks: sql<number>`${links}.ranked_clicks`,
  lastClickAt: sql<number>`${links}.ranked_last_click_at`,
  code: sql<string>`${links}.code collate nocase`,
};

/** The same expressions with live clicks, for a query that joins `link_totals`. */
export const LIVE_ORDER_KEYS: typeof ORDER_KEYS = {
  ...ORDER_KEYS,
  clicks: clicksColumn,
  lastClickAt: sql<number>`iif(${links.shard} = 0, coalesce(${link_totals.last_at}, 0), ${links.ranked_last_click_at})`,
};

export type LinkPosition = { key: number | string; id: number };

export type LinkCursor = { position: LinkPosition; direction: 'after' | 'before' };

export function isBeyond(key: SQL, id: SQL, position: LinkPosition, isDescending: boolean): SQL {
  const operator = sql.raw(isDescending ? '<' : '>');
  return sql`(${key} ${operator}= ${position.key} and (${key} ${operator} ${position.key} or ${id} ${operator} ${position.id}))`;
}

const cursorSchema = z.tuple([
  z.enum(['after', 'before']),
  z.string(),
  z.union([z.int(), z.string()]),
  z.union([z.int(), z.string()]),
]);

/**
 * Encodes a cursor: the direction, the order and the position of a link in that order. Clients
 * treat it as opaque. In the public API it has the link's id as clients know it (`linkIds`).
 */
export function encodeCursor(
  direction: LinkCursor['direction'],
  sort: string,
  { key, id }: LinkPosition,
  linkIds?: LinkIds,
): string {
  const shown = linkIds?.show(id) ?? id;
  return Buffer.from(JSON.stringify([direction, sort, key, shown])).toString('base64url');
}

/** Returns null for text that is not a cursor of this order. */
export function decodeCursor(cursor: string, sort: string, linkIds?: LinkIds): LinkCursor | null {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) return null;
  const [direction, order, key, shown] = parsed.data;
  const id = linkIds?.read(String(shown)) ?? Number(shown);
  return order === sort && id > 0 ? { direction, position: { key, id } } : null;
}

/** The time of a filter in ms; undefined if the query does not have it. */
export const parseTime = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);
