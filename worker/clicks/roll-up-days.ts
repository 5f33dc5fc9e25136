import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/db/job-budget.ts';
import { click_counts, click_dims, link_totals } from '#worker/db/schema-clicks.ts';
import { capSql, overflowSql, startOfMonthSql } from './dimensions.ts';
import { oldestDayKept } from './periods.ts';
import { STEPS_PER_RUN, sweepLinks, type LinkRange } from './sweep-links.ts';

/**
 * Rolls days older than `KEEP_DAYS_MONTHS` months up into months: once a month, whole months at a time, with the same
 * caps of values as days. A step's links are changed in one transaction, so an interruption neither loses a click nor
 * counts one twice.
 */
export async function rollUpDays(env: Pick<Env, 'DB'>, now: number, budget?: JobBudget): Promise<string> {
  const db = openDb(env.DB);
  const end = oldestDayKept(now);
  const sweep = { name: 'fold-months', over: 'link_totals', period: end, start: 0, carry: z.number() } as const;
  const step = async (range: LinkRange, days: number): Promise<number> => {
    const { deletedDays } = await runNamedBatch(db, { ...rollUpCounts(range, end), ...rollUpDims(range, end) });
    return days + deletedDays.changes;
  };
  const { worked, finished, carry } = await sweepLinks(db, sweep, step, STEPS_PER_RUN, budget);
  return worked ? `${carry} days rolled up${finished ? '' : ', more to do'}` : 'nothing due';
}

function rollUpCounts(range: LinkRange, end: number) {
  // Hours as well, in case they have not been rolled up yet: the active days of a month need whole days.
  const old = selectOld(sql`${click_counts}`, sql`'h', 'd'`, range, end);
  return {
    addedMonths: sql`insert into ${click_counts} (link_id, grain, at, human, bot, prefetch, visitors, active_days)
      select link_id, 'm', ${startOfMonth('day')} as month, sum(human), sum(bot), sum(prefetch), sum(visitors), sum(human > 0) from (
        select c.link_id, ${startOfDay('c.at')} as day, sum(c.human) as human, sum(c.bot) as bot, sum(c.prefetch) as prefetch,
          sum(c.visitors) as visitors ${old} group by c.link_id, day)
      where true group by link_id, month
      on conflict do update set human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
        visitors = visitors + excluded.visitors, active_days = active_days + excluded.active_days`,
    deletedDays: sql`delete from ${click_counts} where (link_id, grain, at) in (select c.link_id, c.grain, c.at ${old})`,
  };
}

function rollUpDims(range: LinkRange, end: number) {
  const old = selectOld(sql`${click_dims}`, sql`'d'`, range, end);
  // Values beyond the cap, in the months that were just added to. Ordered like `selectMonthlyDims`, so reports do not change.
  const overCap = sql`from (
    select *, row_number() over (partition by link_id, at, dim, val = overflow order by n desc, val) as place from (
      select *, ${sql.raw(overflowSql())} as overflow from ${click_dims}
      where grain = 'm' and (link_id, at) in (select distinct c.link_id, ${startOfMonth('c.at')} ${old})))
    where val <> overflow and place > ${sql.raw(capSql)}`;
  return {
    addedMonthDims: sql`insert into ${click_dims} (link_id, grain, at, dim, val, n)
      select c.link_id, 'm', ${startOfMonth('c.at')} as month, c.dim, c.val, sum(c.n) ${old}
      group by c.link_id, month, c.dim, c.val
      on conflict do update set n = n + excluded.n`,
    addedOverflow: sql`insert into ${click_dims} (link_id, grain, at, dim, val, n)
      select link_id, grain, at, dim, overflow, sum(n) ${overCap} group by link_id, at, dim, overflow
      on conflict do update set n = n + excluded.n`,
    deletedOverCap: sql`delete from ${click_dims}
      where (link_id, grain, at, dim, val) in (select link_id, grain, at, dim, val ${overCap})`,
    deletedDayDims: sql`delete from ${click_dims}
      where (link_id, grain, at, dim, val) in (select c.link_id, c.grain, c.at, c.dim, c.val ${old})`,
  };
}

/** Rows of the range's links in `table` that start before `end`, as `c`. The cross join searches the key link by link. */
const selectOld = (table: SQL, grains: SQL, { after, upTo }: LinkRange, end: number): SQL => sql`from ${link_totals} t
  cross join ${table} c on c.link_id = t.link_id and c.grain in (${grains}) and c.at < ${end}
  where t.link_id > ${after} and t.link_id <= ${upTo}`;

// Constants are written into the text: D1 binds numbers as REAL, and the result would not be an integer.
const startOfDay = (column: string): SQL => sql.raw(`${column} - ${column} % ${DAY_MS}`);
const startOfMonth = (column: string): SQL => sql.raw(startOfMonthSql(column));
