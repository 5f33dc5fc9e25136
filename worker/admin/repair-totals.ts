import { recordAction } from '#worker/audit/record-action.ts';
import { readLastVerification, recomputeTotals } from '#worker/clicks/maintenance/verify-totals.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';

/**
 * Sets every link's totals to the sums of its roll-ups and verifies the result. The repair takes
 * many batches, so the audit entry precedes the first one. It contains the result of the previous
 * verification.
 */
export async function repairTotals(db: Db, adminId: string, now: number): Promise<{ ok: true }> {
  const before = await readLastVerification(db);
  await runBatch(db, [
    recordAction({ at: now, adminId, action: 'repair_counts', subject: 'clicks', before }),
  ]);
  await recomputeTotals(db, now);
  return { ok: true };
}
