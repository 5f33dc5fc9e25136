import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_pending_sign_ins, type auth_sessions } from '#worker/db/schema-auth.ts';

export type PendingSignIn = typeof auth_pending_sign_ins.$inferSelect;
type SessionRow = typeof auth_sessions.$inferSelect;

/** How long a sign-in waits for the second factor. */
export const PENDING_MS = 10 * MINUTE_MS;

/** Pending sign-ins of an account: somebody who knows the password could begin any number. */
const PENDING_MAX = 20;

/** Returns the pending sign-in for a session that still needs a second factor. */
export const pendingOf = <T extends Omit<SessionRow, 'user_id'>>(session: T) => ({
  ...session,
  expires_at: session.created_at + PENDING_MS,
});

export const findPending = (
  db: Db,
  id: string,
  userId: string,
  now: number,
): Promise<PendingSignIn | undefined> =>
  db
    .select()
    .from(auth_pending_sign_ins)
    .where(
      and(
        eq(auth_pending_sign_ins.id, id),
        eq(auth_pending_sign_ins.user_id, userId),
        gt(auth_pending_sign_ins.expires_at, now),
      ),
    )
    .get();

/** Wherever the sessions of an account end, its pending sign-ins do. */
export const deletePendingOf = (userId: string, when = sql`1`): SQL =>
  sql`delete from ${auth_pending_sign_ins} where user_id = ${userId} and ${when}`;

export const deleteOldPending = (userId: string): SQL =>
  sql`delete from ${auth_pending_sign_ins} where id in (select id from ${auth_pending_sign_ins}
    where user_id = ${userId} order by created_at desc limit -1 offset ${PENDING_MAX})`;
