import { sql } from 'drizzle-orm';
import { jsonList, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { shardName } from '#worker/db/shards.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { utmOfTarget } from '#worker/redirect/utm.ts';
import type { LinkClicks } from './aggregate-clicks.ts';
import { noStoredCounts, type StoredLinkCounts } from './merge-clicks.ts';
import { createWindows, daysTableOf, windowsTable } from './tables.ts';
import { windowDay } from './window-ids.ts';

/** A link and its row in `link_totals`. Without such a row, the columns of that row are null. */
type LinkRow = Pick<StoredLinkCounts, 'first' | 'last' | 'day'> & {
  id: number;
  shard: number;
  target: string;
  rev: number | null;
  counts: string;
  window_ids: string;
  visitor_sets: string;
};
export type DayRow = { link_id: number; day: number; counts: string };

/** A shard other than the main database, and the targets of the links whose clicks it holds. */
export type OtherShard = { shard: number; targets: ReadonlyMap<number, string> };

export type Stored = {
  /** What is stored of the links that exist. A click on an unknown link creates no rows. */
  links: Map<number, StoredLinkCounts>;
  /** The keys of windows that have been counted already. */
  counted: Set<string>;
  /** Changes whenever another fold has changed one of these links. */
  revisions: string;
  rowsRead: number;
};

/**
 * The statements with which this isolate has created window tables, by shard. Most folds can skip
 * them.
 */
export const createdTables = new Set<string>();

/**
 * Reads which of these windows have been counted, and what is stored of the links and days of their
 * clicks. Only the main database knows which links exist; another database gets only clicks on
 * links that exist.
 */
export async function readStored(
  { db, other, now }: { db: Db; other: OtherShard | undefined; now: number },
  windows: readonly ClickWindow[],
  clicks: ReadonlyMap<number, LinkClicks>,
): Promise<Stored> {
  const shard = other?.shard ?? 0;
  const read = await readLinksAndWindows(db, windows, [...clicks.keys()], other);
  const elsewhere = read.links.rows.find((row) => row.shard !== shard);
  // Clicks that are counted in the wrong database would be in no report.
  if (elsewhere !== undefined)
    throw new Error(
      `The database ${shardName(elsewhere.shard)}, which holds clicks, is not bound.`,
    );
  const stored = new Map(read.links.rows.map((row) => [row.id, linkOf(row)]));
  const pairs = [...clicks].flatMap(([link, { days }]) =>
    [...days.keys()].map((day) => ({ link, day })),
  );
  const earlierRowsRead = await readEarlierDays(db, pairs, stored, now);
  return {
    links: stored,
    counted: new Set([
      ...read.counted.rows.map(({ key }) => key),
      ...[...stored.values()].flatMap(({ windowKeys }) => windowKeys),
    ]),
    revisions: JSON.stringify([...stored].map(([id, { rev }]) => [id, rev])),
    rowsRead: Object.values(read).reduce((sum, { rowsRead }) => sum + rowsRead, earlierRowsRead),
  };
}

/**
 * Reads `links`, and the keys of `windows` in their tables, which it creates if they are missing.
 */
async function readLinksAndWindows(
  db: Db,
  windows: readonly ClickWindow[],
  linkIds: readonly number[],
  other: OtherShard | undefined,
) {
  const shard = other?.shard ?? 0;
  const windowsByDay = Map.groupBy(windows, windowDay);
  const tableKey = (text: string): string => `${shard}: ${text}`;
  // CROSS JOIN keeps SQLite from scanning: it looks up each listed row in an index.
  const found =
    other === undefined
      ? sql`select l.id, l.shard, l.target from ${jsonList(linkIds)} j cross join ${links} l on l.id = j.value`
      : sql`select id, ${shard} as shard, target from ${jsonRows(
          ['id', 'target'],
          linkIds.map((id) => ({ id, target: other.targets.get(id) ?? '' })),
        )}`;
  const createStatements = [...windowsByDay.keys()].map(createWindows);
  const isCreated = (text: string): boolean => createdTables.has(tableKey(text));
  const read = () =>
    runNamedBatch(db, {
      created: createStatements.filter((text) => !isCreated(text)).map((text) => sql.raw(text)),
      counted: [...windowsByDay].map(
        ([day, some]) => sql<{
          key: string;
        }>`select ${`${day}.`} || id as key from ${sql.raw(windowsTable(day))}
          where id in ${jsonList(some.map(({ id }) => id))}`,
      ),
      links: sql<LinkRow>`select l.id, l.shard, l.target, rev, first_at as first, last_at as last, day, counts, window_ids, visitor_sets
        from (${found}) l left join ${link_totals} t on t.link_id = l.id`,
    });
  const result = await read().catch((error: unknown) => {
    if (!createStatements.some(isCreated)) throw error;
    // The database may have been restored to a time before a table was created.
    createdTables.clear();
    return read();
  });
  for (const text of createStatements) createdTables.add(tableKey(text));
  return result;
}

/**
 * Reads the rows of days before a link's latest one into `stored`. Few folds have any. Returns the
 * number of rows read.
 */
async function readEarlierDays(
  db: Db,
  pairs: readonly { link: number; day: number }[],
  stored: ReadonlyMap<number, StoredLinkCounts>,
  now: number,
): Promise<number> {
  const earlier = pairs.filter(({ link, day }) => day < (stored.get(link)?.day ?? 0));
  const { days } = await runNamedBatch(db, {
    days: [...Map.groupBy(earlier, ({ day }) => daysTableOf(day, now))].map(
      ([table, some]) => sql<DayRow>`select d.* from ${jsonRows(['link', 'day'], some)} clicked
        cross join ${sql.raw(table)} d on d.link_id = clicked.link and d.day = clicked.day`,
    ),
  });
  for (const row of days.rows) stored.get(row.link_id)?.days.set(row.day, JSON.parse(row.counts));
  return days.rowsRead;
}

function linkOf({
  target,
  rev,
  first,
  last,
  day,
  counts,
  window_ids,
  visitor_sets,
}: LinkRow): StoredLinkCounts {
  const link = { ...noStoredCounts(), utm: utmOfTarget(target) };
  if (rev === null) return link;
  const sets: Record<string, string> = JSON.parse(visitor_sets);
  const visitorSets = new Map(
    Object.entries(sets).map(([setDay, hashes]) => [Number(setDay), hashes]),
  );
  return {
    ...link,
    rev,
    first,
    last,
    day,
    counts: JSON.parse(counts),
    visitorSets,
    windowKeys: JSON.parse(window_ids),
  };
}
