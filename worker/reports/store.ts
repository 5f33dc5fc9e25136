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
  type Sums,
} from '#worker/clicks/fold/counts.ts';
import { indexOfPart, parseCounts, storedFigure } from '#worker/clicks/fold/counts-codec.ts';
import {
  dayNumber,
  firstDayOfMonth,
  monthOfDay,
  oldestHourKept,
} from '#contract/reports/periods.ts';
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
/** `counts` has an entry for each period since `from`. */
type ReportCounts = {
  totals: ReportTotals;
  /** Days with clicks since the link was created; null if the span begins with it. */
  activeDays: number | null;
  periods: PeriodRow[];
  counts: ClickCounts[];
  rowsRead: number;
};

const NO_TOTALS: ReportTotals = { ...noSums(), recent: '[]' };

export type CountedPeriod = { grain: 'd' | 'm'; first: number; counts: ClickCounts };
type TotalsRow = ReportTotals & { day: number; counts: string; closed: number };

/**
 * Which of a link's counts to read. Times are in ms, `to` is exclusive, and null reads up to now.
 * Periods are read since `periodsFrom`; those before `from` are by day, without bots and
 * prefetches, except the day `hoursOf`, which is read by hour.
 */
type ReportSpan = {
  from: number;
  to: number | null;
  periodsFrom: number;
  hoursOf: number | null;
  now: number;
};

/**
 * A link's counts in a span, and its totals at the same moment, in one batch.
 *
 * Days that are part of a month are read as one row per month. Single days are read where the range
 * begins inside a month, where they are not part of a month yet, and where reports show their
 * hours. A span that has ended is read by day, because it may end inside a month.
 */
export async function readReportCounts(
  db: Db,
  { link: { id: linkId }, closed }: { link: { id: number }; closed: number },
  span: ReportSpan,
): Promise<ReportCounts> {
  const { from, to, periodsFrom, hoursOf, now } = span;
  const [firstDay, firstPeriodDay, firstHourDay] = [
    dayNumber(from),
    dayNumber(periodsFrom),
    dayNumber(oldestHourKept(now)),
  ];
  const lastDay = to === null ? Number.MAX_SAFE_INTEGER : dayNumber(to - 1);
  const firstMonth = monthOfDay(firstDay - 1) + 1;
  const lastPartDay = firstDayOfMonth(firstMonth) - 1;
  const oldestMonth = periodsFrom < from ? monthOfDay(firstPeriodDay) : firstMonth;
  const lastClosed =
    to === null
      ? Math.max(firstPeriodDay - 1, Math.min(closed, firstHourDay - 1))
      : firstPeriodDay - 1;
  // Open days that are read anyway need no second look for the days with clicks.
  const firstUncounted = to === null ? firstPeriodDay : Number.MAX_SAFE_INTEGER;
  const isHoursDay = hoursOf !== null && hoursOf >= firstPeriodDay && hoursOf <= lastClosed;
  const daysOf = (table: string, first: number, last: number) =>
    sql<DayRow>`select * from ${sql.raw(table)} where link_id = ${linkId}
      and day >= ${first} and day <= ${last}`;
  const read = await runNamedBatch(db, {
    totals: sql<TotalsRow>`select human, bot, prefetch, visitors, recent, day, counts, ${closedThroughOf(sql`link_totals.link_id`)} as closed
      from ${link_totals} where link_id = ${linkId}`,
    active: (from > 0 ? [firstUncounted] : []).map((day) => selectActiveDays(linkId, day)),
    months: (to === null ? [oldestMonth] : []).map(
      (first) =>
        sql<MonthRow>`select * from ${link_months} where link_id = ${linkId} and month >= ${first}`,
    ),
    part: (to === null && lastPartDay >= firstDay ? [daysTableOf(firstDay, now)] : []).map(
      (table) => daysOf(table, firstDay, Math.min(lastPartDay, lastClosed)),
    ),
    hours: (isHoursDay ? [hoursOf] : []).map((day) => daysOf(daysTableOf(day, now), day, day)),
    days: DAYS_TABLES.map((table) => daysOf(table, lastClosed + 1, lastDay)),
  });
  const totals = read.totals.rows[0];
  // Late clicks have reopened a month since `closed` was read, so some days are missing here. If a
  // month was closed instead, some days were read needlessly.
  if (to === null && totals !== undefined && totals.closed < closed)
    return readReportCounts(db, { link: { id: linkId }, closed: totals.closed }, span);
  const months = new Map(read.months.rows.map((row) => [row.month, monthOf(row)]));
  const days = [...read.part.rows, ...read.hours.rows, ...read.days.rows].map(
    ({ day, counts }) => ({
      day,
      counts: parseCounts(counts),
    }),
  );
  if (totals !== undefined && totals.day >= firstPeriodDay && totals.day <= lastDay)
    days.push({ day: totals.day, counts: parseCounts(totals.counts) });
  const before = read.active.rows[0]?.n;
  const readActive = days.filter(
    ({ day, counts }) => day >= firstUncounted && day > (totals?.closed ?? 0) && counts.human > 0,
  );
  const periods: CountedPeriod[] = [];
  for (const { day, counts } of days) {
    const month = months.get(monthOfDay(day));
    const isInMonth =
      month !== undefined && day <= (totals?.closed ?? 0) && (day < firstDay || day > lastPartDay);
    if (!isInMonth) periods.push({ grain: 'd', first: day, counts });
    else if (day >= firstHourDay || day === hoursOf)
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
    activeDays: before === undefined ? null : before + readActive.length,
    periods: periods.flatMap(periodRows),
    counts: periods.filter(({ first }) => first >= firstDay).map(({ counts }) => counts),
    rowsRead: Object.values(read).reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
}

/**
 * The number of days with clicks of people since the link was created, without those after the last
 * month from `before` on. A month lists its days.
 */
export const selectActiveDays = (linkId: number, before = Number.MAX_SAFE_INTEGER) => {
  const isOpen = sql`link_id = ${linkId} and day > (select closed from open)
    and day < ${before} and ${sql.raw(storedFigure('human'))} > 0`;
  const counts = ['link_totals', ...DAYS_TABLES].map(
    (table) => sql`(select count(*) from ${sql.raw(table)} where ${isOpen})`,
  );
  const ofMonths = sql`(select coalesce(sum(json_array_length(counts, ${`$[${indexOfPart('times')}]`}) / 2), 0)
    from ${link_months} where link_id = ${linkId})`;
  return sql<{ n: number }>`with open as (select ${closedThroughOf(sql`${linkId}`)} as closed)
    select ${sql.join([ofMonths, ...counts], sql` + `)} as n`;
};

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
const daysOfMonth = (first: number, { times, seen }: ClickCounts): CountedPeriod[] =>
  [...times].map(([time, human]) => ({
    grain: 'd',
    first: first + Number(time) - 1,
    counts: { ...noCounts(), human, visitors: seen.get(time) ?? 0 },
  }));

/**
 * A row for each hour of a day or each day of a month, and one for counts without an hour or day.
 */
export function periodRows({ grain, first, counts }: CountedPeriod): PeriodRow[] {
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
