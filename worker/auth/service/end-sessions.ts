import { and, eq, gt, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import { deletePendingOf } from './pending-store.ts';

/**
 * Statements that end the sessions that `which` selects, and return their ids. A session that the
 * owner was told about stays for a while as one that has ended: otherwise a thief could sign out to
 * void the link in that mail, and keep what they have added.
 */
const endStatements = (db: Db, which: SQL | undefined, now: number) => {
  const lasts = or(isNull(auth_sessions.not_after), gt(auth_sessions.not_after, now));
  return [
    db
      .update(auth_sessions)
      .set({ not_after: now })
      .where(and(which, isNotNull(auth_sessions.notice_hash), lasts))
      .returning({ id: auth_sessions.id }),
    db
      .delete(auth_sessions)
      .where(and(which, isNull(auth_sessions.notice_hash)))
      .returning({ id: auth_sessions.id }),
  ] as const;
};

const isOf = (userId: string) => eq(auth_sessions.user_id, userId);

/** Ends one session of the account. Returns false if there is none. */
export async function endSession(
  db: Db,
  { userId, id, now }: { userId: string; id: string; now: number },
): Promise<boolean> {
  const which = and(isOf(userId), eq(auth_sessions.id, id));
  const [kept, deleted] = await db.batch(endStatements(db, which, now));
  return kept.length + deleted.length > 0;
}

export const endSessionsOf = (db: Db, userId: string, now: number) =>
  db.batch([deletePendingOf(db, userId), ...endStatements(db, isOf(userId), now)]);

/** Ends all sessions of the account but the one with the id `keep`. */
export const endOtherSessions = (db: Db, userId: string, keep: string, now: number) =>
  db.batch([
    deletePendingOf(db, userId),
    ...endStatements(db, and(isOf(userId), ne(auth_sessions.id, keep)), now),
  ]);
