import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { account_days, rolled_up_links } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { logEvent } from '#worker/log.ts';
import { FIGURES, type Sums, sumsOf } from '#worker/clicks/fold/counts.ts';
import { figureColumns, storedFigure, storedFigures } from '#worker/clicks/fold/counts-codec.ts';
import { runSteps } from '#worker/job-runtime/run-steps.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { firstDetailedDay } from './read-link-days.ts';
import { resetAccount } from './write-roll-up.ts';

/** Each account is read in one statement, whatever its size. */
const ACCOUNTS_PER_STEP = 5;

const progress = z.object({ after: z.string(), accounts: z.number(), wrong: z.number() });

/**
 * Verifies once a day that each account's days equal the totals of the links rolled up into them.
 * One transaction writes both, so a difference is a bug: it is logged, and the account is rolled up
 * again. Also deletes the details of days that no report shows anymore.
 */
export async function verifyAccounts(
  env: Pick<Env, 'DB'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const work = {
    name: 'prove-accounts',
    period: dayNumber(now),
    schema: progress,
    start: () => ({ after: '', accounts: 0, wrong: 0 }),
  };
  const { worked, done, state } = await runSteps(
    db,
    work,
    async (last) => {
      const rows = await db.all<{
        user_id: string;
      }>(sql`select distinct user_id from ${account_days}
        where user_id > ${last.after} order by user_id limit ${ACCOUNTS_PER_STEP}`);
      const users = rows.map(({ user_id }) => user_id);
      const after = users.at(-1);
      if (after === undefined) return { state: last, done: true };
      const accounts = last.accounts + users.length;
      const wrong = last.wrong + (await verifyStep(db, users, firstDetailedDay(now)));
      return { state: { after, accounts, wrong }, done: false };
    },
    budget,
  );
  if (!worked) return {};
  return {
    done: { accounts_verified: state.accounts, accounts_rolled_up_again: state.wrong },
    left: done ? 0 : 1,
  };
}

type Row = Sums & { user_id: string };

async function verifyStep(
  db: Db,
  users: readonly string[],
  firstDetailed: number,
): Promise<number> {
  const userList = jsonList(users);
  const { days, rolledUp } = await runNamedBatch(db, {
    details: sql`update ${account_days} set rev = rev + 1, top = '[]',
      counts = ${storedFigures()}
      where user_id in ${userList} and day < ${firstDetailed} and json_array_length(counts) > ${FIGURES.length}`,
    days: sql<Row>`select a.user_id, ${figureColumns((figure) => `sum(${storedFigure(figure, 'a.counts')})`)}
      from ${userList} j cross join ${account_days} a on a.user_id = j.value group by 1`,
    // The totals when the link was rolled up, without later clicks.
    rolledUp: sql<Row>`select r.user_id, ${figureColumns((figure) => `sum(r.${figure})`)}
      from ${userList} j cross join ${links} l on l.user_id = j.value cross join ${rolled_up_links} r
      on r.link_id = l.id and r.user_id = l.user_id group by 1`,
  });
  const expectedByUser = new Map(rolledUp.rows.map((row) => [row.user_id, row]));
  let wrong = 0;
  for (const row of days.rows) {
    const expected = expectedByUser.get(row.user_id);
    if (FIGURES.every((figure) => row[figure] === (expected?.[figure] ?? 0))) continue;
    logEvent('account_days_wrong', {
      expected: JSON.stringify(sumsOf(expected ?? row)),
      found: JSON.stringify(sumsOf(row)),
    });
    await resetAccount(db, row.user_id);
    wrong += 1;
  }
  return wrong;
}
