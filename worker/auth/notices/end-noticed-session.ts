import { eq, sql } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { endAddedAccess } from '#worker/auth/service/prove-mailbox.ts';
import { beganAt } from '#worker/auth/service/user-json.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { hashBrowser } from './new-browser.ts';

/** What the link in the notice of a sign-in does: see `LinkDescription`. */
type NoticedSession = { type: 'session'; email: string; keeps_password: boolean };

/** Describes the link without using it. It works as long as the row of the session exists. */
export async function describeNoticedSession(
  db: Db,
  token: string,
): Promise<Result<NoticedSession>> {
  const found = await findNoticed(db, token);
  return found === undefined ? refuse('link_expired') : { ok: true, value: found.described };
}

async function findNoticed(db: Db, token: string) {
  const row = await db
    .select({ email: auth_users.email, session: auth_sessions })
    .from(auth_sessions)
    .innerJoin(auth_users, eq(auth_users.id, auth_sessions.user_id))
    .where(eq(auth_sessions.notice_hash, hashToken(token)))
    .get();
  if (row === undefined) return undefined;
  const keeps_password = beganAt(row.session) !== 'password';
  const described: NoticedSession = { type: 'session', email: row.email, keeps_password };
  return { session: row.session, described };
}

/**
 * Ends the session, and everything that began or was added since, for example a passkey. If it began
 * with the password, somebody else knows that: the password is removed, and every session and mailed
 * link ends with it. The browser is unknown again, so its next sign-in is told, too. The link signs
 * nobody in.
 */
export async function endNoticedSession(
  { db, settings, now }: AuthContext,
  token: string,
): Promise<Result<NoticedSession>> {
  const found = await findNoticed(db, token);
  if (found === undefined) return refuse('link_expired');
  const browser = hashBrowser(settings.secret, found.session);
  const noticed = sql`from ${auth_sessions} where notice_hash = ${hashToken(token)}`;
  const owner = sql`(select user_id ${noticed})`;
  const since = sql`(select created_at ${noticed})`;
  const isBad = found.described.keeps_password ? sql`created_at >= ${since}` : sql`1`;
  await runNamedBatch(db, {
    added: endAddedAccess(owner, since, now),
    pending: sql`delete from ${auth_pending_sign_ins} where user_id in ${owner}`,
    browser: sql`update ${auth_users} set known_browsers =
      (select json_group_array(value) from json_each(known_browsers) where value <> ${browser}) where id in ${owner}`,
    password: found.described.keeps_password
      ? []
      : [
          sql`update ${auth_users} set password_hash = null where id in ${owner}`,
          sql`delete from ${auth_one_time_tokens} where user_id in ${owner}`,
        ],
    // Last, because the other statements look for the session.
    sessions: sql`delete from ${auth_sessions} where user_id in ${owner} and ${isBad}`,
  });
  return { ok: true, value: found.described };
}
