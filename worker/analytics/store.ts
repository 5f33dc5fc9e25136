import { and, eq, sql } from 'drizzle-orm';
import { selectMonthlyDims, type Dim } from '#worker/clicks/dimensions.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { click_counts, click_dims, link_totals } from '#worker/db/schema-clicks.ts';
import { links, subscriptions } from '#worker/db/schema.ts';

/** The most values that a report lists of a dimension whose number of values has no natural bound. */
export const VALUES_MAX = 100;

export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** A link on the deployment's own host with its totals and its owner's subscription. Reads three rows. */
export function findLink(db: Db, code: string) {
  return db
    .select({ link: links, totals: link_totals, subscription: subscriptions })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .leftJoin(subscriptions, eq(subscriptions.user_id, links.user_id))
    .where(and(eq(links.host, ''), eq(links.code, code)))
    .get();
}

export type Totals = { human: number; bot: number; prefetch: number; visitors: number; recent: string };
export type PeriodRow = {
  grain: 'h' | 'd' | 'm';
  at: number;
  human: number;
  bot: number;
  prefetch: number;
  visitors: number;
  active_days: number;
};
/** 'place', 'agent' and 'ref' rows hold one value each. 'country' rows are sums over places; the one 'refs' row sums all referrers. */
export type DimRow = { kind: 'country' | 'place' | 'agent' | 'ref' | 'refs'; val: string; n: number };
export type LinkCounts = { totals: Totals; periods: PeriodRow[]; dims: DimRow[]; rowsRead: number };

const NO_TOTALS: Totals = { human: 0, bot: 0, prefetch: 0, visitors: 0, recent: '[]' };

/**
 * A link's counts since `from`, and its totals at the same moment: one batch of three statements, however many clicks there
 * were. Periods are read since `periodsFrom`. Dimensions of days before `oldestDay` are read as months. Times in ms.
 */
export async function readLinkCounts(
  db: Db,
  linkId: number,
  { from, periodsFrom, oldestDay }: { from: number; periodsFrom: number; oldestDay: number },
): Promise<LinkCounts> {
  const { totals, periods, dims } = await runNamedBatch(db, {
    totals: sql<Totals>`select human, bot, prefetch, visitors, recent from ${link_totals} where link_id = ${linkId}`,
    periods: sql<PeriodRow>`select grain, at, human, bot, prefetch, visitors, active_days from ${click_counts}
      where link_id = ${linkId} and grain in ('h', 'd', 'm') and at >= ${periodsFrom}`,
    dims: sql<DimRow>`with v as materialized (
        select dim, val, sum(n) as n from (
          select dim, val, n from ${click_dims}
          where link_id = ${linkId} and grain in ('d', 'm') and at >= ${Math.max(from, oldestDay)}
          union all
          select dim, val, n from (${selectMonthlyDims(
            sql`link_id = ${linkId} and grain in ('d', 'm') and at >= ${from} and at < ${oldestDay}`,
          )}))
        group by dim, val)
      select 'country' as kind, substr(val, 1, instr(val, '|') - 1) as val, sum(n) as n from v where dim = 'place' group by 2
      union all select * from (select dim, val, n from v where dim = 'place' order by n desc, val limit ${VALUES_MAX})
      union all select dim, val, n from v where dim = 'agent'
      union all select * from (select dim, val, n from v where dim = 'ref' order by n desc, val limit ${VALUES_MAX})
      union all select 'refs', '', coalesce(sum(n), 0) from v where dim = 'ref'`,
  });
  return {
    totals: totals.rows[0] ?? NO_TOTALS,
    periods: periods.rows,
    dims: dims.rows,
    rowsRead: totals.rowsRead + periods.rowsRead + dims.rowsRead,
  };
}

export type DatedDimRow = { at: number; val: string; n: number };

/**
 * The counts of one dimension since `from`, by period and value; days before `oldestDay` as months. Reads as many rows as
 * `readLinkCounts` does for the dimensions of the same time.
 */
export async function readDimension(
  db: Db,
  linkId: number,
  { from, oldestDay, dim }: { from: number; oldestDay: number; dim: Dim },
): Promise<{ rows: DatedDimRow[]; rowsRead: number }> {
  const { rows } = await runNamedBatch(db, {
    rows: sql<DatedDimRow>`select at, val, n from (
        select at, dim, val, n from ${click_dims}
        where link_id = ${linkId} and grain in ('d', 'm') and at >= ${Math.max(from, oldestDay)}
        union all
        select month, dim, val, n from (${selectMonthlyDims(
          sql`link_id = ${linkId} and grain in ('d', 'm') and at >= ${from} and at < ${oldestDay}`,
        )}))
      where dim = ${dim}`,
  });
  return rows;
}
