import { sql } from 'drizzle-orm';
import {
  dayNumber,
  firstDayOfMonth,
  monthOfDay,
  startOfDay,
  startOfMonth,
} from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { closedThroughOf } from '#worker/clicks/maintenance/close-months.ts';
import { noSums, type ClickCounts, type Part } from '#worker/clicks/fold/counts.ts';
import {
  decodeCounts,
  indexOfPart,
  storedFigure,
  storedPart,
} from '#worker/clicks/fold/counts-codec.ts';
import { DAYS_TABLES } from '#worker/clicks/fold/tables.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import { selectActiveDays } from './store.ts';

/** Some parts of the counts of a day or month, which begins at `at` (ms). The others are empty. */
export type DatedCounts = { at: number; counts: ClickCounts };

/**
 * The named parts of a link's counts between `from` and `to` (ms): by month before `oldestDay`, and
 * by day from then on. Reads a row per day, because months do not list their days by value.
 */
export async function readParts(
  db: Db,
  linkId: number,
  {
    from,
    to,
    oldestDay,
    parts,
  }: { from: number; to: number; oldestDay: number; parts: readonly Part[] },
): Promise<{ rows: DatedCounts[]; activeDays: number; rowsRead: number }> {
  const [firstDay, firstFullDay] = [dayNumber(from), dayNumber(Math.max(from, oldestDay))];
  const columns = sql.join(
    [
      sql`${sql.raw(storedFigure('human'))} as human`,
      ...parts.map((part) => sql`${storedPart(part)} as ${sql.raw(part)}`),
    ],
    sql`, `,
  );
  const isDay = sql`link_id = ${linkId} and day >= ${firstDay} and day <= ${dayNumber(to - 1)}
    and (day >= ${firstFullDay} or day > ${closedThroughOf(sql`${linkId}`)})`;
  type Row = { human: number } & Partial<Record<Part, string | null>>;
  type DayRow = Row & { day: number };
  const read = await runNamedBatch(db, {
    active: selectActiveDays(linkId),
    latest: sql<DayRow>`select day, ${columns} from ${link_totals} where ${isDay}`,
    days: DAYS_TABLES.map(
      (table) => sql<DayRow>`select day, ${columns} from ${sql.raw(table)} where ${isDay}`,
    ),
    months: sql<Row & { month: number }>`select month, ${columns} from ${link_months}
      where link_id = ${linkId} and month >= ${monthOfDay(firstDay - 1) + 1} and month < ${monthOfDay(firstFullDay)}`,
  });
  const countsOf = (row: Row): ClickCounts => {
    const stored: (number | (string | number)[])[] = Object.values({
      ...noSums(),
      human: row.human,
    });
    for (const part of parts) stored[indexOfPart(part)] = JSON.parse(row[part] ?? '[]');
    return decodeCounts(stored);
  };
  const days = [...read.latest.rows, ...read.days.rows].map((row): DatedCounts => ({
    at: periodStart(row.day * DAY_MS, oldestDay),
    counts: countsOf(row),
  }));
  const months = read.months.rows.map((row): DatedCounts => ({
    at: firstDayOfMonth(row.month) * DAY_MS,
    counts: countsOf(row),
  }));
  return {
    rows: [...days, ...months],
    activeDays: read.active.rows[0]?.n ?? 0,
    rowsRead: Object.values(read).reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
}

const periodStart = (at: number, oldestDay: number): number =>
  at < oldestDay ? startOfMonth(at) : startOfDay(at);
