import type { Db } from '#worker/db/client.ts';
import { deletedUserHash } from '#worker/auth/account.ts';

/** What the database says about a verified token's owner, read in one query. */
export type Standing = {
  /** False for a session that was signed out, an account that was deleted or is banned. */
  live: boolean;
  /** The mirror row; null at the first request. */
  known: KnownUser | null;
  /** Embedded only: the account's present address, and whether its owner has shown that the mailbox is theirs. */
  account: { email: string; proven: boolean } | null;
};

export type KnownUser = {
  email: string;
  role: 'user' | 'admin';
  lastSeenAt: number;
  /** Set while an administrator has suspended the person. */
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

const SQL = `SELECT
    EXISTS (SELECT 1 FROM deleted_users WHERE id_hash = ?3) AS deleted,
    u.email AS known_email, u.role, u.last_seen_at, u.suspended_at, u.suspended_reason,
    s.id AS session_id, a.email AS account_email, a.proven_at, a.banned_until
  FROM (SELECT ?1 AS id) t
  LEFT JOIN users u ON u.id = t.id
  LEFT JOIN auth_users a ON a.id = t.id
  LEFT JOIN auth_sessions s ON s.id = ?2 AND s.user_id = t.id`;

/** `embedded`: the session must have a row, so that signing out acts at once; a hosted service's sessions are not ours to see. */
export async function readStanding(
  db: Db,
  token: { userId: string; sessionId: string },
  embedded: boolean,
  now: number,
): Promise<Standing> {
  const row = await db.$client.prepare(SQL).bind(token.userId, token.sessionId, deletedUserHash(token.userId)).first<Row>();
  if (row === null) throw new Error('D1_ERROR: a row was expected.');
  const known = knownUser(row);
  if (!embedded) return { live: row.deleted === 0, known, account: null };
  const banned = row.banned_until !== null && row.banned_until > now;
  return {
    live: row.deleted === 0 && row.session_id !== null && row.account_email !== null && !banned,
    known,
    account: row.account_email === null ? null : { email: row.account_email, proven: row.proven_at !== null },
  };
}

function knownUser(row: Row): KnownUser | null {
  const { known_email: email, role, last_seen_at: lastSeenAt } = row;
  if (email === null || role === null || lastSeenAt === null) return null;
  const suspension = row.suspended_at === null ? null : { reason: row.suspended_reason ?? '' };
  return { email, role, lastSeenAt, suspension };
}
