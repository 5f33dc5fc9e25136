import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/db/job-budget.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { startOfDay } from './periods.ts';
import { STEPS_PER_RUN, sweepLinks, type LinkRange } from './sweep-links.ts';

/** Removes recent clicks older than `KEEP_RECENT_CLICKS_DAYS`, once a day. Reports have already stopped showing them. */
export async function pruneRecentClicks(env: Pick<Env, 'DB'>, now: number, budget?: JobBudget): Promise<string> {
  const db = openDb(env.DB);
  const oldest = startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS;
  const sweep = { name: 'prune-recent', over: 'link_totals', period: startOfDay(now), start: 0, carry: z.number() } as const;
  const step = async ({ after, upTo }: LinkRange, pruned: number): Promise<number> => {
    // The oldest click is the last in the array, so most links are skipped after one look.
    const { meta } = await db.run(sql`update ${link_totals} set recent = (
        select json_group_array(json(value) order by value ->> 0 desc, value) from json_each(link_totals.recent)
        where value ->> 0 >= ${oldest})
      where link_id > ${after} and link_id <= ${upTo} and recent <> '[]' and json_extract(recent, '$[#-1][0]') < ${oldest}`);
    return pruned + meta.changes;
  };
  const { worked, finished, carry } = await sweepLinks(db, sweep, step, STEPS_PER_RUN, budget);
  return worked ? `${carry} links pruned${finished ? '' : ', more to do'}` : 'nothing due';
}
