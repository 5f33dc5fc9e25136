import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { KEEP_ACCOUNT_DETAILS_DAYS } from '#contract/limits.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { account_days, rolled_up_links } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { logEvent } from '#worker/log.ts';
import { FIGURES, type Sums, sumsOf } from '#worker/clicks/fold/counts.ts';
import { figureColumns, storedFigure, storedFigures } from '#worker/clicks/fold/counts-codec.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { dayNumber } from '#contract/periods.ts';
import { firstDetailedDay } from './read-link-days.ts';
import { resetAccount } from './write-roll-up.ts';

const STATE = 'prove-accounts:sweep';
/** Each account is read in one statement, whatever its size. */
const ACCOUNTS_PER_STEP = 5;

const progress = z.object({
  day: z.number(),
  after: z.string(),
  done: z.boolean(),
  accounts: z.number(),
  wrong: z.number(),
});
type Progress = z.infer<typeof progress>;

/**
 * Verifies once a day that each account's days equal the totals of the links rolled up into them.
 * One transaction writes both, so a difference is a bug: it is logged, and the account is rolled up
 * again. Also deletes the details of days that no report shows anymore.
 */
export async function verifyAccounts(
  env: Pick<Env, 'DB'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const day = dayNumber(now);
  const saved = progress.safeParse(JSON.parse((await readJobState(db, STATE)) ?? 'null')).data;
  if (saved !== undefined && saved.done && saved.day >= day) return 'nothing due';
  const state: Progress =
    saved === undefined || saved.done
      ? { day, after: '', done: false, accounts: 0, wrong: 0 }
      : saved;
  do {
    const step = await db.all<{ user_id: string }>(sql`select distinct user_id from ${account_days}
      where user_id > ${state.after} order by user_id limit ${ACCOUNTS_PER_STEP}`);
    const users = step.map(({ user_id }) => user_id);
    state.after = users.at(-1) ?? state.after;
    state.done = users.length === 0;
    state.accounts += users.length;
    if (!state.done)
      state.wrong += await verifyStep(db, users, firstDetailedDay(now, KEEP_ACCOUNT_DETAILS_DAYS));
  } while (!state.done && budget.canContinue());
  await saveJobState(db, STATE, { at: now, ok: true, detail: JSON.stringify(state) });
  const detail = `${state.accounts} accounts${state.wrong > 0 ? `, ${state.wrong} rolled up again` : ', verified'}`;
  return state.done ? detail : { detail, left: 1 };
}

type Row = Sums & { user_id: string };

async function verifyStep(db: Db, users: readonly string[], firstFullDay: number): Promise<number> {
  const userList = jsonList(users);
  const { days, rolledUp } = await runNamedBatch(db, {
    details: sql`update ${account_days} set rev = rev + 1, top = '[]',
      counts = ${storedFigures()}
      where user_id in ${userList} and day < ${firstFullDay} and json_array_length(counts) > ${FIGURES.length}`,
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
