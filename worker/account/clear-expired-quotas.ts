import { clearEndedQuotas } from './address-standing.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { DELETES_PER_RUN, ROWS_PER_DELETE } from '#worker/db/delete-expired-rows.ts';

/** Clears the used quotas of deleted accounts whose cycle has ended. A run clears a bounded number; the next run continues. */
export async function clearExpiredQuotas(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const db = openDb(env.DB);
  let forgotten = 0;
  for (let i = 0; i < DELETES_PER_RUN; i += 1) {
    const changed = (await runBatch(db, clearEndedQuotas(now, ROWS_PER_DELETE))).map((rows) => rows.length);
    forgotten += changed.reduce((sum, rows) => sum + rows, 0);
    if (changed.every((rows) => rows < ROWS_PER_DELETE)) break;
  }
  return forgotten === 0 ? 'nothing expired' : `${forgotten} used quotas`;
}
