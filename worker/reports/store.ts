import { eq, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import {
  closedThroughOf,
  monthOf,
  type MonthRow,
} from '#worker/clicks/maintenance/close-months.ts';
import {
  addSums,
  FIGURES,
  HOUR_SUFFIX,
  negate,
  noCounts,
  noSums,
  sumsOf,
  type ClickCounts,
  type Dim,
  type Sums,
} from '#worker/clicks/fold/counts.ts';
import { parseCounts, storedPart, tallyOf } from '#worker/clicks/fold/counts-codec.ts';
import {
  dayNumber,
  firstDayOfMonth,
  monthOfDay,
  oldestHourKept,
  startOfDay,
  startOfMonth,
} from '#contract/periods.ts';
import type { DayRow } from '#worker/clicks/fold/read-stored.ts';
import { DAYS_TABLES, daysTableOf } from '#worker/clicks/fold/tables.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { subscriptions } from '#worker/db/schema-users.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';

/** These columns leave out `counts`, which can be kilobytes. */
const totalColumns = {
  link_id: link_totals.link_id,
  human: link_totals.human,
  bot: link_totals.bot,
  prefetch: link_totals.prefetch,
  visitors: link_totals.visitors,
  recent: link_totals.recent,
};

export type LinkWithTotals = NonNullable<Awaited<ReturnType<typeof findLinkWithTotals>>>;

/**
 * The link that has or had a code, with its totals, its owner's subscription, and the last day that
 * is part of a month. Reads five rows, and two more if its clicks are in another database.
 */
export async function findLinkWithTotals(db: Db, code: string) {
  const found = await db
    .select({
      link: links,
      totals: totalColumns,
      subscription: subscriptions,
      closed: closedThroughOf(sql`${links.id}`),
    })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .leftJoin(subscriptions, eq(subscriptions.user_id, links.user_id))
    .where(eq(links.id, idOfCode(code)))
    .get();
  if (found === undefined || found.link.shard === 0) return found;
  const counted = await openShard(db, found.link.shard)
    .select({ totals: totalColumns, closed: closedThroughOf(sql`${link_totals.link_id}`) })
    .from(link_totals)
    .where(eq(link_totals.link_id, found.link.id))
    .get();
  return { ...found, totals: counted?.totals ?? null, closed: counted?.closed ?? 0 };
}

export type ReportTotals = Sums & { recent: string };
/** `scans` are human clicks by QR code. */
export type PeriodRow = Sums & { grain: 'h' | 'd' | 'm'; at: number; scans: number };
/** `counts` are those of each period since `from`. */
type ReportCounts = {
  totals: ReportTotals;
  periods: PeriodRow[];
  counts: ClickCounts[];
  rowsRead: number;
};

const NO_TOTALS: ReportTotals = { ...noSums(), recent: '[]' };

type Period = { grain: 'd' | 'm'; first: number; counts: ClickCounts };
type TotalsRow = ReportTotals & { day: number; counts: string; closed: number };

/**
 * A link's counts since `from`, and its totals at the same moment, in one batch. Periods are read
 * since `periodsFrom`; those before `from` are by day, without bots and prefetches. Times are in
 * ms.
 *
 * Days that are part of a month are read as one row per month. Single days are read where the range
 * begins inside a month, where they are not part of a month yet, and where reports show their
 * hours.
 */
export async function readReportCounts(
  db: Db,
  { link: { id: linkId }, closed }: { link: { id: number }; closed: number },
  { from, periodsFrom, now }: { from: number; periodsFrom: number; now: number },
): Promise<ReportCounts> {
  const [firstDay, firstPeriodDay, firstHourDay] = [
    dayNumber(from),
    dayNumber(periodsFrom),
    dayNumber(oldestHourKept(now)),
  ];
  const firstMonth = monthOfDay(firstDay - 1) + 1;
  const lastPartDay = firstDayOfMonth(firstMonth) - 1;
  const oldestMonth = periodsFrom < from ? monthOfDay(firstPeriodDay) : firstMonth;
  const lastClosed = Math.max(firstPeriodDay - 1, Math.min(closed, firstHourDay - 1));
  const read = await runNamedBatch(db, {
    totals: sql<TotalsRow>`select human, bot, prefetch, visitors, recent, day, counts, ${closedThroughOf(sql`link_totals.link_id`)} as closed
      from ${link_totals} where link_id = ${linkId}`,
    months: sql<MonthRow>`select * from ${link_months} where link_id = ${linkId} and month >= ${oldestMonth}`,
    part: (lastPartDay < firstDay ? [] : [sql.raw(daysTableOf(firstDay, now))]).map(
      (table) => sql<DayRow>`select * from ${table} where link_id = ${linkId}
        and day >= ${firstDay} and day <= ${Math.min(lastPartDay, lastClosed)}`,
    ),
    days: DAYS_TABLES.map(
      (table) =>
        sql<DayRow>`select * from ${sql.raw(table)} where link_id = ${linkId} and day > ${lastClosed}`,
    ),
  });
  const totals = read.totals.rows[0];
  // Late clicks have reopened a month since `closed` was read, so some days are missing here. If a
  // month was closed instead, some days were read needlessly.
  if (totals !== undefined && totals.closed < closed)
    return readReportCounts(
      db,
      { link: { id: linkId }, closed: totals.closed },
      { from, periodsFrom, now },
    );
  const months = new Map(read.months.rows.map((row) => [row.month, monthOf(row)]));
  const days = [...read.part.rows, ...read.days.rows].map(({ day, counts }) => ({
    day,
    counts: parseCounts(counts),
  }));
  if (totals !== undefined && totals.day >= firstPeriodDay)
    days.push({ day: totals.day, counts: parseCounts(totals.counts) });
  const periods: Period[] = [];
  for (const { day, counts } of days) {
    const month = months.get(monthOfDay(day));
    const isInMonth =
      month !== undefined && day <= (totals?.closed ?? 0) && (day < firstDay || day > lastPartDay);
    if (!isInMonth) periods.push({ grain: 'd', first: day, counts });
    else if (day >= firstHourDay)
      periods.push({
        grain: 'd',
        first: day,
        counts: takeHours(month.counts, day, counts),
      });
  }
  for (const [number, month] of months) {
    const first = firstDayOfMonth(number);
    if (number >= firstMonth) periods.push({ grain: 'm', first, counts: month.counts });
    else
      periods.push(
        ...daysOfMonth(first, month.counts).filter(
          (day) => day.first >= firstPeriodDay && day.first < firstDay,
        ),
      );
  }
  return {
    totals: totals ?? NO_TOTALS,
    periods: periods.flatMap(periodRows),
    counts: periods.filter(({ first }) => first >= firstDay).map(({ counts }) => counts),
    rowsRead: Object.values(read).reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
}

export type DatedDimRow = { at: number; val: string; n: number };

/**
 * The counts of one dimension since `from`, by period and value: by month before `oldestDay`, and
 * by day from then on. Reads a row per day, because months do not list their days by value.
 */
export async function readDimension(
  db: Db,
  linkId: number,
  { from, oldestDay, dim }: { from: number; oldestDay: number; dim: Dim },
): Promise<{ rows: DatedDimRow[]; rowsRead: number }> {
  const [firstDay, firstFullDay] = [dayNumber(from), dayNumber(Math.max(from, oldestDay))];
  const columns = sql`day, ${storedPart(dim)} as stored`;
  const isDay = sql`link_id = ${linkId} and day >= ${firstDay} and (day >= ${firstFullDay} or day > ${closedThroughOf(sql`${linkId}`)})`;
  type Row = { day: number; stored: string };
  const read = await runNamedBatch(db, {
    latest: sql<Row>`select ${columns} from ${link_totals} where ${isDay}`,
    days: DAYS_TABLES.map(
      (table) => sql<Row>`select ${columns} from ${sql.raw(table)} where ${isDay}`,
    ),
    months: sql<{
      month: number;
      stored: string;
    }>`select month, ${storedPart(dim)} as stored from ${link_months}
      where link_id = ${linkId} and month >= ${monthOfDay(firstDay - 1) + 1} and month < ${monthOfDay(firstFullDay)}`,
  });
  const rows: DatedDimRow[] = [];
  for (const { day, stored } of [...read.latest.rows, ...read.days.rows])
    for (const [val, n] of tallyOf(JSON.parse(stored)))
      rows.push({ at: periodStart(day * DAY_MS, oldestDay), val, n });
  for (const { month, stored } of read.months.rows)
    for (const [val, n] of tallyOf(JSON.parse(stored)))
      rows.push({ at: firstDayOfMonth(month) * DAY_MS, val, n });
  return { rows, rowsRead: Object.values(read).reduce((sum, { rowsRead }) => sum + rowsRead, 0) };
}

const periodStart = (at: number, oldestDay: number): number =>
  at < oldestDay ? startOfMonth(at) : startOfDay(at);

/**
 * Subtracts a day from its month, so that it can be shown by hour. Its places, agents and referrers
 * stay in the month.
 */
function takeHours(month: ClickCounts, day: number, counts: ClickCounts): ClickCounts {
  const { times, seen, scans } = counts;
  const dayOfMonth = String(day - firstDayOfMonth(monthOfDay(day)) + 1);
  addSums(month, negate(counts));
  for (const part of ['times', 'seen', 'scans'] as const) month[part].delete(dayOfMonth);
  return { ...noCounts(), ...sumsOf(counts), times, seen, scans };
}

/** The days that a month lists, with their clicks and visitors. */
const daysOfMonth = (first: number, { times, seen }: ClickCounts): Period[] =>
  [...times].map(([time, human]) => ({
    grain: 'd',
    first: first + Number(time) - 1,
    counts: { ...noCounts(), human, visitors: seen.get(time) ?? 0 },
  }));

/**
 * A row for each hour of a day or each day of a month, and one for counts without an hour or day.
 */
function periodRows({ grain, first, counts }: Period): PeriodRow[] {
  const at = first * DAY_MS;
  const rest: PeriodRow = { grain, at, ...sumsOf(counts), scans: 0 };
  const rows = new Map<string, PeriodRow>();
  for (const [time, clicks] of counts.times) {
    const { bot: suffixOfBots, prefetch: suffixOfPrefetches } = HOUR_SUFFIX;
    const figure = time.endsWith(suffixOfBots)
      ? 'bot'
      : time.endsWith(suffixOfPrefetches)
        ? 'prefetch'
        : 'human';
    const number = Number.parseInt(time, 10);
    const row = getOrCreate(rows, String(number), (): PeriodRow => {
      const start = grain === 'd' ? at + number * HOUR_MS : at + (number - 1) * DAY_MS;
      const visitors = counts.seen.get(String(number)) ?? 0;
      rest.visitors -= visitors;
      const scans = counts.scans.get(String(number)) ?? 0;
      return {
        grain: grain === 'd' ? 'h' : 'd',
        at: start,
        ...noSums(),
        visitors,
        scans,
      };
    });
    row[figure] += clicks;
    rest[figure] -= clicks;
  }
  const isListed = FIGURES.every((figure) => rest[figure] === 0);
  return isListed ? [...rows.values()] : [...rows.values(), rest];
}
