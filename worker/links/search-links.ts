import { and, asc, desc, eq, gt, gte, lt, or, sql, type SQL } from 'drizzle-orm';
import { containsText } from '#worker/db/contains-text.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import { ownColumns, type OwnLink } from './own-link.ts';

export type LinkOrder = 'createdAt' | 'clicks';
export type LinkSort = { by: LinkOrder; descending: boolean };

/** The place of a link in an order: `clicks` matters only where links are ordered by clicks. */
export type LinkPosition = { clicks: number; id: number };

export type LinkSearch = {
  userId: string;
  /** Part of the code or the target, ignoring case (ASCII); '' matches every link. */
  q: string;
  /** Start of the code; '' matches every link. */
  codePrefix?: string;
  status?: 'active' | 'disabled' | 'expired' | undefined;
  /** In ms. From `createdAfter` on, up to but not including `createdBefore`. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  sort: LinkSort;
  /** The rows after or before a position; null for the first page. */
  from: { position: LinkPosition; direction: 'after' | 'before' } | null;
  limit: number;
  now: number;
};

/** `after` and `before` continue from this page; null where nothing follows. */
export type LinkPage = { rows: OwnLink[]; after: LinkPosition | null; before: LinkPosition | null };

const clicks = sql<number>`coalesce(${link_totals.human}, 0)`;

/** One page of a member's links, in either direction. */
export async function searchLinks(db: Db, search: LinkSearch): Promise<LinkPage> {
  const { userId, sort, from, limit } = search;
  const isBackward = from?.direction === 'before';
  // Backward, the order is reversed, so that the rows next to the position come first.
  const isDescending = sort.descending !== isBackward;
  const direction = isDescending ? desc : asc;
  const found = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(
      and(
        eq(links.user_id, userId),
        sql`${links.status} <> 'deleted'`,
        ...conditionsOf(search),
        beyond(from, sort, isDescending),
      ),
    )
    .orderBy(...(sort.by === 'clicks' ? [direction(clicks)] : []), direction(links.id))
    .limit(limit + 1)
    .all();
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBackward) rows.reverse();
  const [first, last] = [rows[0] ?? null, rows.at(-1) ?? null];
  return { rows, after: isBackward || hasMore ? last : null, before: isBackward ? (hasMore ? first : null) : from && first };
}

function conditionsOf({ q, codePrefix = '', status, createdAfter, createdBefore, now }: LinkSearch): (SQL | undefined)[] {
  return [
    containsText(q, links.code, links.target),
    codePrefix === '' ? undefined : sql`substr(${links.code}, 1, ${codePrefix.length}) = ${codePrefix}`,
    status === undefined ? undefined : statusIs(status, now),
    createdAfter === undefined ? undefined : gte(links.created_at, createdAfter),
    createdBefore === undefined ? undefined : lt(links.created_at, createdBefore),
  ];
}

function statusIs(status: 'active' | 'disabled' | 'expired', now: number): SQL | undefined {
  if (status === 'disabled') return eq(links.status, 'disabled');
  const ends = sql`coalesce(${links.expires_at}, ${now + 1})`;
  return and(eq(links.status, 'active'), status === 'active' ? gt(ends, now) : sql`${ends} <= ${now}`);
}

function beyond(from: LinkSearch['from'], { by }: LinkSort, isDescending: boolean): SQL | undefined {
  if (from === null) return undefined;
  const { position } = from;
  const isPast = isDescending ? lt : gt;
  const byId = isPast(links.id, position.id);
  return by === 'createdAt' ? byId : or(isPast(clicks, position.clicks), and(eq(clicks, position.clicks), byId));
}
