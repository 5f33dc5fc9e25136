import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { inJsonChunks, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import type { ShardEnv } from '#worker/db/shards.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { addDay, noCounts, type ClickCounts } from '#worker/clicks/fold/counts.ts';
import { parseCounts, encodeCounts } from '#worker/clicks/fold/counts-codec.ts';
import { firstDayOfMonth, lastDayOfMonth, monthOfDay } from '#contract/reports/periods.ts';
import { oldestOpenDay } from '#worker/clicks/fold/merge-clicks.ts';
import type { DayRow } from '#worker/clicks/fold/read-stored.ts';
import { sweepShards, type LinkRange } from '#worker/job-runtime/sweep-links.ts';
import { DAYS_TABLES, isInEarlierPeriod } from '#worker/clicks/fold/tables.ts';

export const CLOSE_MONTHS = 'close-months';
/**
 * A link with at most this many days outside of months is skipped. A report reads them as quickly
 * as a month, and the month is written later, once.
 */
const OPEN_DAYS_MAX = 4;
/**
 * Attempts of one step to close links that are clicked while it runs. After these it fails, and the
 * next run tries again.
 */
const ATTEMPTS_MAX = 10;

/**
 * The content of a month's row. All days of the link up to the latest `through` are in a month, and
 * no later ones.
 */
export type Month = { through: number; counts: ClickCounts };
export type MonthRow = typeof link_months.$inferSelect;

/**
 * Adds the days of each link to their months after the 15th and the last day of a month, so that
 * reports read one row per month. The days keep their rows until their table expires, for reports
 * that begin inside a month.
 */
export async function closeMonths(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const end = lastClosableDay(now);
  const sweep = {
    name: CLOSE_MONTHS,
    over: 'link_totals',
    period: end,
    start: 0,
    schema: z.number(),
  } as const;
  const step = async (db: Db, range: LinkRange, soFar: number) => {
    let added = 0;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const done = await closeStep(db, range, end);
      added += done.added;
      if (!done.hasMore) return soFar + added;
    }
    throw new Error('links are clicked faster than their months can be closed');
  };
  return sweepShards(env, sweep, step, 'days_closed', budget);
}

/**
 * The latest 15th or last day of a month whose clicks have arrived. A fold that began before
 * midnight has a day to finish.
 */
export function lastClosableDay(now: number): number {
  const day = oldestOpenDay(now) - 2;
  const month = monthOfDay(day);
  const middle = firstDayOfMonth(month) + 14;
  return day === lastDayOfMonth(month) ? day : day >= middle ? middle : firstDayOfMonth(month) - 1;
}

/** The last day of a link that is part of a month, in SQL; 0 = none. */
export const closedThroughOf = (linkId: SQL): SQL<number> =>
  sql`coalesce((select through from ${link_months} where link_months.link_id = ${linkId} order by month desc limit 1), 0)`;

/**
 * Selects the days of the included links (`t.link_id`) that are not part of a month yet, except
 * each link's latest day. It reads no links if the table is empty.
 */
export const selectOpenDays = <Row>(columns: SQL, isIncluded: SQL): SQL<Row>[] =>
  DAYS_TABLES.map(
    (
      table,
    ) => sql<Row>`select ${columns} from (select 1 from ${sql.raw(table)} limit 1) cross join ${link_totals} t
      cross join ${sql.raw(table)} d on d.link_id = t.link_id and d.day > ${closedThroughOf(sql`t.link_id`)}
      where ${isIncluded}`,
  );

type OpenRow = DayRow & { rev: number; closed: number };

async function closeStep(
  db: Db,
  range: LinkRange,
  end: number,
): Promise<{ added: number; hasMore: boolean }> {
  const isInRange = sql`t.link_id > ${range.after} and t.link_id <= ${range.upTo}`;
  const { open, days } = await runNamedBatch(db, {
    open: sql<OpenRow>`select link_id, rev, day, counts, ${closedThroughOf(sql`t.link_id`)} as closed from ${link_totals} t
      where ${isInRange}`,
    days: selectOpenDays<DayRow>(sql`d.*`, isInRange),
  });
  const daysOf = Map.groupBy(days.rows, ({ link_id }) => link_id);
  const due = open.rows.flatMap(({ rev, closed, ...latest }) => {
    const openDays = (daysOf.get(latest.link_id) ?? []).filter(({ day }) => day <= end);
    const isDue =
      openDays.length > OPEN_DAYS_MAX || openDays.some(({ day }) => isInEarlierPeriod(day, end));
    // The latest day is in the link's row, which does not expire.
    const daysToAdd = latest.day <= end ? [...openDays, latest] : openDays;
    return isDue ? [{ link: latest.link_id, rev, closed, days: daysToAdd }] : [];
  });
  const pairs = due.flatMap(({ link, days: daysToAdd }) =>
    daysToAdd.map(({ day }) => ({ link, month: monthOfDay(day) })),
  );
  const stored = await readMonths(db, pairs);
  const rows = due.flatMap(({ link, rev, closed, days: daysToAdd }) => {
    const months = stored.get(link) ?? new Map<number, Month>();
    // Another run has closed these months since they were read.
    if ([...months.values()].some(({ through }) => through > closed)) return [];
    const changed = new Set<number>();
    for (const { day, counts } of daysToAdd) {
      const monthNumber = monthOfDay(day);
      const month = getOrCreate(months, monthNumber, noMonth);
      month.through = Math.min(end, lastDayOfMonth(monthNumber));
      addDay(month.counts, parseCounts(counts), day - firstDayOfMonth(monthNumber) + 1);
      changed.add(monthNumber);
    }
    return [...changed].map((monthNumber) => {
      const { through, counts } = months.get(monthNumber) ?? noMonth();
      return { link_id: link, month: monthNumber, through, counts: encodeCounts(counts), rev };
    });
  });
  const { written } = await runNamedBatch(db, {
    written: inJsonChunks(['link_id', 'month', 'through', 'counts', 'rev'], rows, upsertMonths),
  });
  return { added: pairs.length, hasMore: written.changes < rows.length };
}

async function readMonths(
  db: Db,
  pairs: readonly { link: number; month: number }[],
): Promise<Map<number, Map<number, Month>>> {
  const stored = new Map<number, Map<number, Month>>();
  if (pairs.length === 0) return stored;
  const rows =
    await db.all<MonthRow>(sql`select distinct m.* from ${jsonRows(['link', 'month'], pairs)} due
    cross join ${link_months} m on m.link_id = due.link and m.month = due.month`);
  for (const row of rows)
    getOrCreate(stored, row.link_id, () => new Map<number, Month>()).set(row.month, monthOf(row));
  return stored;
}

const noMonth = (): Month => ({ through: 0, counts: noCounts() });

export const monthOf = ({ through, counts }: MonthRow): Month => ({
  through,
  counts: parseCounts(counts),
});

/** Skips links that have changed since they were read. */
const upsertMonths = (rows: SQL): SQL => sql`
  insert into ${link_months} (link_id, month, through, counts)
  select link_id, month, through, counts from ${rows} closed
  where (select rev from ${link_totals} t where t.link_id = closed.link_id) = closed.rev
  on conflict do update set through = excluded.through, counts = excluded.counts`;
