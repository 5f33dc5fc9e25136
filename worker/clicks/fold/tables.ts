import { DAY_DETAILS_PERIOD_MONTHS, KEEP_WINDOW_IDS_DAYS } from '#contract/limits.ts';
import { dailyKeyExpiry } from '#worker/redirect/daily-key.ts';
import { dayNumber, firstDayOfMonth, monthOfDay } from '#contract/reports/periods.ts';

/**
 * The table with the ids of the windows that were counted on a UTC day. Each day has its own table,
 * created by the first fold that needs it, because dropping an expired table writes no rows and
 * deleting its rows would write each of them.
 */
export const windowsTable = (day: number): string => `click_windows_${day}`;

export const createWindows = (day: number): string =>
  `CREATE TABLE IF NOT EXISTS ${windowsTable(day)} (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID`;

export const createDays = (table: string): string =>
  `CREATE TABLE ${table} (link_id INTEGER NOT NULL, day INTEGER NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (link_id, day)) WITHOUT ROWID`;

/**
 * Whether the ids of a day's windows are still stored. A queue keeps a message for days, not weeks.
 */
export const keepsWindows = (day: number, now: number): boolean =>
  day >= dayNumber(now) - KEEP_WINDOW_IDS_DAYS;

/** Whether a visitor of a day can still be recognized: until the day's key is destroyed. */
export const keepsVisitors = (day: number, now: number): boolean => now < dailyKeyExpiry(day);

/** Whether a table holds window ids of a day that have expired. */
export function isExpiredTable(name: string, now: number): boolean {
  const [, day] = /^click_windows_(\d+)$/.exec(name) ?? [];
  return day !== undefined && !keepsWindows(Number(day), now);
}

/**
 * The days of links are stored in four tables, by periods of DAY_DETAILS_PERIOD_MONTHS. One table
 * is being filled, two hold the periods before, and the fourth is emptied for the next period.
 */
export const DAYS_TABLES = ['link_days_0', 'link_days_1', 'link_days_2', 'link_days_3'] as const;
const PERIODS_BEFORE = DAYS_TABLES.length - 2;
const periodOf = (day: number): number => Math.floor(monthOfDay(day) / DAY_DETAILS_PERIOD_MONTHS);
const tableOf = (period: number): (typeof DAYS_TABLES)[number] =>
  DAYS_TABLES[period % DAYS_TABLES.length] ?? 'link_days_0';

/** Whether the table of `day` is emptied before the table of `other`. */
export const isInEarlierPeriod = (day: number, other: number): boolean =>
  periodOf(day) < periodOf(other);

/**
 * The table of a link's day. A day of an expired period, such as the latest day of a link that was
 * idle for years, goes into the oldest period that is kept.
 */
export const daysTableOf = (day: number, now: number): string =>
  tableOf(Math.max(periodOf(day), periodOf(dayNumber(now)) - PERIODS_BEFORE));

/** The first day whose hours are still stored for every link with clicks on it. */
export const oldestDayWithHours = (now: number): number =>
  firstDayOfMonth((periodOf(dayNumber(now)) - PERIODS_BEFORE) * DAY_DETAILS_PERIOD_MONTHS);

/**
 * Returns the table that the next period will fill, and the last day on which a fold added rows to
 * it. Returns null in the second half of a period, because a clock that is ahead may then have
 * written days of the next period already.
 */
export function findExpiredDays(now: number): { table: string; lastWritten: number } | null {
  const period = periodOf(dayNumber(now));
  const lastWritten = firstDayOfMonth(period * DAY_DETAILS_PERIOD_MONTHS) - 1;
  const isEarly =
    monthOfDay(dayNumber(now)) % DAY_DETAILS_PERIOD_MONTHS < DAY_DETAILS_PERIOD_MONTHS / 2;
  return isEarly ? { table: tableOf(period + 1), lastWritten } : null;
}
