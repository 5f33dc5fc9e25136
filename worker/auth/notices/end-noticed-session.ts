import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { endAddedAccess } from '#worker/auth/service/prove-mailbox.ts';
import { beganAt } from '#worker/auth/service/user-json.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';

/** What the link in the notice of a sign-in does: see `LinkDescription`. */
type NoticedSession = { type: 'session'; email: string; keeps_password: boolean };

/** Describes the link without using it. It works as long as the session that it is about. */
export async function describeNoticedSession(
  db: Db,
  token: string,
): Promise<Result<NoticedSession>> {
  const row = await db
    .select({ email: auth_users.email, amr: auth_sessions.amr })
    .from(auth_sessions)
    .innerJoin(auth_users, eq(auth_users.id, auth_sessions.user_id))
    .where(eq(auth_sessions.notice_hash, hashToken(token)))
    .get();
  if (row === undefined) return refuse('link_expired');
  const keeps_password = beganAt(row) !== 'password';
  return { ok: true, value: { type: 'session', email: row.email, keeps_password } };
}

/**
 * Ends the session, and everything that began or was added since, for example a passkey. If it began
 * with the password, somebody else knows that: the password is removed, and every session and mailed
 * link ends with it. The link signs nobody in.
 */
export async function endNoticedSession(
  db: Db,
  token: string,
  now: number,
): Promise<Result<NoticedSession>> {
  const described = await describeNoticedSession(db, token);
  if (!described.ok) return described;
  const isNoticed = eq(auth_sessions.notice_hash, hashToken(token));
  const owner = db.select({ id: auth_sessions.user_id }).from(auth_sessions).where(isNoticed);
  const since = sql`(${db.select({ at: auth_sessions.created_at }).from(auth_sessions).where(isNoticed).getSQL()})`;
  const isOwn = inArray(auth_sessions.user_id, owner);
  const keepsPassword = described.value.keeps_password;
  await runNamedBatch(db, {
    added: endAddedAccess(db, owner, since, now),
    pending: db.delete(auth_pending_sign_ins).where(inArray(auth_pending_sign_ins.user_id, owner)),
    password: keepsPassword
      ? []
      : [
          db.update(auth_users).set({ password_hash: null }).where(inArray(auth_users.id, owner)),
          db.delete(auth_one_time_tokens).where(inArray(auth_one_time_tokens.user_id, owner)),
        ],
    // Last, because the other statements look for the session.
    sessions: db
      .delete(auth_sessions)
      .where(keepsPassword ? and(isOwn, gte(auth_sessions.created_at, since)) : isOwn),
  });
  return described;
}
