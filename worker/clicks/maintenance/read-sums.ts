import { sql, type SQL } from 'drizzle-orm';
import { firstDayOfMonth, monthOfDay } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { addSums, noSums, type Sums } from '#worker/clicks/fold/counts.ts';
import {
  figureColumns,
  parseCounts,
  storedFigure,
  storedFigures,
  storedPart,
  tallyOf,
} from '#worker/clicks/fold/counts-codec.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { allShards, openShard } from '#worker/db/shards.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import type { LinkRange } from '#worker/job-runtime/sweep-links.ts';
import { selectOpenDays } from './close-months.ts';

/** Administrators see the clicks of this many days, and of as many before. */
export const PERIOD_DAYS = 30;

/** A link with its stored totals. */
type LinkSums = Sums & { id: number; code: string; shard: number; rev: number };
/** `latest` has the sums of the latest day, as JSON. */
type Totals = Sums & { link_id: number; rev: number; day: number; latest: string };
type DaySums = Sums & { link_id: number; day: number };
/** `times` is null unless the clicks of the month are needed by day. */
type MonthSums = Sums & { link_id: number; month: number; through: number; times: string | null };

/**
 * Reads the range's links with their totals, the sums of their counts, and the human clicks of the
 * last 60 days by day. With `since`, reads only links with a click on that day or later. The totals
 * and the sums of a link come from one snapshot.
 */
export async function readSums(db: Db, range: LinkRange, since: number | null, today: number) {
  const read: LinkSums[] = [];
  const sums = new Map<number, Sums>();
  const byDay = new Map<number, number>();
  const result = { links: read, sums, byDay };
  const ids = since === null ? null : await readClicked(db, range, since);
  if (ids?.length === 0) return result;
  const isRead = (id: SQL): SQL =>
    ids === null ? isInRange(id, range) : sql`${id} in ${jsonList(ids)}`;
  const { found, ...main } = await runNamedBatch(db, {
    found: sql<{
      id: number;
      code: string;
      shard: number;
    }>`select id, code, shard from ${links} where ${isRead(sql`id`)}`,
    ...selectCounts(isRead, today),
  });
  for (const [shard, shardLinks] of Map.groupBy(found.rows, (link) => link.shard)) {
    const { totals, days, months } =
      shard === 0 ? main : await runNamedBatch(openShard(db, shard), selectCounts(isRead, today));
    const totalsOf = new Map(totals.rows.map((row) => [row.link_id, row]));
    const closed = new Map(months.rows.map(({ link_id, through }) => [link_id, through]));
    // The latest day is in the link's own row. It is left out if a month includes it.
    const latest = totals.rows
      .filter(({ link_id, day }) => day > (closed.get(link_id) ?? 0))
      .map((row): DaySums =>
        Object.assign(parseCounts(row.latest), { link_id: row.link_id, day: row.day }),
      );
    const idsOfShard = new Set(shardLinks.map(({ id }) => id));
    const rows = [...days.rows, ...latest, ...months.rows].filter(({ link_id }) =>
      idsOfShard.has(link_id),
    );
    addRows(rows, sums, byDay, today);
    for (const link of shardLinks)
      read.push(Object.assign({ rev: 0, ...noSums() }, totalsOf.get(link.id), link));
  }
  return result;
}

/** The ids of the range's links with a click on the day `since` or later, in all databases. */
async function readClicked(db: Db, range: LinkRange, since: number): Promise<number[]> {
  const ids = new Set<number>();
  for (const { db: shard } of allShards(db)) {
    const rows = await shard.all<{ id: number }>(
      sql`select link_id as id from ${link_totals}
        where ${isInRange(sql`link_id`, range)} and last_at >= ${since * DAY_MS}`,
    );
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

const isInRange = (id: SQL, { after, upTo }: LinkRange): SQL =>
  sql`${id} > ${after} and ${id} <= ${upTo}`;

/** The statements that read the totals and all counts of links, in one database. */
function selectCounts(isRead: (id: SQL) => SQL, today: number) {
  const ofCounts = (alias: string): SQL =>
    figureColumns((figure) => storedFigure(figure, `${alias}.counts`));
  const recent = today - 2 * PERIOD_DAYS;
  return {
    totals: sql<Totals>`select link_id, rev, human, bot, prefetch, visitors, day, ${storedFigures()} as latest
      from ${link_totals} where ${isRead(sql`link_id`)}`,
    days: selectOpenDays<DaySums>(sql`d.link_id, d.day, ${ofCounts('d')}`, isRead(sql`t.link_id`)),
    months: sql<MonthSums>`select m.link_id, m.month, m.through, ${ofCounts('m')},
      case when m.month >= ${monthOfDay(recent)} then ${storedPart('times', 'm.counts')} end as times
      from ${link_months} m where ${isRead(sql`m.link_id`)} order by m.link_id, m.month`,
  };
}

/** Adds rows to the sums of their links, and human clicks of the last 60 days to `byDay`. */
function addRows(
  rows: readonly (DaySums | MonthSums)[],
  sums: Map<number, Sums>,
  byDay: Map<number, number>,
  today: number,
): void {
  const addClicks = (day: number, human: number): void => {
    if (day < today && day >= today - 2 * PERIOD_DAYS)
      byDay.set(day, (byDay.get(day) ?? 0) + human);
  };
  for (const row of rows) {
    addSums(getOrCreate(sums, row.link_id, noSums), row);
    if ('day' in row) addClicks(row.day, row.human);
    else if (row.times !== null)
      for (const [day, n] of tallyOf(JSON.parse(row.times)))
        addClicks(firstDayOfMonth(row.month) + Number(day) - 1, n);
  }
}
