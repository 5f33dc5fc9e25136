import { DAY_MS } from '#contract/time.ts';
import * as z from 'zod/mini';
import { capSql, startOfMonthSql, overflowSql } from './dimensions.ts';
import { oldestDayKept } from './periods.ts';
import { sweepLinks } from './sweep-links.ts';

/** Rows of these links (?1, ?2] older than ?3, of one table and grain, as `c`; through the key, link by link. */
const old = (table: string, grains: string): string => `FROM link_totals t CROSS JOIN ${table} c
ON c.link_id = t.link_id AND c.grain IN (${grains}) AND c.at < ?3 WHERE t.link_id > ?1 AND t.link_id <= ?2`;

/** Hours too, should they still be there: a month's active days are counted over whole days. */
const OLD_COUNTS = old('click_counts', `'h', 'd'`);
const OLD_DIMS = old('click_dims', `'d'`);

const ADD_MONTHS = `INSERT INTO click_counts (link_id, grain, at, human, bot, prefetch, visitors, active_days)
SELECT link_id, 'm', ${startOfMonthSql('day')} AS month, sum(human), sum(bot), sum(prefetch), sum(visitors), sum(human > 0) FROM (
  SELECT c.link_id, c.at - c.at % ${DAY_MS} AS day, sum(c.human) AS human, sum(c.bot) AS bot, sum(c.prefetch) AS prefetch,
    sum(c.visitors) AS visitors ${OLD_COUNTS} GROUP BY c.link_id, day)
WHERE true GROUP BY link_id, month
ON CONFLICT DO UPDATE SET human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
  visitors = visitors + excluded.visitors, active_days = active_days + excluded.active_days`;

const DELETE_DAYS = `DELETE FROM click_counts WHERE (link_id, grain, at) IN (SELECT c.link_id, c.grain, c.at ${OLD_COUNTS})`;

const ADD_MONTH_DIMS = `INSERT INTO click_dims (link_id, grain, at, dim, val, n)
SELECT c.link_id, 'm', ${startOfMonthSql('c.at')} AS month, c.dim, c.val, sum(c.n) ${OLD_DIMS} GROUP BY c.link_id, month, c.dim, c.val
ON CONFLICT DO UPDATE SET n = n + excluded.n`;

/** Values of the months just added to that are over the cap: the same order as the report's (`monthlyDimsSql`). */
const OVER_CAP = `FROM (
  SELECT *, row_number() OVER (PARTITION BY link_id, at, dim, val = spill ORDER BY n DESC, val) AS place FROM (
    SELECT *, ${overflowSql()} AS spill FROM click_dims
    WHERE grain = 'm' AND (link_id, at) IN (SELECT DISTINCT c.link_id, ${startOfMonthSql('c.at')} ${OLD_DIMS})))
WHERE val <> spill AND place > ${capSql}`;

const SPILL_MONTH_DIMS = `INSERT INTO click_dims (link_id, grain, at, dim, val, n)
SELECT link_id, grain, at, dim, spill, sum(n) ${OVER_CAP} GROUP BY link_id, at, dim, spill
ON CONFLICT DO UPDATE SET n = n + excluded.n`;

const DELETE_SPILT = `DELETE FROM click_dims WHERE (link_id, grain, at, dim, val) IN (SELECT link_id, grain, at, dim, val ${OVER_CAP})`;

const DELETE_DAY_DIMS = `DELETE FROM click_dims WHERE (link_id, grain, at, dim, val) IN (SELECT c.link_id, c.grain, c.at, c.dim, c.val ${OLD_DIMS})`;

const STEP = [ADD_MONTHS, DELETE_DAYS, ADD_MONTH_DIMS, SPILL_MONTH_DIMS, DELETE_SPILT, DELETE_DAY_DIMS];

/**
 * Days older than `KEEP_DAYS_MONTHS` months become months, once a month and whole months at a time, under the same caps of
 * values as days. One transaction for a step's links: nothing is counted twice or missed, whenever it is interrupted.
 */
export async function rollUpDays(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const end = oldestDayKept(now);
  const sweep = { name: 'fold-months', over: 'link_totals', period: end, start: 0, carry: z.number() } as const;
  const { worked, finished, carry } = await sweepLinks(env.DB, sweep, async ({ after, upTo }, folded) => {
    const results = await env.DB.batch(STEP.map((sql) => env.DB.prepare(sql).bind(after, upTo, end)));
    return folded + (results[1]?.meta.changes ?? 0);
  });
  return worked ? `${carry} days folded${finished ? '' : ', more to do'}` : 'nothing due';
}
