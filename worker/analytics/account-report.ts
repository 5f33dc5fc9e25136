import { sql, type SQL } from 'drizzle-orm';
import type { Range } from '#contract/analytics.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { closedThroughOf } from '#worker/clicks/close-months.ts';
import { FIGURES, HOUR_SUFFIX, indexOfPart, type Sums } from '#worker/clicks/counts.ts';
import { dayNumber, monthOfDay, oldestDayKept, startOfMonth } from '#worker/clicks/periods.ts';
import { DAYS_TABLES } from '#worker/clicks/tables.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { click_counts, link_months } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import { openShard } from '#worker/db/shards.ts';
import { startOfRange } from './report.ts';

/** Links in the list of those with the most clicks. */
const TOP_LINKS = 10;
/** Links of another database that a statement names. As JSON their ids stay far below D1's limit of 2 MB per parameter. */
const LINKS_PER_PART = 50_000;

export type AccountReport = {
  links: number;
  totals: { clicks: number; visitors: number; bots: number; prefetches: number };
  /** In ms, ascending. Days older than 13 months are summed on the first of their month. */
  days: { at: number; clicks: number }[];
  top: { id: number; code: string; clicks: number }[];
};

/**
 * The clicks on all links of a member whose code starts with `codePrefix`, deleted ones left out. One batch, and one for each other
 * database that holds clicks of these links.
 */
export async function readAccountReport(
  db: Db,
  { userId, codePrefix, range, now }: { userId: string; codePrefix: string; range: Range; now: number },
): Promise<AccountReport> {
  const own = sql`select id, code from ${links} where user_id = ${userId} and status <> 'deleted'
    and substr(code, 1, ${codePrefix.length}) = ${codePrefix}`;
  const periods = selectPeriods(startOfRange(range, now), now);
  const { links: count, ...main } = await runNamedBatch(db, {
    links: sql<{ n: number }>`select count(*) as n from (${own})`,
    ...selectClicks(own, periods),
  });
  const parts = [main];
  const codes = new Map<number, string>();
  for (const [shard, some] of await readLinksElsewhere(db, own)) {
    for (const { id, code } of some) codes.set(id, code);
    for (let from = 0; from < some.length; from += LINKS_PER_PART) {
      const ids = JSON.stringify(some.slice(from, from + LINKS_PER_PART).map(({ id }) => id));
      const part = sql`select value as id, '' as code from json_each(${ids})`;
      parts.push(await runNamedBatch(openShard(db, shard), selectClicks(part, periods)));
    }
  }
  const days = parts.flatMap((part) => part.days.rows).sort((a, b) => a.day - b.day);
  const top = parts.flatMap((part) => part.top.rows).sort((a, b) => b.clicks - a.clicks || a.id - b.id);
  const sum = (name: keyof Sums): number => days.reduce((total, row) => total + row[name], 0);
  const oldestDay = oldestDayKept(now);
  const dates = new Map<number, number>();
  for (const { day, human } of days) {
    const at = day * DAY_MS < oldestDay ? startOfMonth(day * DAY_MS) : day * DAY_MS;
    if (human > 0) dates.set(at, (dates.get(at) ?? 0) + human);
  }
  return {
    links: count.rows[0]?.n ?? 0,
    totals: { clicks: sum('human'), visitors: sum('visitors'), bots: sum('bot'), prefetches: sum('prefetch') },
    days: [...dates].map(([at, clicks]) => ({ at, clicks })),
    top: top.slice(0, TOP_LINKS).map(({ id, code, clicks }) => ({ id, code: codes.get(id) ?? code, clicks })),
  };
}

/** The statements that sum the clicks of the links in `own` by day, and find those with the most, in one database. */
const selectClicks = (own: SQL, periods: SQL) => ({
  days: sql<
    Sums & { day: number }
  >`with own as (${own}) select day, ${sql.raw(FIGURES.map((f) => `sum(${f}) as ${f}`).join(', '))}
    from (${periods}) group by day order by day`,
  top: sql<AccountReport['top'][number]>`with own as (${own}) select id, code, sum(human) as clicks from (${periods})
    group by id having clicks > 0 order by clicks desc, id limit ${TOP_LINKS}`,
});

/** The links in `own` whose clicks are in other databases, by shard. */
async function readLinksElsewhere(db: Db, own: SQL): Promise<Map<number, { id: number; code: string }[]>> {
  if (db.$shards.others.size === 0) return new Map();
  const rows = await db.all<{ id: number; code: string; shard: number }>(
    sql`select own.id, own.code, l.shard from (${own}) own cross join ${links} l on l.id = own.id where l.shard <> 0`,
  );
  return Map.groupBy(rows, ({ shard }) => shard);
}

/**
 * The counts of the links in `own` since `from`, by day, days before the oldest that reports show as months. CROSS JOIN keeps
 * SQLite from scanning the counts: for each link it looks them up by their primary key.
 */
function selectPeriods(from: number, now: number): SQL {
  const [firstDay, firstFullDay] = [dayNumber(from), dayNumber(Math.max(from, oldestDayKept(now)))];
  const isDay = sql`c.day >= ${firstDay} and (c.day >= ${firstFullDay} or c.day > ${closedThroughOf(sql`own.id`)})`;
  const sums = sql.raw(FIGURES.map((figure, i) => `c.counts ->> ${i}${before(figure, from)} as ${figure}`).join(', '));
  const days = ['link_totals', ...DAYS_TABLES].map(
    (table) =>
      sql`select own.id, own.code, c.day, ${sums} from own cross join ${sql.raw(table)} c on c.link_id = own.id and ${isDay}`,
  );
  const monthStart = sql.raw(`unixepoch(printf('%d-%02d-01', 1970 + c.month / 12, c.month % 12 + 1)) / 86400`);
  const ofMonths = sql.raw(FIGURES.map((figure, i) => `c.counts ->> ${i} as ${figure}`).join(', '));
  const months = sql`select own.id, own.code, ${monthStart} as day, ${ofMonths} from own cross join ${link_months} c
    on c.link_id = own.id and c.month > ${monthOfDay(firstDay - 1)} and c.month < ${monthOfDay(firstFullDay)}`;
  const old = sql`select own.id, own.code, c.at / 86400000 as day, ${sql.raw(FIGURES.map((figure) => `c.${figure}`).join(', '))}
    from own cross join ${click_counts} c on c.link_id = own.id and c.grain in ('h', 'd', 'm') and c.at >= ${from}`;
  // In two parts, because D1 allows five terms in a compound.
  const unionAll = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `);
  return sql`select * from (${unionAll(days)}) union all ${unionAll([months, old])}`;
}

/** Continues a figure of `c` in SQL: takes off what its first day counted before the hour of `from`. */
function before(figure: keyof Sums, from: number): string {
  const hour = Math.floor((from % DAY_MS) / HOUR_MS);
  if (hour === 0) return '';
  const part = `$[${indexOfPart(figure === 'visitors' ? 'seen' : 'times')}]`;
  const suffix = figure === 'visitors' ? '' : HOUR_SUFFIX[figure];
  // Values and their counts alternate.
  return ` - iif(c.day = ${dayNumber(from)}, (select coalesce(sum(c.counts ->> ('${part}[' || (hours.key + 1) || ']')), 0)
    from json_each(c.counts, '${part}') as hours
    where hours.key % 2 = 0 and cast(hours.value as integer) < ${hour} and ltrim(hours.value, '0123456789') = '${suffix}'), 0)`;
}
