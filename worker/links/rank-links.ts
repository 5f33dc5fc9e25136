import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { sweepLinks, type LinkRange } from '#worker/clicks/sweep-links.ts';
import type { JobBudget, JobResult } from '#worker/db/job-budget.ts';
import { openDb } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';

/**
 * Writes each link's clicks and last click beside the link, where indexes order lists by them. Counting a click does not: each
 * click would move a row of two indexes. A link whose clicks have not changed is not written.
 */
export async function rankLinks(env: Pick<Env, 'DB'>, now: number, budget?: JobBudget): Promise<JobResult> {
  const db = openDb(env.DB);
  const period = Math.floor(now / (RANK_EVERY_HOURS * HOUR_MS));
  const sweep = { name: 'rank-links', over: 'link_totals', period, start: 0, carry: z.number() } as const;
  const step = async ({ after, upTo }: LinkRange, changed: number) => {
    const { meta } =
      await db.run(sql`update ${links} set ranked_clicks = totals.human, ranked_last_click_at = coalesce(totals.last_at, 0)
      from ${link_totals} as totals
      where totals.link_id > ${after} and totals.link_id <= ${upTo} and ${links}.id = totals.link_id
        and (${links}.ranked_clicks <> totals.human or ${links}.ranked_last_click_at <> coalesce(totals.last_at, 0))`);
    return changed + meta.changes;
  };
  const { worked, left, carry } = await sweepLinks(db, sweep, step, budget);
  return worked ? { detail: `${carry} links ranked`, left } : 'nothing due';
}
