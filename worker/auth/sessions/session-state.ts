import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import { COMPLETE_METHODS, isComplete, lastSignIn } from '#worker/auth/tokens/access-token.ts';
import { jsonList } from '#worker/db/batch.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';
import { type Db, StorageError } from '#worker/db/client.ts';
import { domainNamesOf, parseDomainNames, type DomainNames } from '#worker/db/domain-names.ts';
import {
  auth_identities,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { deleted_users, users } from '#worker/db/schema-users.ts';

export type SessionState = {
  /** False if the session was signed out, or the account is deleted or suspended. */
  isActive: boolean;
  /** The row in `users`; null at the person's first request. */
  user: KnownUser | null;
  /**
   * Null with a hosted service. `email` is the current address; `proven` is true once its owner has
   * proven the mailbox, `adminIssuer` is the provider whose group they are in.
   */
  account: {
    email: string;
    proven: boolean;
    adminIssuer: string | null;
    /** Whether this session has shown a second factor, or began at a provider, which decides. */
    hasSecondFactor: boolean;
  } | null;
  /** The domains on which the person has links or can create some. */
  domains: DomainNames;
  /** The domain that the person has chosen for new links. */
  defaultDomain: DomainId;
};

export type KnownUser = {
  email: string;
  role: 'user' | 'admin';
  /** In ms since 1970. */
  lastSeenAt: number;
  /** Not null while an administrator has suspended the person. */
  suspension: { reason: string } | null;
};

/**
 * True for a session that has shown no second factor although its account has one. An earlier
 * release starts such sessions after a rollback; no request of this one accepts them.
 */
export const lacksFactor = (
  account: { totp_confirmed_at: number | null },
  { amr }: { amr: string },
): boolean =>
  account.totp_confirmed_at !== null && lastSignIn(JSON.parse(amr), isComplete) === null;

/** `lacksFactor` in SQL, for the session `s` of the account `a`. */
const lacksFactorSql = sql`(a.totp_confirmed_at is not null and not exists (select 1 from json_each(s.amr)
  where value ->> 'method' in ${jsonList(COMPLETE_METHODS)}))`;

type Row = {
  deleted: number;
  known_email: string | null;
  role: 'user' | 'admin' | null;
  last_seen_at: number | null;
  suspended_at: number | null;
  suspended_reason: string | null;
  session_created_at: number | null;
  not_after: number | null;
  account_email: string | null;
  proven_at: number | null;
  banned_until: number | null;
  admin_issuer: string | null;
  domains: string;
  default_domain: DomainId | null;
  has_factor: number;
  lacks_factor: number;
};

/** True once `maxMs` have passed since the session's sign-in, however often it is used. */
export const isSessionExpired = (
  session: { created_at: number; not_after: number | null },
  maxMs: number,
  now: number,
): boolean =>
  session.created_at + maxMs <= now || (session.not_after !== null && session.not_after <= now);

export const isAccountSuspended = (
  { banned_until }: { banned_until: number | null },
  now: number,
): boolean => banned_until !== null && banned_until > now;

/**
 * Reads the state of a token's session and owner in one query. An embedded session must have a row,
 * so that signing out takes effect at once, and be younger than `sessionMaxMs`. That is null with a
 * hosted service, whose sessions are not visible here. Times in ms.
 */
export async function readSessionState(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  sessionMaxMs: number | null,
  now: number,
): Promise<SessionState> {
  const row = await db.get<Row | undefined>(sql`
    select
      exists (select 1 from ${deleted_users} where id_hash = ${hashUserId(userId)}) as deleted,
      u.email as known_email, u.role, u.last_seen_at, u.suspended_at, u.suspended_reason,
      s.created_at as session_created_at, s.not_after, a.email as account_email, a.proven_at, a.banned_until,
      (select issuer from ${auth_identities} where user_id = t.id and in_admin_group = 1) as admin_issuer,
      (a.totp_confirmed_at is not null or exists (select 1 from json_each(s.amr)
        where value ->> 'method' in ('oauth', 'webauthn'))) as has_factor,
      ${lacksFactorSql} as lacks_factor,
      ${domainNamesOf(sql`t.id`)} as domains, u.default_domain
    from (select ${userId} as id) t
    left join ${users} u on u.id = t.id
    left join ${auth_users} a on a.id = t.id
    left join ${auth_sessions} s on s.id = ${sessionId} and s.user_id = t.id`);
  if (!row) throw new StorageError('The query for a session returned no row.');
  const user = userOf(row);
  const domains = parseDomainNames(row.domains);
  const defaultDomain = row.default_domain ?? DEFAULT_DOMAIN;
  if (sessionMaxMs === null)
    return { isActive: row.deleted === 0, user, account: null, domains, defaultDomain };
  const created_at = row.session_created_at;
  const hasSession =
    created_at !== null &&
    !isSessionExpired({ created_at, not_after: row.not_after }, sessionMaxMs, now);
  return {
    isActive:
      row.deleted === 0 &&
      hasSession &&
      row.lacks_factor === 0 &&
      row.account_email !== null &&
      !isAccountSuspended(row, now),
    user,
    account:
      row.account_email === null
        ? null
        : {
            email: row.account_email,
            proven: row.proven_at !== null,
            adminIssuer: row.admin_issuer,
            hasSecondFactor: row.has_factor === 1,
          },
    domains,
    defaultDomain,
  };
}

/** Why an administrator suspended the account; '' if no reason is stored. */
export async function readSuspensionReason(db: Db, userId: string): Promise<string> {
  const row = await db.get<{ reason: string | null } | undefined>(
    sql`select suspended_reason as reason from ${users} where id = ${userId}`,
  );
  return row?.reason ?? '';
}

/**
 * A condition in SQL: the caller that `identify` found may still act at `now`. The person exists,
 * is not suspended and has the same role, and an embedded session has not ended. `sessionMaxMs` is
 * as in `readSessionState`.
 */
export const callerHolds = (
  { id, role, sessionId }: { id: string; role: 'user' | 'admin'; sessionId: string },
  sessionMaxMs: number | null,
  now: number,
): SQL => {
  const isKnown = sql`exists (select 1 from ${users} where id = ${id} and role = ${role} and suspended_at is null)`;
  return sessionMaxMs === null
    ? isKnown
    : sql`${isKnown} and ${sessionHolds(id, sessionId, sessionMaxMs, now)}`;
};

/**
 * A condition in SQL: this session of the account has not ended at `now` and lacks no second factor,
 * and the account is not suspended. Times in ms.
 */
export const sessionHolds = (userId: string, sessionId: string, maxMs: number, now: number): SQL =>
  sql`exists (select 1 from ${auth_sessions} s join ${auth_users} a on a.id = s.user_id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.created_at > ${now - maxMs}
      and (s.not_after is null or s.not_after > ${now}) and ifnull(a.banned_until, 0) <= ${now} and not ${lacksFactorSql})`;

/** `sessionHolds`, or the sign-in that becomes this session still waits for its second factor. */
export const signInHolds = (userId: string, id: string, maxMs: number, now: number): SQL =>
  sql`(${sessionHolds(userId, id, maxMs, now)} or exists (select 1 from ${auth_pending_sign_ins} p
    join ${auth_users} a on a.id = p.user_id where p.id = ${id} and p.user_id = ${userId}
      and p.expires_at > ${now} and ifnull(a.banned_until, 0) <= ${now}))`;

function userOf(row: Row): KnownUser | null {
  const { known_email: email, role, last_seen_at: lastSeenAt } = row;
  if (email === null || role === null || lastSeenAt === null) return null;
  const suspension = row.suspended_at === null ? null : { reason: row.suspended_reason ?? '' };
  return { email, role, lastSeenAt, suspension };
}
