import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANK_EVERY_HOURS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { account_days } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShards, type ShardEnv } from '#worker/db/shards.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { forgetSteps } from '#worker/job-runtime/run-steps.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { isReportUsed, selectReportsInUse } from './report-use.ts';
import { rollUpLinks } from './roll-up-links.ts';
import { sweepAccounts, type SweptLink } from './sweep-accounts.ts';

const SWEEP = 'account-days';
const RESULT = 'account-days:result';
/**
 * The most links of an account that is rolled up when its report is opened. More links would exceed
 * the statements of the platform's free plan.
 */
const SMALL_ACCOUNT_LINKS = 100;
/** A report tries again if another run changes the same account at the same time. */
const ATTEMPTS_MAX = 4;

/**
 * Once an hour, adds what links have counted to the days of accounts whose report is in use. Once a
 * day, it also subtracts the links that have left any account with days. A step that runs twice
 * adds nothing, because its batch stores what was rolled up of each link.
 */
export async function rollUpAccounts(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openShards(env);
  const period = Math.floor(now / (RANK_EVERY_HOURS * HOUR_MS));
  const sweep = {
    name: SWEEP,
    period,
    start: { startedAt: now, changed: 0, restarts: 0 },
    schema: z.object({ startedAt: z.number(), changed: z.number(), restarts: z.number() }),
    accounts: (previousPeriod: number) =>
      findAccounts(db, now, dayOfPeriod(previousPeriod) < dayOfPeriod(period)),
  };
  const { worked, left, result } = await sweepAccounts(
    db,
    sweep,
    async (stepLinks, { startedAt, changed, restarts }) => {
      const step = await rollUpLinks(db, stepLinks, now, isReportUsed(sql`l.user_id`, now));
      return {
        startedAt,
        changed: changed + step.changed,
        restarts: restarts + step.resetAccounts,
      };
    },
    budget,
  );
  if (!worked) return {};
  const done = { links_rolled_up: result.changed, accounts_rolled_up_again: result.restarts };
  if (left > 0) return { done, left };
  if (result.restarts > 0) {
    // These accounts need all their links again, including those that this sweep has already
    // visited.
    await rollUpSoon(db);
    return { done, left: 1 };
  }
  await saveJobState(db, RESULT, {
    at: result.startedAt,
    ok: true,
    detail: String(result.startedAt),
  });
  return { done };
}

const dayOfPeriod = (period: number): number =>
  Math.floor((period * RANK_EVERY_HOURS * HOUR_MS) / DAY_MS);

/**
 * Returns the accounts whose report is in use. The first run of a day adds every account that has
 * stored days.
 */
async function findAccounts(db: Db, now: number, isNewDay: boolean): Promise<string[]> {
  const withDays = isNewDay
    ? sql` union all select distinct user_id from ${account_days}`
    : sql.empty();
  const rows = await db.all<{ user_id: string }>(sql`${selectReportsInUse(now)}${withDays}`);
  return rows.map(({ user_id }) => user_id);
}

/**
 * The time in ms up to which the clicks of accounts whose report is in use are rolled up. Null
 * before the first complete run.
 */
export async function readRolledUpTo(db: Db): Promise<number | null> {
  const at = await readJobState(db, RESULT);
  return at === null ? null : Number(at);
}

/** Makes the next run of the job start over, to include links that the sweep has left out. */
export const rollUpSoon = (db: Db): Promise<void> => forgetSteps(db, SWEEP);

/**
 * Rolls up an account with few links at once. Returns false if it could not: the account has more
 * links, it has to be rolled up from scratch, or other runs keep changing it.
 */
export async function rollUpSmallAccount(db: Db, userId: string, now: number): Promise<boolean> {
  const all = await db.all<SweptLink>(
    sql`select id, shard from ${links} where user_id = ${userId} order by id limit ${SMALL_ACCOUNT_LINKS + 1}`,
  );
  if (all.length > SMALL_ACCOUNT_LINKS) return false;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await rollUpLinks(db, all, now)).resetAccounts === 0;
    } catch (error) {
      // Most likely the job or another request has just rolled up the same rows, so the next
      // attempt finds less to do.
      if (attempt < ATTEMPTS_MAX) continue;
      logEvent('account_not_rolled_up', errorFacts(error));
      return false;
    }
  }
}
