import { sql, type SQL } from 'drizzle-orm';
import { KEEP_ACCOUNT_DETAILS_DAYS } from '#contract/limits.ts';
import { jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import { closedThroughOf, type MonthRow } from '#worker/clicks/maintenance/close-months.ts';
import {
  addCounts,
  addSums,
  FIGURES,
  noCounts,
  type ClickCounts,
  type Sums,
  sumsOf,
  negate,
} from '#worker/clicks/fold/counts.ts';
import { parseCounts } from '#worker/clicks/fold/counts-codec.ts';
import { dayNumber, firstDayOfMonth, monthOfDay } from '#contract/reports/periods.ts';
import type { DayRow } from '#worker/clicks/fold/read-stored.ts';
import { DAYS_TABLES } from '#worker/clicks/fold/tables.ts';

/** A link's counts by day, which add up to `totals`. `rev` as in `link_totals`. */
export type LinkDays = { rev: number; totals: Sums; days: Map<number, ClickCounts> };
/** `since` is the first day to read of the link; 0 reads all its days. */
type LinkSince = { link: number; since: number };

type TotalsRow = Sums & { link_id: number; rev: number; day: number; counts: string };

/**
 * Reads the counts of these links by day, from one snapshot. Days before `firstDetailed` have only
 * sums. Where a month is stored instead of its days, the part that it does not list by day is
 * returned on its first day.
 */
export async function readLinkDays(
  db: Db,
  links: readonly LinkSince[],
  firstDetailed: number,
): Promise<Map<number, LinkDays>> {
  // CROSS JOIN keeps SQLite from scanning the counts: it looks up each listed link.
  const join = (table: SQL): SQL =>
    sql`${jsonRows(['link', 'since'], links)} j cross join ${table} c on c.link_id = j.link`;
  const read = await runNamedBatch(db, {
    totals: sql<TotalsRow>`select c.link_id, c.rev, c.human, c.bot, c.prefetch, c.visitors, c.day, c.counts
      from ${join(sql`${link_totals}`)}`,
    days: DAYS_TABLES.map(
      (table) => sql<DayRow>`select c.* from ${join(sql.raw(table))}
        and c.day >= iif(j.since > 0, j.since, min(${firstDetailed}, ${closedThroughOf(sql`c.link_id`)} + 1))`,
    ),
    months: sql<MonthRow>`select c.* from ${join(sql`${link_months}`)}
      and j.since = 0 and c.month <= ${monthOfDay(firstDetailed - 1)}`,
  });
  const result = new Map<number, LinkDays>();
  const addToDay = (id: number, day: number, counts: ClickCounts): void => {
    const days = result.get(id)?.days;
    if (days === undefined) return;
    const sum = days.get(day) ?? noCounts();
    if (day >= firstDetailed) addCounts(sum, counts);
    else addSums(sum, counts);
    days.set(day, sum);
  };
  const firstDays = new Map(links.map(({ link, since }) => [link, since]));
  for (const row of read.totals.rows)
    result.set(row.link_id, { rev: row.rev, totals: sumsOf(row), days: new Map() });
  // The latest day always comes from the link's own row, so it does not depend on `since`.
  const days = [
    ...read.days.rows,
    ...read.totals.rows.filter(
      ({ link_id, day }) => day >= Math.max(1, firstDays.get(link_id) ?? 0),
    ),
  ];
  for (const { link_id, day, counts } of days) addToDay(link_id, day, parseCounts(counts));
  const daysOf = Map.groupBy(days, ({ link_id }) => link_id);
  for (const row of read.months.rows)
    for (const [day, counts] of splitMonth(row, daysOf.get(row.link_id) ?? [], firstDetailed))
      addToDay(row.link_id, day, counts);
  return result;
}

/**
 * Splits a month into its days before `firstDetailed`, without those in `days`. Counts that the
 * month does not list by day are returned on its first day.
 */
function splitMonth(
  { month, through, counts }: MonthRow,
  days: readonly DayRow[],
  firstDetailed: number,
): [number, ClickCounts][] {
  const first = firstDayOfMonth(month);
  const unassigned = parseCounts(counts);
  const readDays = days.filter(({ day }) => day <= through && monthOfDay(day) === month);
  const result: [number, ClickCounts][] = [];
  for (const [time, human] of unassigned.times) {
    const day = first + Number(time) - 1;
    const visitors = unassigned.seen.get(time) ?? 0;
    if (day >= firstDetailed || readDays.some((row) => row.day === day)) continue;
    result.push([day, { ...noCounts(), human, visitors }]);
    addSums(unassigned, { human: -human, bot: 0, prefetch: 0, visitors: -visitors });
  }
  for (const row of readDays) addSums(unassigned, negate(parseCounts(row.counts)));
  if (FIGURES.some((figure) => unassigned[figure] !== 0))
    result.push([first, { ...noCounts(), ...sumsOf(unassigned) }]);
  return result;
}

/** The first day of which an account keeps places, agents and referrers. */
export const firstDetailedDay = (now: number): number =>
  dayNumber(now) - KEEP_ACCOUNT_DETAILS_DAYS + 1;
