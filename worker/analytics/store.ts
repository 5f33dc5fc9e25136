import { and, eq } from 'drizzle-orm';
import { monthlyDimsSql } from '#worker/clicks/dimensions.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';

/** The most values that a report lists of a dimension without a natural end. */
export const LIST_MAX = 100;

export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** A link of the deployment's own host with its totals: two rows read. */
export function findLink(db: Db, code: string) {
  return db
    .select({ link: links, totals: link_totals })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
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
/** kind 'country' and 'refs' are sums over all values, the others list values. */
export type DimRow = { kind: 'country' | 'place' | 'agent' | 'ref' | 'refs'; val: string; n: number };
export type Rollups = { totals: Totals; periods: PeriodRow[]; dims: DimRow[]; rowsRead: number };

const TOTALS = 'SELECT human, bot, prefetch, visitors, recent FROM link_totals WHERE link_id = ?1';
const PERIODS = `SELECT grain, at, human, bot, prefetch, visitors, active_days FROM click_counts
WHERE link_id = ?1 AND grain IN ('h', 'd', 'm') AND at >= ?2`;

/** ?3: days before it are read as months. */
const DIMS = `WITH v AS MATERIALIZED (
  SELECT dim, val, sum(n) AS n FROM (
    SELECT dim, val, n FROM click_dims WHERE link_id = ?1 AND grain IN ('d', 'm') AND at >= max(?2, ?3)
    UNION ALL
    SELECT dim, val, n FROM (${monthlyDimsSql(`link_id = ?1 AND grain IN ('d', 'm') AND at >= ?2 AND at < ?3`)}))
  GROUP BY dim, val)
SELECT 'country' AS kind, substr(val, 1, instr(val, '|') - 1) AS val, sum(n) AS n FROM v WHERE dim = 'place' GROUP BY 2
UNION ALL SELECT * FROM (SELECT dim, val, n FROM v WHERE dim = 'place' ORDER BY n DESC, val LIMIT ${LIST_MAX})
UNION ALL SELECT dim, val, n FROM v WHERE dim = 'agent'
UNION ALL SELECT * FROM (SELECT dim, val, n FROM v WHERE dim = 'ref' ORDER BY n DESC, val LIMIT ${LIST_MAX})
UNION ALL SELECT 'refs', '', coalesce(sum(n), 0) FROM v WHERE dim = 'ref'`;

/**
 * A link's roll-ups from `from` (ms) on, and its totals at the same moment: three statements, whatever was clicked.
 * `oldestDayKept`: where days become months.
 */
export async function readRollups(db: Db, linkId: number, from: number, oldestDayKept: number): Promise<Rollups> {
  const d1 = db.$client;
  const [totals, periods, dims] = await d1.batch<Totals & PeriodRow & DimRow>([
    d1.prepare(TOTALS).bind(linkId),
    d1.prepare(PERIODS).bind(linkId, from),
    d1.prepare(DIMS).bind(linkId, from, oldestDayKept),
  ]);
  return {
    totals: totals?.results[0] ?? { human: 0, bot: 0, prefetch: 0, visitors: 0, recent: '[]' },
    periods: periods?.results ?? [],
    dims: dims?.results ?? [],
    rowsRead: [totals, periods, dims].reduce((sum, result) => sum + (result?.meta.rows_read ?? 0), 0),
  };
}
