import { asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import { jsonList, runBatch } from '#worker/db/batch.ts';
import { withLiveClicks } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { listTags } from '#worker/tags/tags.ts';
import { LIVE_ORDER_MAX_LINKS } from '#contract/limits.ts';
import {
  idsOfFilters,
  idsOfSmallAccount,
  matches,
  sourceInOrder,
  type FilterContext,
  type LinkFilters,
  type Source,
} from './link-filters.ts';
import {
  isBeyond,
  LIVE_ORDER_KEYS,
  ORDER_KEYS,
  type LinkCursor,
  type LinkPosition,
  type LinkSort,
} from './link-order.ts';
import { ownColumns, type OwnLink } from '#worker/links/read/own-link.ts';

export type LinkSearch = {
  userId: string;
  /** Null for a search that no link can match. */
  words: LinkFilters['words'] | null;
  filters: Omit<LinkFilters, 'words'>;
  sort: LinkSort;
  /** Null for the first page. */
  from: LinkCursor | null;
  limit: number;
  now: number;
};

/**
 * `after` and `before` are where the adjacent pages start; null at the end of the list. A short or
 * even empty page can have a next one, because each request reads a limited number of rows.
 */
export type LinkPage = { rows: OwnLink[]; after: LinkPosition | null; before: LinkPosition | null };

/**
 * There are three ways to read a page. All links of a small account are ordered by live clicks, if
 * clicks matter. If a filter has at most FEW_LINKS links, only those are read. Otherwise links are
 * read in list order, from an index, until enough of them match.
 */
const FEW_LINKS = LIVE_ORDER_MAX_LINKS;
/** How many links one request reads in list order at most. */
const MOST_IN_ORDER = 1200;
/** How many times the expected number of links a step reads, so that it probably fills the page. */
const MARGIN = 1.5;

type Found = OwnLink & { key: number | string };
/** `end` is where reading stopped; null at the end of the list. */
type Part = { rows: Found[]; end: LinkPosition | null };

/** A search in the direction in which it is read. */
type Scan = {
  filters: LinkFilters;
  context: FilterContext;
  sort: LinkSort;
  isDescending: boolean;
  limit: number;
  start: LinkPosition | null;
};

/**
 * Returns one page of a member's links, in either direction. The number of rows it reads does not
 * depend on the size of the account (docs/data-model.md#finding-links).
 */
export async function searchLinks(db: Db, search: LinkSearch): Promise<LinkPage> {
  const { userId, words, sort, from, limit, now } = search;
  if (words === null) return { rows: [], after: null, before: null };
  const filters = { ...search.filters, words };
  const needsTags = words.length > 0 || filters.tag !== undefined;
  const context = { userId, tags: needsTags ? await listTags(db, userId) : [], now };
  const isBackward = from?.direction === 'before';
  const { rows: found, end } = await scanLinks(db, {
    filters,
    context,
    sort,
    // Reading backward reverses the order, so that the rows next to the position come first.
    isDescending: sort.descending !== isBackward,
    limit,
    start: from?.position ?? null,
  });
  const rows = await withLiveClicks(db, found.slice(0, limit));
  // A full page continues after its last row, an incomplete page where reading stopped.
  const next = found.length > limit ? (positionOf(rows.at(-1)) ?? end) : end;
  if (!isBackward)
    return { rows, after: next, before: from && (positionOf(rows[0]) ?? from.position) };
  rows.reverse();
  return { rows, after: positionOf(rows.at(-1)) ?? from.position, before: next };
}

const positionOf = (row: Found | undefined): LinkPosition | null =>
  row === undefined ? null : { key: row.key, id: row.id };

async function scanLinks(db: Db, scan: Scan): Promise<Part> {
  const allIds = await findAllIds(db, scan);
  if (allIds !== null) return readAmong(db, scan, allIds, LIVE_ORDER_KEYS);
  const fewIds = await findFewIds(db, scan);
  return fewIds === null ? readInOrder(db, scan) : readAmong(db, scan, fewIds, ORDER_KEYS);
}

/**
 * Returns the ids of all links of a small account if this page depends on clicks; otherwise null.
 */
async function findAllIds(db: Db, { filters, context, sort }: Scan): Promise<number[] | null> {
  const isByClicks = sort.by === 'clicks' || sort.by === 'lastClickAt';
  const { minClicks, maxClicks, lastClickBefore } = filters;
  const limits = [minClicks, maxClicks, lastClickBefore].filter((limit) => limit !== undefined);
  if (!isByClicks && limits.length === 0) return null;
  const rows = await db.all<{ id: number }>(idsOfSmallAccount(context.userId, filters.archived));
  return rows.length === 0 || rows.length > LIVE_ORDER_MAX_LINKS ? null : rows.map(({ id }) => id);
}

/**
 * Returns the ids of all links that the narrowest filter accepts; null if every filter accepts
 * many, or if one index has the matching links in list order.
 */
async function findFewIds(db: Db, { filters, context, sort }: Scan): Promise<number[] | null> {
  const candidates = idsOfFilters(filters, context);
  if (candidates.length === 0 || (sort.by === 'createdAt' && isReadInOrder(filters))) return null;
  const found = await runBatch(
    db,
    candidates.map((ids) => sql`select id from (${ids}) limit ${FEW_LINKS + 1}`),
  );
  const sets = found
    .map((rows) => new Set(rows.map(({ id }) => Number(id))))
    .filter((ids) => ids.size <= FEW_LINKS);
  const [smallest] = sets.toSorted((a, b) => a.size - b.size);
  return smallest === undefined ? null : [...smallest];
}

/** Whether one index has exactly the links that these filters accept, by creation time. */
function isReadInOrder({
  words,
  codePrefix,
  favorite,
  tag,
  status,
  health,
  host,
  domain,
  minClicks,
  maxClicks,
  lastClickBefore,
  importId,
}: LinkFilters): boolean {
  const narrow = [tag, favorite, status, host, domain].filter((value) => value !== undefined);
  return (
    words.length === 0 &&
    // Its index also has watched links in other states.
    health === undefined &&
    codePrefix === '' &&
    lastClickBefore === undefined &&
    importId === undefined &&
    minClicks === undefined &&
    maxClicks === undefined &&
    status !== 'expired' &&
    narrow.length <= 1
  );
}

async function readAmong(
  db: Db,
  scan: Scan,
  ids: readonly number[],
  keys: typeof ORDER_KEYS,
): Promise<Part> {
  const { start, limit } = scan;
  const page = { keys, among: jsonList(ids), start, limit: limit + 1 };
  return { rows: await readPage(db, scan, page), end: null };
}

/**
 * Reads links in list order until the page is full, the list ends or MOST_IN_ORDER links are read.
 * Each step is one batch.
 */
async function readInOrder(db: Db, scan: Scan): Promise<Part> {
  const { filters, context, sort, isDescending, limit } = scan;
  const source = sourceInOrder(filters, context, sort.by, ORDER_KEYS[sort.by]);
  const rows: Found[] = [];
  let end = scan.start;
  let step = limit + 1;
  for (let read = 0; ;) {
    const candidates = selectInOrder(source, end, isDescending);
    const [found, [last]] = await db.batch([
      readPage(db, scan, {
        keys: ORDER_KEYS,
        among: sql`(select id from (${candidates} limit ${step}))`,
        start: null,
        limit: limit + 1 - rows.length,
      }),
      db
        .select({ id: sql<number>`id`, key: sql<number | string>`key` })
        .from(sql`(${candidates} limit 1 offset ${step - 1})`),
    ]);
    rows.push(...found);
    if (rows.length > limit || last === undefined) return { rows, end: null };
    end = last;
    read += step;
    if (read >= MOST_IN_ORDER) return { rows, end };
    step = nextStep(read, rows.length, limit);
  }
}

/**
 * Returns how many links to read next to fill the page, assuming that the share of matching links
 * stays the same.
 */
function nextStep(read: number, matching: number, limit: number): number {
  const expected = (MARGIN * read * (limit + 1 - matching)) / Math.max(matching, 1);
  return Math.min(Math.max(Math.ceil(expected), limit + 1), MOST_IN_ORDER - read);
}

function selectInOrder(
  { table, where, key, id }: Source,
  start: LinkPosition | null,
  isDescending: boolean,
): SQL {
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const rest = start === null ? sql`` : sql` and ${isBeyond(key, id, start, isDescending)}`;
  return sql`select ${id} as id, ${key} as key from ${table} where ${where}${rest}
    order by ${key} ${direction}, ${id} ${direction}`;
}

/** Selects the links among these ids that the filters accept, in list order. */
function readPage(
  db: Db,
  scan: Scan,
  {
    keys,
    among,
    start,
    limit,
  }: { keys: typeof ORDER_KEYS; among: SQL; start: LinkPosition | null; limit: number },
) {
  const key = keys[scan.sort.by];
  const direction = scan.isDescending ? desc : asc;
  const rest =
    start === null ? sql`` : sql` and ${isBeyond(key, sql`${links}.id`, start, scan.isDescending)}`;
  return db
    .select({ ...ownColumns, key: sql<number | string>`${key}`.as('key') })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(sql`${links.id} in ${among} and ${matches(scan.filters, scan.context, keys)}${rest}`)
    .orderBy(direction(key), direction(links.id))
    .limit(limit);
}
