import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { sweepShards, type LinkRange } from '#worker/clicks/sweep-links.ts';
import type { JobBudget, JobResult } from '#worker/db/job-budget.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import type { ShardEnv } from '#worker/db/shards.ts';
import { findLargeAccounts, isLargeAccount } from './account-totals.ts';

/**
 * Writes the clicks and the last click of links beside them, where indexes order lists by them: of links in large accounts, and of
 * those whose clicks are in another database. Counting a click does not, because it would move a row of two indexes. The lists of
 * other accounts are ordered by the clicks themselves (search-links.ts).
 */
export async function rankLinks(env: ShardEnv, now: number, budget?: JobBudget): Promise<JobResult> {
  const period = Math.floor(now / (RANK_EVERY_HOURS * HOUR_MS));
  const sweep = { name: 'rank-links', over: 'link_totals', period, start: 0, carry: z.number() } as const;
  const main = openDb(env.DB);
  const step = async (db: Db, { after, upTo }: LinkRange, changed: number) => {
    if (after === 0 && db.$client === env.DB) await main.run(findLargeAccounts);
    const inRange = sql`select link_id, human, coalesce(last_at, 0) as last_at from ${link_totals}
      where link_id > ${after} and link_id <= ${upTo}`;
    // The totals of another database travel as one parameter.
    const totals =
      db.$client === env.DB
        ? inRange
        : sql`select value ->> 'link_id' as link_id, value ->> 'human' as human, value ->> 'last_at' as last_at
            from json_each(${JSON.stringify(await db.all(inRange))})`;
    const { meta } = await main.run(sql`update ${links} set ranked_clicks = totals.human, ranked_last_click_at = totals.last_at
      from (${totals}) as totals where ${links}.id = totals.link_id
        and (${links}.ranked_clicks <> totals.human or ${links}.ranked_last_click_at <> totals.last_at)
        and (${links}.shard <> 0 or ${isLargeAccount(sql`${links}.user_id`)})`);
    return changed + meta.changes;
  };
  return sweepShards(env, sweep, step, (ranked) => `${ranked} links ranked`, budget);
}
