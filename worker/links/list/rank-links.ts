import { gt, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LIVE_ORDER_MAX_LINKS, RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { sweepAccounts } from '#worker/clicks/accounts/sweep-accounts.ts';
import { sweepLinks } from '#worker/job-runtime/sweep-links.ts';
import type { Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { account_totals } from '#worker/db/schema-accounts.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { allShards, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { recordLargeAccounts } from './account-totals.ts';

const NAME = 'rank-links';
/**
 * The job state with the check for large accounts: `id` is the last link whose owner was checked,
 * `day` the day on which the check started from the first link.
 */
const SEEN = 'rank-links:seen';
const seenSchema = z.object({ id: z.number(), day: z.number() });

/**
 * Copies the clicks and the last click of links into `links`, where indexes order lists by them. It
 * does so for large accounts and for links whose clicks are on another shard. Counting a click does
 * not update `links`, because that would move a row in two indexes. Lists of other accounts are
 * ordered by live clicks (search-links.ts).
 */
export async function rankLinks(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const main = openShards(env);
  const period = Math.floor(now / (RANK_EVERY_HOURS * HOUR_MS));
  const sweep = { name: NAME, period, start: 0, schema: z.number() };
  const accounts = () => listLargeAccounts(main, now);
  const total = { worked: false, left: 0, ranked: 0 };
  const add = ({ worked, left, result }: { worked: boolean; left: number; result: number }) => {
    if (!worked) return;
    total.worked = true;
    total.left += left;
    total.ranked += result;
  };
  const rankAccounts = async (rows: readonly { id: number; shard: number }[], ranked: number) => {
    const ids = rows.flatMap(({ id, shard }) => (shard === 0 ? [id] : []));
    const ofIds = sql`${jsonList(ids)} as j cross join ${link_totals} t on t.link_id = j.value`;
    return ranked + (await rank(main, sql`(${selectTotals(ofIds)})`));
  };
  add(await sweepAccounts(main, { ...sweep, accounts }, rankAccounts, budget));
  for (const { db } of allShards(main).filter(({ shard }) => shard !== 0)) {
    const rankShard = async ({ after, upTo }: { after: number; upTo: number }, ranked: number) => {
      const totals = await db.all<Record<(typeof TOTALS)[number], number>>(
        selectTotals(sql`${link_totals} where link_id > ${after} and link_id <= ${upTo}`),
      );
      // The main database gets all rows as one JSON parameter.
      return ranked + (await rank(main, jsonRows(TOTALS, totals)));
    };
    add(await sweepLinks(db, { ...sweep, over: 'link_totals' }, rankShard, budget));
  }
  return total.worked ? { done: { links_ranked: total.ranked }, left: total.left } : {};
}

/**
 * Returns the ids of large accounts, including those that became large since the last run. Once a
 * day it counts the links of all accounts.
 */
async function listLargeAccounts(main: Db, now: number): Promise<string[]> {
  const day = startOfDay(now);
  const seen = seenSchema.safeParse(JSON.parse((await readJobState(main, SEEN)) ?? 'null')).data;
  const after = seen?.day === day ? seen.id : 0;
  const [last] = await main.all<{ id: number | null }>(sql`select max(id) as id from ${links}`);
  const id = last?.id ?? 0;
  if (id > after || seen?.day !== day) {
    await main.run(recordLargeAccounts(after));
    await saveJobState(main, SEEN, { at: now, ok: true, detail: JSON.stringify({ id, day }) });
  }
  const large = await main
    .select({ id: account_totals.user_id })
    .from(account_totals)
    .where(gt(account_totals.links, LIVE_ORDER_MAX_LINKS));
  return large.map((account) => account.id);
}

const TOTALS = ['link_id', 'human', 'last_at'] as const;

const selectTotals = (from: SQL): SQL =>
  sql`select link_id, human, coalesce(last_at, 0) as last_at from ${from}`;

/** Writes totals into `links` where they differ. Returns the number of changed links. */
async function rank(main: Db, totals: SQL): Promise<number> {
  const { meta } =
    await main.run(sql`update ${links} set ranked_clicks = totals.human, ranked_last_click_at = totals.last_at
    from ${totals} as totals where ${links}.id = totals.link_id
      and (${links}.ranked_clicks <> totals.human or ${links}.ranked_last_click_at <> totals.last_at)`);
  return meta.changes;
}
