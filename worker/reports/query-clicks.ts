import type { Dimension } from '#contract/v1/v1-analytics.ts';
import { KIND_OF, type ClickGroup } from '#contract/v1/v1-clicks.ts';
import { dayNumber, oldestDayKept, startOfMonth, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { readTagNames } from '#worker/tags/tags.ts';
import {
  findClickedLinks,
  limitToValues,
  type DayClicks,
  type Days,
  type LinkChoice,
} from './clicked-links.ts';
import {
  namesOf,
  readClicksByDay,
  readClicksByValue,
  readFilteredClicks,
  type ValueClicks,
  type ValueFilters,
} from './click-rows.ts';
import { cityName, parsePlace } from './panels.ts';

/** `visitors` is null where clicks are counted by value. */
type Figures = { clicks: number; visitors: number | null };
/** The clicks of one period of a series, which starts at `at` (ms). */
type Point = Figures & { at: number };
/** `key` is the id of a link, the name of a tag, a date, a month or a value. */
export type Entry = Figures & { key: string; series: Point[] | null };

export type ClicksResult =
  | ({ ok: true } & CountedClicks)
  /** None of the days are kept, or the links that may have clicks on them are too many. */
  | { ok: false; reason: 'period_not_kept' | 'too_many_clicked_links' };

type CountedClicks = {
  days: Days;
  shortenedBy: 'retention' | 'size' | null;
  totals: Figures;
  entries: Entry[];
};

type Request = LinkChoice & {
  groupBy: ClickGroup;
  interval: 'day' | 'month' | null;
  wanted: Days;
  filters: ValueFilters;
  now: number;
};

/**
 * Counts the clicks on a member's links on whole days, grouped and filtered. Every count is exact:
 * where the days are too many for one request, it counts fewer and says so.
 */
export async function queryClicks(db: Db, request: Request): Promise<ClicksResult> {
  const { groupBy, interval, wanted, filters, now } = request;
  const kept: Days = {
    first: Math.max(wanted.first, dayNumber(oldestDayKept(now))),
    last: wanted.last,
  };
  if (kept.first > kept.last) return { ok: false, reason: 'period_not_kept' };
  const clicked = await findClickedLinks(db, request, kept);
  if (clicked.days.first > kept.last) return { ok: false, reason: 'too_many_clicked_links' };
  const all = await readClicksByDay(db, clicked);
  const dimension = isDimension(groupBy) ? groupBy : namesOf(filters)[0];
  const found = dimension === undefined ? clicked : limitToValues(clicked, all, KIND_OF[dimension]);
  const shortenedBy =
    found.days.first > kept.first ? 'size' : kept.first > wanted.first ? 'retention' : null;
  const frame = { ok: true, days: found.days, shortenedBy } as const;
  if (isDimension(groupBy)) {
    const { total, values } = await readClicksByValue(db, found, groupBy, filters);
    const entries = values.map((row) => toEntry(row, groupBy)).sort(byClicks);
    return { ...frame, totals: { clicks: total, visitors: null }, entries };
  }
  const hasVisitors = dimension === undefined;
  const rows = hasVisitors ? all : await readFilteredClicks(db, found, filters);
  const keysOf = await readKeys(db, groupBy, rows);
  const groups = new Map<string, DayClicks[]>();
  for (const row of rows)
    for (const key of keysOf(row)) getOrCreate(groups, key, () => []).push(row);
  if (groupBy === 'link')
    for (const id of request.ids ?? []) getOrCreate(groups, String(id), () => []);
  const entries = [...groups].map(([key, some]): Entry => {
    const series = interval === null ? null : seriesOf(some, interval, hasVisitors);
    return Object.assign(addUp(some, hasVisitors), { key, series });
  });
  const isByTime = groupBy === 'day' || groupBy === 'month';
  entries.sort(isByTime ? byKey : byClicks);
  return { ...frame, totals: addUp(rows, hasVisitors), entries };
}

const isDimension = (groupBy: ClickGroup): groupBy is Dimension => Object.hasOwn(KIND_OF, groupBy);

const byKey = (a: Entry, b: Entry): number => (a.key < b.key ? -1 : 1);
const byClicks = (a: Entry, b: Entry): number => b.clicks - a.clicks || byKey(a, b);

function addUp(rows: readonly DayClicks[], hasVisitors: boolean): Figures {
  const sumOf = (figure: (row: DayClicks) => number): number =>
    rows.reduce((sum, row) => sum + figure(row), 0);
  return {
    clicks: sumOf(({ clicks }) => clicks),
    visitors: hasVisitors ? sumOf(({ visitors }) => visitors ?? 0) : null,
  };
}

/** The days or months with clicks, in their order. */
function seriesOf(
  rows: readonly DayClicks[],
  interval: 'day' | 'month',
  hasVisitors: boolean,
): Point[] {
  const startOf = ({ day }: DayClicks): number =>
    interval === 'day' ? day * DAY_MS : startOfMonth(day * DAY_MS);
  return [...Map.groupBy(rows, startOf)]
    .map(([at, some]): Point => Object.assign(addUp(some, hasVisitors), { at }))
    .sort((a, b) => a.at - b.at);
}

/** Returns a function for the groups that a row belongs to. */
async function readKeys(
  db: Db,
  groupBy: Exclude<ClickGroup, Dimension>,
  rows: readonly DayClicks[],
): Promise<(row: DayClicks) => readonly string[]> {
  if (groupBy === 'link') return ({ link }) => [String(link)];
  if (groupBy === 'day') return ({ day }) => [utcDate(day * DAY_MS)];
  if (groupBy === 'month') return ({ day }) => [utcDate(day * DAY_MS).slice(0, 7)];
  const names = await readTagNames(db, [...new Set(rows.map(({ link }) => link))]);
  return ({ link }) => names.get(link) ?? [];
}

const toEntry = ({ value, clicks }: ValueClicks, dimension: Dimension): Entry => ({
  key: dimension === 'city' ? cityName(parsePlace(value)) : value,
  clicks,
  visitors: null,
  series: null,
});
