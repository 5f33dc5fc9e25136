import { sql, type SQL } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import { deletePendingOf } from './pending-store.ts';
import type { SessionRow } from './store.ts';

/**
 * Statements that end the sessions that `which` selects. A session that the owner was told about
 * stays for a while as one that has ended: otherwise a thief could sign out to void the link in that
 * mail, and keep what they have added.
 */
const endStatements = (which: SQL, now: number): SQL[] => [
  sql`update ${auth_sessions} set not_after = ${now} where ${which} and notice_hash is not null
    and (not_after is null or not_after > ${now})`,
  sql`delete from ${auth_sessions} where ${which} and notice_hash is null`,
];

/**
 * Ends all sessions of the account, only this one, or all others. Refresh tokens stop working with
 * their session. Returns false if there was none to end.
 */
export async function endSessions(
  db: Db,
  { id, user_id }: Pick<SessionRow, 'id' | 'user_id'>,
  scope: 'global' | 'local' | 'others',
  now: number,
): Promise<boolean> {
  const which = {
    global: sql`1`,
    local: sql`id = ${id}`,
    others: sql`id <> ${id}`,
  }[scope];
  const { ended } = await runNamedBatch(db, {
    pending: scope === 'local' ? [] : deletePendingOf(user_id),
    ended: endStatements(sql`user_id = ${user_id} and ${which}`, now),
  });
  return ended.changes > 0;
}
