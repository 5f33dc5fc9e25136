import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DELETE_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import type { ShardEnv } from '#worker/db/shards.ts';
import { firstRecentAt } from '#worker/clicks/fold/recent-clicks.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { sweepShards, type LinkRange } from '#worker/job-runtime/sweep-links.ts';

const WEEK_DAYS = 7;

/**
 * Once a week, removes recent clicks that reports no longer show, and the visitor sets of their
 * links, early enough that none is DELETE_RECENT_CLICKS_DAYS old at the next run. Links that are
 * clicked need no job, because a fold prunes its own links.
 */
export async function pruneRecentClicks(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const tooOld = startOfDay(now) - (DELETE_RECENT_CLICKS_DAYS - WEEK_DAYS - 1) * DAY_MS;
  const sweep = {
    name: 'prune-recent',
    over: 'link_totals',
    period: now - (now % (WEEK_DAYS * DAY_MS)),
    start: 0,
    schema: z.number(),
  } as const;
  const step = async (db: Db, { after, upTo }: LinkRange, pruned: number) => {
    // The oldest click is the last in the array, so most links are skipped after one look.
    const { meta } = await db.run(sql`update ${link_totals} set recent = (
        select json_group_array(json(value) order by value ->> 0 desc, value) from json_each(link_totals.recent)
        where value ->> 0 >= ${firstRecentAt(now)}), visitor_sets = '{}'
      where link_id > ${after} and link_id <= ${upTo} and recent <> '[]' and json_extract(recent, '$[#-1][0]') < ${tooOld}`);
    return pruned + meta.changes;
  };
  return sweepShards(env, sweep, step, 'links_pruned', budget);
}
