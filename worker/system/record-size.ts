import { dayNumber } from '#contract/periods.ts';
import { sql } from 'drizzle-orm';
import { expireSetAside } from '#worker/clicks/queue/set-aside.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteOldFacts, saveFact, SIZE } from '#worker/db/system-facts.ts';
import { formatBytes } from './wording.ts';

/**
 * Stores the size of the database once a day, to compute its growth, and deletes facts that the
 * system page no longer shows.
 */
export async function recordSize(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const db = openDb(env.DB);
  const { meta } = await db.run(sql`select 1`);
  await saveFact(db, { name: `${SIZE}${dayNumber(now)}`, at: now, value: String(meta.size_after) });
  await deleteOldFacts(db, now);
  const lost = await expireSetAside(db, now);
  return `${formatBytes(meta.size_after)}${lost > 0 ? `, ${lost} clicks lost` : ''}`;
}
