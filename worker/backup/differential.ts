import * as z from 'zod/mini';
import { KEEP_WINDOW_IDS_DAYS } from '#contract/limits.ts';
import { dayNumber, monthOfDay } from '#contract/reports/periods.ts';
import { DAYS_TABLES, daysTableOf } from '#worker/clicks/fold/tables.ts';
import type { Base, Manifest, Rows } from './backup-format.ts';

/*
 * Nearly all rows of a database are counts of days and months, and few of them change again. So
 * a full copy is made once a week, and the copies of the nights between are differential: they have
 * all rows of every other table, but only the days that can differ from the full copy, their base.
 *
 * No mark says which days these are, because that follows from what a fold can change:
 * - It counts clicks of the last KEEP_WINDOW_IDS_DAYS days.
 * - It moves the latest day of a link out of `link_totals`, unchanged if it is older than that. The
 *   base then has it in `link_totals`.
 * Days are deleted only with their whole table, when they are part of months.
 *
 * Months are sums of days. A restore takes those from the base that no fold can have changed, and
 * `close-months` adds up the others again.
 */

const DAYS: ReadonlySet<string> = new Set(DAYS_TABLES);
const MONTHS = 'link_months';
const TOTALS = 'link_totals';

/** Whether a differential copy leaves the table, or most of it, to its base. */
export const isLeftToBase = (name: string): boolean => DAYS.has(name) || name === MONTHS;

/** The first day whose counts can have changed since the base. A fold may take most of a day. */
const firstChangedDay = ({ startedAt }: Base): number =>
  dayNumber(startedAt) - KEEP_WINDOW_IDS_DAYS - 1;

/** The first day that a differential copy has, and the tables that can have such days. */
export function changedDays({ base, startedAt }: Manifest): { first: number; tables: string[] } {
  if (base === undefined) return { first: 0, tables: [] };
  const first = firstChangedDay(base);
  // A clock that is ahead may have counted clicks of tomorrow.
  const days = [first, dayNumber(startedAt) + 1];
  return { first, tables: [...new Set(days.map((day) => daysTableOf(day, startedAt)))] };
}

const DAY_COLUMNS = ['link_id', 'day', 'counts'];
const latestDay = z.tuple([z.number(), z.number(), z.string()]);

/**
 * The rows that a restore takes from a part of the base once the differential copy is loaded, with
 * a condition in SQL on the JSON array `value` of a row.
 */
export function rowsOfBase(
  { table, columns, lines }: Rows,
  { base, startedAt }: Manifest,
): { rows: Rows; condition: string }[] {
  if (base === undefined) return [];
  const first = firstChangedDay(base);
  const valueOf = (column: string): string => `value ->> ${columns.indexOf(column)}`;
  const rows = { table, columns, lines };
  if (DAYS.has(table)) return [{ rows, condition: `${valueOf('day')} < ${first}` }];
  if (table === MONTHS) return [{ rows, condition: `${valueOf('month')} < ${monthOfDay(first)}` }];
  if (table !== TOTALS) return [];
  const latest = lines
    .map((line) => z.array(z.unknown()).parse(JSON.parse(line)))
    .map((values) => latestDay.parse(DAY_COLUMNS.map((one) => values[columns.indexOf(one)])))
    .filter(([, day]) => day > 0 && day < first);
  const [link, latestThen] = ['link_id', 'day'].map(
    (one) => `value ->> ${DAY_COLUMNS.indexOf(one)}`,
  );
  return [...Map.groupBy(latest, ([, day]) => daysTableOf(day, startedAt))].map(([name, days]) => ({
    rows: { table: name, columns: DAY_COLUMNS, lines: days.map((day) => JSON.stringify(day)) },
    condition: `${latestThen} < (SELECT day FROM ${TOTALS} WHERE link_id = ${link})`,
  }));
}
