import { sql, type SQL } from 'drizzle-orm';
import { periodOf, type Range } from '#contract/reports/ranges.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { closedThroughOf } from '#worker/clicks/maintenance/close-months.ts';
import { addSums, HOUR_SUFFIX, noSums, type Sums } from '#worker/clicks/fold/counts.ts';
import { figureColumns, indexOfPart, storedFigure } from '#worker/clicks/fold/counts-codec.ts';
import { dayNumber, monthOfDay, oldestDayKept, startOfMonth } from '#contract/reports/periods.ts';
import { DAYS_TABLES } from '#worker/clicks/fold/tables.ts';
import { jsonList, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { TOP_LINKS } from './account-days.ts';

export type AccountReport = {
  links: number;
  totals: { clicks: number; visitors: number; bots: number; prefetches: number };
  /** In ms, ascending. Days older than 13 months are summed on the first of their month. */
  days: { at: number; clicks: number }[];
  top: { id: number; code: string; clicks: number }[];
  /** The time in ms up to which clicks are counted. Null if they have not been counted yet. */
  countedAt: number | null;
};

/**
 * The most links of another database in one statement. As JSON they stay far below D1's limit of 2
 * MB per parameter.
 */
const LINKS_PER_PART = 20_000;

/**
 * The clicks on a member's links whose code starts with `codePrefix`, for an API key that is
 * limited to them; deleted links are left out. Accounts are only rolled up as a whole, so this
 * reads the counts of each link.
 */
export async function readPrefixReport(
  db: Db,
  {
    userId,
    codePrefix,
    range,
    now,
  }: { userId: string; codePrefix: string; range: Range; now: number },
): Promise<AccountReport> {
  const own = sql`select id, code, shard from ${links} where user_id = ${userId} and status <> 'deleted'
    and substr(code, 1, ${codePrefix.length}) = ${codePrefix}`;
  const [{ n } = { n: 0 }] = await db.all<{ n: number }>(sql`select count(*) as n from (${own})`);
  const parts = await sumClicks(db, own, periodOf({ range }, now).from, now);
  const rows = parts.flatMap((part) => part.days.rows).sort((a, b) => a.day - b.day);
  return { links: n, ...sumDays(rows, now), top: topOf(parts), countedAt: now };
}

/** The totals and the dates of a report from the sums of its days, which are in ascending order. */
export function sumDays(
  rows: readonly (Sums & { day: number })[],
  now: number,
): Pick<AccountReport, 'totals' | 'days'> {
  const sums = noSums();
  const oldestDay = oldestDayKept(now);
  const dates = new Map<number, number>();
  for (const row of rows) {
    addSums(sums, row);
    const at = row.day * DAY_MS < oldestDay ? startOfMonth(row.day * DAY_MS) : row.day * DAY_MS;
    if (row.human > 0) dates.set(at, (dates.get(at) ?? 0) + row.human);
  }
  const { human: clicks, visitors, bot: bots, prefetch: prefetches } = sums;
  return {
    totals: { clicks, visitors, bots, prefetches },
    days: [...dates].map(([at, n]) => ({ at, clicks: n })),
  };
}

/** The most clicked links in a range, among those in `ids` that are not deleted. */
export async function rankLinksIn(
  db: Db,
  ids: readonly number[],
  range: Range,
  now: number,
): Promise<AccountReport['top']> {
  const own = sql`select l.id, l.code, l.shard from ${jsonList(ids)} j cross join ${links} l on l.id = j.value
    where l.status <> 'deleted'`;
  return topOf(await sumClicks(db, own, periodOf({ range }, now).from, now));
}

type Part = { days: { rows: (Sums & { day: number })[] }; top: { rows: AccountReport['top'] } };

const topOf = (parts: readonly Part[]): AccountReport['top'] =>
  parts
    .flatMap(({ top }) => top.rows)
    .sort((a, b) => b.clicks - a.clicks || a.id - b.id)
    .slice(0, TOP_LINKS);

/**
 * The clicks of the links in `own` by day, and the most clicked links. Takes one batch, and one
 * more for each other database with some of the links.
 */
async function sumClicks(db: Db, own: SQL, from: number, now: number): Promise<Part[]> {
  const periods = selectPeriods(from, now);
  const parts: Part[] = [
    await runNamedBatch(
      db,
      selectClicks(sql`select id, code from (${own}) where shard = 0`, periods),
    ),
  ];
  if (db.$shards.others.size === 0) return parts;
  const elsewhere = await db.all<{ id: number; code: string; shard: number }>(
    sql`select id, code, shard from (${own}) where shard <> 0`,
  );
  for (const [shard, some] of Map.groupBy(elsewhere, (link) => link.shard))
    for (let start = 0; start < some.length; start += LINKS_PER_PART) {
      const part = sql`select * from ${jsonRows(['id', 'code'], some.slice(start, start + LINKS_PER_PART))}`;
      parts.push(await runNamedBatch(openShard(db, shard), selectClicks(part, periods)));
    }
  return parts;
}

const selectClicks = (own: SQL, periods: SQL) => ({
  days: sql<
    Sums & { day: number }
  >`with own as (${own}) select day, ${figureColumns((figure) => `sum(${figure})`)}
    from (${periods}) group by day order by day`,
  top: sql<
    AccountReport['top'][number]
  >`with own as (${own}) select id, code, sum(human) as clicks from (${periods})
    group by id having clicks > 0 order by clicks desc, id limit ${TOP_LINKS}`,
});

/**
 * Selects the counts of the links in `own` since `from`: by month before the oldest day that
 * reports keep, and by day from then on. CROSS JOIN keeps SQLite from scanning the counts: it looks
 * up each link by primary key.
 */
function selectPeriods(from: number, now: number): SQL {
  const [firstDay, firstFullDay] = [dayNumber(from), dayNumber(Math.max(from, oldestDayKept(now)))];
  const isDay = sql`c.day >= ${firstDay} and (c.day >= ${firstFullDay} or c.day > ${closedThroughOf(sql`own.id`)})`;
  const sums = figureColumns(
    (figure) => `${storedFigure(figure, 'c.counts')}${minusEarlierHours(figure, from)}`,
  );
  const days = ['link_totals', ...DAYS_TABLES].map(
    (table) =>
      sql`select own.id, own.code, c.day, ${sums} from own cross join ${sql.raw(table)} c on c.link_id = own.id and ${isDay}`,
  );
  const monthStart = sql.raw(
    `unixepoch(printf('%d-%02d-01', 1970 + c.month / 12, c.month % 12 + 1)) / 86400`,
  );
  const ofMonths = figureColumns((figure) => storedFigure(figure, 'c.counts'));
  const months = sql`select own.id, own.code, ${monthStart} as day, ${ofMonths} from own cross join ${link_months} c
    on c.link_id = own.id and c.month > ${monthOfDay(firstDay - 1)} and c.month < ${monthOfDay(firstFullDay)}`;
  // In two parts, because D1 allows five terms in a compound SELECT.
  return sql`select * from (${sql.join(days, sql` union all `)}) union all ${months}`;
}

/**
 * Continues a figure of `c` in SQL by subtracting the counts of its first day before the hour of
 * `from`.
 */
function minusEarlierHours(figure: keyof Sums, from: number): string {
  const hour = Math.floor((from % DAY_MS) / HOUR_MS);
  if (hour === 0) return '';
  const [times, seen] = [`'$[${indexOfPart('times')}]'`, `'$[${indexOfPart('seen')}]'`];
  // A day stores no visitors if every human click came from a different one.
  const part =
    figure === 'visitors'
      ? `iif(json_type(c.counts, ${seen}) = 'array', ${seen}, ${times})`
      : times;
  const suffix = figure === 'visitors' ? '' : HOUR_SUFFIX[figure];
  // Values and their counts alternate.
  return ` - iif(c.day = ${dayNumber(from)}, (select coalesce(sum(c.counts ->> (${part} || '[' || (hours.key + 1) || ']')), 0)
    from json_each(c.counts, ${part}) as hours
    where hours.key % 2 = 0 and cast(hours.value as integer) < ${hour} and ltrim(hours.value, '0123456789') = '${suffix}'), 0)`;
}
