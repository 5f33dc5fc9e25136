import { sql, type SQL } from 'drizzle-orm';
import { hashUserId } from '#worker/auth/accounts/delete-sign-in.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_sessions, auth_users } from '#worker/db/schema-auth.ts';
import { deleted_users, users } from '#worker/db/schema.ts';
import { StorageError } from '#worker/db/storage-error.ts';

/** What the database says about the owner of a verified token. */
export type SessionState = {
  /** False if the session was signed out, or the account is deleted or suspended. */
  isActive: boolean;
  /** The row in `users`; null at the person's first request. */
  user: KnownUser | null;
  /** Embedded service only: the account's current address, and whether its owner has proven the mailbox. */
  account: { email: string; proven: boolean } | null;
};

export type KnownUser = {
  email: string;
  role: 'user' | 'admin';
  /** In ms since 1970. */
  lastSeenAt: number;
  /** Not null while an administrator has suspended the person. */
  suspension: { reason: string } | null;
};

type Row = {
  deleted: number;
  known_email: string | null;
  role: 'user' | 'admin' | null;
  last_seen_at: number | null;
  suspended_at: number | null;
  suspended_reason: string | null;
  session_id: string | null;
  account_email: string | null;
  proven_at: number | null;
  banned_until: number | null;
};

/**
 * Reads the state of a token's session and owner in one query. If `embedded`, the session must have a row, so that signing out
 * takes effect at once; the sessions of a hosted service are not visible here. `now` in ms.
 */
export async function readSessionState(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  embedded: boolean,
  now: number,
): Promise<SessionState> {
  const row = await db.get<Row | undefined>(sql`
    select
      exists (select 1 from ${deleted_users} where id_hash = ${hashUserId(userId)}) as deleted,
      u.email as known_email, u.role, u.last_seen_at, u.suspended_at, u.suspended_reason,
      s.id as session_id, a.email as account_email, a.proven_at, a.banned_until
    from (select ${userId} as id) t
    left join ${users} u on u.id = t.id
    left join ${auth_users} a on a.id = t.id
    left join ${auth_sessions} s on s.id = ${sessionId} and s.user_id = t.id`);
  if (!row) throw new StorageError('The query for a session returned no row.');
  const user = userOf(row);
  if (!embedded) return { isActive: row.deleted === 0, user, account: null };
  const isBanned = row.banned_until !== null && row.banned_until > now;
  return {
    isActive: row.deleted === 0 && row.session_id !== null && row.account_email !== null && !isBanned,
    user,
    account: row.account_email === null ? null : { email: row.account_email, proven: row.proven_at !== null },
  };
}

/** A condition in SQL: this session of the account exists. For statements of other features. */
export const sessionExists = (userId: string, sessionId: string): SQL =>
  sql`exists (select 1 from ${auth_sessions} where id = ${sessionId} and user_id = ${userId})`;

function userOf(row: Row): KnownUser | null {
  const { known_email: email, role, last_seen_at: lastSeenAt } = row;
  if (email === null || role === null || lastSeenAt === null) return null;
  const suspension = row.suspended_at === null ? null : { reason: row.suspended_reason ?? '' };
  return { email, role, lastSeenAt, suspension };
}
