import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Session } from '#contract/account/account.ts';
import type { Db } from '#worker/db/client.ts';
import { beganAt, BEGINNINGS } from '#worker/auth/service/user-json.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';

type Caller = { id: string; sessionId: string };

/**
 * The member's sessions younger than `maxMs`: the caller's first, then the most recently used.
 * Empty with a hosted service.
 */
export async function listSessions(
  db: Db,
  caller: Caller,
  maxMs: number,
  now: number,
): Promise<Session[]> {
  const rows = await db
    .select()
    .from(auth_sessions)
    .where(
      and(
        eq(auth_sessions.user_id, caller.id),
        gt(auth_sessions.created_at, now - maxMs),
        sql`ifnull(${auth_sessions.not_after}, ${now} + 1) > ${now}`,
      ),
    )
    .orderBy(
      desc(sql`${auth_sessions.id} = ${caller.sessionId}`),
      desc(auth_sessions.refreshed_at),
      auth_sessions.id,
    );
  return rows.map((row) => ({
    id: row.id,
    browser: row.browser,
    system: row.os,
    country: row.country,
    began: nameBeginning(row),
    signedInAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.refreshed_at).toISOString(),
    current: row.id === caller.sessionId,
  }));
}

function nameBeginning(row: { amr: string }): Session['began'] {
  const method = beganAt(row);
  return method === null ? null : BEGINNINGS[method];
}
