import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/db/job-budget.ts';
import { click_counts, link_totals } from '#worker/db/schema-clicks.ts';
import { oldestHourKept, startOfDay } from './periods.ts';
import { STEPS_PER_RUN, sweepLinks, type LinkRange } from './sweep-links.ts';

/**
 * Rolls hours older than `KEEP_HOURS_DAYS` up into days, once a day. Adding and deleting happen in one transaction over
 * the same rows, so a late click for an old hour is either included or rolled up by the next run.
 */
export async function rollUpHours(env: Pick<Env, 'DB'>, now: number, budget?: JobBudget): Promise<string> {
  const db = openDb(env.DB);
  const sweep = { name: 'fold-hours', over: 'link_totals', period: startOfDay(now), start: 0, carry: z.number() } as const;
  const step = async (range: LinkRange, hours: number): Promise<number> => {
    const { deleted } = await runNamedBatch(db, rollUp(selectOldHours(range, oldestHourKept(now))));
    return hours + deleted.changes;
  };
  const { worked, finished, carry } = await sweepLinks(db, sweep, step, STEPS_PER_RUN, budget);
  return worked ? `${carry} hours rolled up${finished ? '' : ', more to do'}` : 'nothing due';
}

const rollUp = (oldHours: SQL) => ({
  added: sql`insert into ${click_counts} (link_id, grain, at, human, bot, prefetch, visitors)
    select c.link_id, 'd', c.at - c.at % ${sql.raw(String(DAY_MS))} as day, sum(c.human), sum(c.bot), sum(c.prefetch), sum(c.visitors)
    ${oldHours} group by c.link_id, day
    on conflict do update set human = human + excluded.human, bot = bot + excluded.bot,
      prefetch = prefetch + excluded.prefetch, visitors = visitors + excluded.visitors`,
  deleted: sql`delete from ${click_counts} where (link_id, grain, at) in (select c.link_id, c.grain, c.at ${oldHours})`,
});

/** Hours of the range's links that start before `end`, as `c`. The cross join searches the key link by link instead of reading all rows. */
const selectOldHours = ({ after, upTo }: LinkRange, end: number): SQL => sql`from ${link_totals} t
  cross join ${click_counts} c on c.link_id = t.link_id and c.grain = 'h' and c.at < ${end}
  where t.link_id > ${after} and t.link_id <= ${upTo}`;
