import { sql, type SQL } from 'drizzle-orm';
import { SOURCE_LABELS } from '#contract/reports/sources.ts';
import type { Dimension } from '#contract/v1/v1-analytics.ts';
import { CLICK_FILTERS, KIND_OF } from '#contract/v1/v1-clicks.ts';
import { indexOfPart, storedFigure } from '#worker/clicks/fold/counts-codec.ts';
import { DAYS_TABLES } from '#worker/clicks/fold/tables.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import type { ClickedLinks, DayClicks } from './clicked-links.ts';

export type ValueClicks = { value: string; clicks: number };

export type ValueFilters = Partial<Record<(typeof CLICK_FILTERS)[number], string>>;

/** The most values of a dimension that are listed. */
const LISTED_MAX = 10_000;

/** The parts of a stored value in SQL. It joins three names, except that of a referrer. */
const REST = `substr(v.value, instr(v.value, '|') + 1)`;
const FIRST = `substr(v.value, 1, instr(v.value, '|') - 1)`;
const MIDDLE = `substr(${REST}, 1, instr(${REST}, '|') - 1)`;
const LAST = `substr(${REST}, instr(${REST}, '|') + 1)`;

/** The name that a report shows for '', in SQL. */
const orElse = (part: string, name: string): string => `coalesce(nullif(${part}, ''), '${name}')`;

/** `sourceOf` in SQL: the host without the label that it has for other devices. */
const SOURCE = `iif(${SOURCE_LABELS.map((label) => `v.value glob '${label}.[^.]*.*'`).join(' or ')},
  substr(v.value, instr(v.value, '.') + 1), v.value)`;

/** The name of a value that reports show, in SQL; of a city its stored value. */
const NAME_SQL: Readonly<Record<Dimension, string>> = {
  country: orElse(FIRST, 'Unknown'),
  city: 'v.value',
  device: orElse(FIRST, 'Other'),
  browser: orElse(MIDDLE, 'Other'),
  os: orElse(LAST, 'Other'),
  referrer: orElse(SOURCE, 'Direct'),
  utmSource: FIRST,
  utmMedium: MIDDLE,
  utmCampaign: LAST,
};
const nameOf = (dimension: Dimension): SQL => sql.raw(NAME_SQL[dimension]);

export async function readClicksByDay(db: Db, found: ClickedLinks): Promise<DayClicks[]> {
  const parts = await readShards<DayClicks>(
    db,
    found,
    (days) => sql`select link_id as link, day, ${sql.raw(storedFigure('human'))} as clicks,
      ${sql.raw(storedFigure('visitors'))} as visitors from (${days}) where clicks > 0`,
  );
  return parts.flat();
}

/** Reads the clicks by link and day that all filters accept. There must be one. */
export async function readFilteredClicks(
  db: Db,
  found: ClickedLinks,
  filters: ValueFilters,
): Promise<DayClicks[]> {
  const [filter = 'country'] = namesOf(filters);
  const parts = await readShards<DayClicks>(
    db,
    found,
    (days) => sql`select link_id as link, day, ${sumOfValues(filter)} as clicks, null as visitors
      from (${days}) ${joinValues(filter, filters)} group by link_id, day`,
  );
  return parts.flat();
}

/** Reads the clicks by value of a dimension, and their sum. No UTM value is no value. */
export async function readClicksByValue(
  db: Db,
  found: ClickedLinks,
  dimension: Dimension,
  filters: ValueFilters,
): Promise<{ total: number; values: ValueClicks[] }> {
  const parts = await readShards<ValueClicks & { total: number }>(
    db,
    found,
    (days) => sql`select value, clicks, sum(clicks) over () as total from (
      select ${nameOf(dimension)} as value, ${sumOfValues(dimension)} as clicks
      from (${days}) ${joinValues(dimension, filters)} and ${nameOf(dimension)} <> '' group by 1)
      order by clicks desc limit ${LISTED_MAX}`,
  );
  const sums = new Map<string, number>();
  for (const { value, clicks } of parts.flat()) sums.set(value, (sums.get(value) ?? 0) + clicks);
  return {
    total: parts.reduce((sum, [first]) => sum + (first?.total ?? 0), 0),
    values: [...sums].map(([value, clicks]) => ({ value, clicks })),
  };
}

/** Reads the stored counts by link and day. */
export async function readStoredDays(
  db: Db,
  found: ClickedLinks,
): Promise<{ link: number; day: number; counts: string }[]> {
  const parts = await readShards<{ link: number; day: number; counts: string }>(
    db,
    found,
    (days) => sql`select link_id as link, day, counts from (${days})`,
  );
  return parts.flat();
}

/** Runs a statement about the days of the links in each database that has some of them. */
function readShards<Row>(
  db: Db,
  { ids, days: { first, last } }: ClickedLinks,
  select: (days: SQL) => SQL,
): Promise<Row[][]> {
  // CROSS JOIN keeps SQLite from scanning the counts: it looks up each link by primary key. D1
  // allows five terms in a compound SELECT.
  const days = ['link_totals', ...DAYS_TABLES].map(
    (table) => sql`select c.link_id, c.day, c.counts from own cross join ${sql.raw(table)} c
      on c.link_id = own.id and c.day >= ${first} and c.day <= ${last}`,
  );
  const all = sql.join(days, sql` union all `);
  return Promise.all(
    [...ids].map(([shard, some]) =>
      openShard(db, shard).all<Row>(
        sql`with own as materialized (select value as id from json_each(${JSON.stringify(some)})) ${select(all)}`,
      ),
    ),
  );
}

export const namesOf = (filters: ValueFilters) =>
  CLICK_FILTERS.filter((name) => filters[name] !== undefined);

const pathOf = (dimension: Dimension): string => `$[${indexOfPart(KIND_OF[dimension])}]`;

/** Joins the values of one kind, in which values and their counts alternate. */
function joinValues(dimension: Dimension, filters: ValueFilters): SQL {
  const conditions = namesOf(filters).map(
    (name) => sql` and lower(${nameOf(name)}) = lower(${filters[name]})`,
  );
  return sql`cross join json_each(counts, ${pathOf(dimension)}) v where v.key % 2 = 0${sql.join(conditions)}`;
}

const sumOfValues = (dimension: Dimension): SQL =>
  sql`sum(counts ->> (${`${pathOf(dimension)}[`} || (v.key + 1) || ']'))`;
