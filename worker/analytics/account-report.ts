import { sql } from 'drizzle-orm';
import type { Range } from '#contract/analytics.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { click_counts } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import { startOfRange } from './report.ts';

/** Links in the list of those with the most clicks. */
const TOP_LINKS = 10;

export type AccountReport = {
  links: number;
  totals: { clicks: number; visitors: number; bots: number; prefetches: number };
  /** In ms, ascending. Days older than 13 months are summed on the first of their month. */
  days: { at: number; clicks: number }[];
  top: { id: number; code: string; clicks: number }[];
};

/** The clicks on all links of a member whose code starts with `codePrefix`, deleted ones left out. One batch. */
export async function readAccountReport(
  db: Db,
  { userId, codePrefix, range, now }: { userId: string; codePrefix: string; range: Range; now: number },
): Promise<AccountReport> {
  const from = startOfRange(range, now);
  const own = sql`select id, code from ${links} where user_id = ${userId} and status <> 'deleted'
    and substr(code, 1, ${codePrefix.length}) = ${codePrefix}`;
  // CROSS JOIN keeps SQLite from scanning the counts: for each link it looks them up by their primary key.
  const counts = sql`(${own}) as own cross join ${click_counts} as c
    on c.link_id = own.id and c.grain in ('h', 'd', 'm') and c.at >= ${from}`;
  const {
    links: count,
    days,
    top,
  } = await runNamedBatch(db, {
    links: sql<{ n: number }>`select count(*) as n from (${own})`,
    days: sql<{ at: number; human: number; bot: number; prefetch: number; visitors: number }>`
      select c.at - c.at % 86400000 as at, sum(c.human) as human, sum(c.bot) as bot, sum(c.prefetch) as prefetch,
        sum(c.visitors) as visitors from ${counts} group by 1 order by 1`,
    top: sql<AccountReport['top'][number]>`select own.id, own.code, sum(c.human) as clicks from ${counts}
      group by own.id having clicks > 0 order by clicks desc, own.id limit ${TOP_LINKS}`,
  });
  const sum = (name: 'human' | 'bot' | 'prefetch' | 'visitors'): number => days.rows.reduce((total, row) => total + row[name], 0);
  return {
    links: count.rows[0]?.n ?? 0,
    totals: { clicks: sum('human'), visitors: sum('visitors'), bots: sum('bot'), prefetches: sum('prefetch') },
    days: days.rows.flatMap(({ at, human }) => (human > 0 ? [{ at, clicks: human }] : [])),
    top: top.rows,
  };
}
