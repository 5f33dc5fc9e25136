import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { ROWS_PER_DELETE } from '#worker/job-runtime/delete-expired-rows.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { clearEndedQuotas } from '#worker/users/address-standing.ts';

/**
 * Clears the used quotas of deleted accounts whose cycle has ended, as many per run as the budget
 * allows.
 */
export async function clearExpiredQuotas(
  env: Pick<Env, 'DB'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  let cleared = 0;
  let left = ROWS_PER_DELETE;
  while (left > 0 && budget.canContinue()) {
    const changed = (await runBatch(db, clearEndedQuotas(now, ROWS_PER_DELETE))).map(
      (rows) => rows.length,
    );
    cleared += changed.reduce((sum, rows) => sum + rows, 0);
    // A full step means that at least one more row may be due.
    left = changed.some((rows) => rows === ROWS_PER_DELETE) ? ROWS_PER_DELETE : 0;
  }
  return { done: { quotas_cleared: cleared }, left };
}
