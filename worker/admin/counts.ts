import type { Db } from '#worker/db/client.ts';
import { readLastVerification, recomputeTotals } from '#worker/clicks/verify-totals.ts';
import { recordStatement } from '#worker/audit/log.ts';

/**
 * Sets every link's totals to the sums of its roll-ups and proves the result. It goes through many batches, so it is
 * recorded before the first one, with what the last proof had found.
 */
export async function repairTotals(db: Db, adminId: string, now: number): Promise<{ ok: true }> {
  const before = await readLastVerification(db);
  await db.batch([recordStatement(db, { at: now, adminId, action: 'repair_counts', subject: 'clicks', before })]);
  await recomputeTotals(db, now);
  return { ok: true };
}
