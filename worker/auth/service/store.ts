import type { MailKind } from '#worker/mail/texts.ts';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { assign, insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { deletePendingOf, deleteOldPending, pendingOf } from './pending-store.ts';

export type Account = typeof auth_users.$inferSelect;
export type SessionRow = typeof auth_sessions.$inferSelect;
/** `secure` is the link in the notice of a changed password. */
export type LinkKind = MailKind | 'secure';
export type OneTimeToken = typeof auth_one_time_tokens.$inferInsert;

/**
 * The most sessions per account. Signing in with the correct password is hardly limited, so a
 * script could fill the database.
 */
const SESSIONS_MAX = 100;

export const findByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.email, email)).get();

export const findById = (db: Db, id: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.id, id)).get();

/** `id` is random if it is missing. `confirmed` marks the address as confirmed at `now`, in ms. */
export type NewAccount = {
  email: string;
  /** Null for an account that only a provider signs in. */
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  confirmed: boolean;
  now: number;
  id?: string;
};

/** The row of a new account. Reserved metadata members override what the client sends. */
export function newAccount({
  email,
  passwordHash,
  metadata,
  confirmed,
  now,
  id = crypto.randomUUID(),
}: NewAccount): Account {
  return {
    id,
    email,
    password_hash: passwordHash,
    email_confirmed_at: confirmed ? now : null,
    app_metadata: JSON.stringify({ provider: 'email', providers: ['email'] }),
    user_metadata: JSON.stringify({
      ...metadata,
      sub: id,
      email,
      email_verified: confirmed,
      phone_verified: false,
    }),
    created_at: now,
    updated_at: now,
    last_sign_in_at: null,
    confirmation_sent_at: null,
    recovery_sent_at: null,
    banned_until: null,
    proven_at: null,
    sign_up_secret_hash: null,
    known_browsers: null,
    totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
  };
}

/**
 * Inserts the account unless its address has one; simultaneous sign-ups are not an error. An
 * unconfirmed account stays unchanged, except that the browser with the same sign-up secret may
 * correct the password it chose. Returns the row only if it is new.
 */
export async function insertAccount(
  db: Db,
  account: typeof auth_users.$inferInsert,
): Promise<Account | undefined> {
  const [row] = await db
    .insert(auth_users)
    .values(account)
    .onConflictDoUpdate({
      target: auth_users.email,
      set: { password_hash: sql`excluded.password_hash`, updated_at: sql`excluded.updated_at` },
      setWhere: sql`${auth_users.email_confirmed_at} is null and ${auth_users.proven_at} is null
        and ${auth_users.sign_up_secret_hash} = excluded.sign_up_secret_hash`,
    })
    .returning();
  return row?.id === account.id ? row : undefined;
}

export const updateAccount = (
  db: Db,
  id: string,
  columns: Partial<Account>,
): Promise<Account | undefined> =>
  db.update(auth_users).set(columns).where(eq(auth_users.id, id)).returning().get();

/** The account and the session that a token names, if they still exist. */
export async function findAccountAndSession(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<{ account: Account | undefined; session: SessionRow | undefined }> {
  const row = await db
    .select()
    .from(auth_users)
    .leftJoin(
      auth_sessions,
      and(eq(auth_sessions.user_id, auth_users.id), eq(auth_sessions.id, sessionId)),
    )
    .where(eq(auth_users.id, userId))
    .get();
  return { account: row?.auth_users, session: row?.auth_sessions ?? undefined };
}

/**
 * Inserts a session and updates the account in one batch, provided that the account still has the
 * password hash that was checked and is not suspended; returns undefined otherwise. So a password
 * that is being replaced starts no session. With a second factor, the sign-in becomes pending
 * instead.
 */
export async function insertSession(
  db: Db,
  session: SessionRow,
  checkedHash: string,
  columns: Partial<Account>,
): Promise<Account | undefined> {
  const { id, user_id, created_at: now } = session;
  const from = sql`from ${auth_users} where id = ${user_id} and password_hash = ${checkedHash}
    and ${isNotSuspended(now)} and totp_confirmed_at is`;
  const { account } = await runNamedBatch(db, {
    pending: insertSelected(auth_pending_sign_ins, pendingOf(session), sql`${from} not null`),
    session: sessionStatements(session, sql`${from} null`),
    account: sql<Account>`update ${auth_users} set ${assign(columns)} where id = ${user_id}
      and (${hasSession(id)} or exists (select 1 from ${auth_pending_sign_ins} where id = ${id})) returning *`,
    old: deleteOldPending(user_id),
  });
  return account.rows[0];
}

/**
 * Statements with which every kind of sign-in starts its session, for the rows that `from` selects.
 * They delete the least recently used sessions of the account beyond SESSIONS_MAX. Those that the
 * owner was told about stay: a thief could otherwise void the link of that mail.
 */
export const sessionStatements = (
  session: Readonly<Record<string, unknown>> & { id: string },
  from: SQL,
): SQL[] => [
  insertSelected(auth_sessions, session, from),
  sql`delete from ${auth_sessions} where id in (select id from ${auth_sessions}
    where user_id = (select user_id from ${auth_sessions} where id = ${session.id}) and notice_hash is null
    order by refreshed_at desc, created_at desc limit -1 offset ${SESSIONS_MAX})`,
];

export const findSession = (db: Db, id: string): Promise<SessionRow | undefined> =>
  db.select().from(auth_sessions).where(eq(auth_sessions.id, id)).get();

/**
 * Increments the session's counter if it still is `counter` and the owner is not suspended. Exactly
 * one of several parallel requests gets the row.
 */
export const advanceSession = (
  db: Db,
  id: string,
  counter: number,
  now: number,
): Promise<SessionRow | undefined> =>
  db
    .update(auth_sessions)
    .set({ counter: counter + 1, refreshed_at: now })
    .where(
      and(
        eq(auth_sessions.id, id),
        eq(auth_sessions.counter, counter),
        sql`exists (select 1 from ${auth_users} where id = user_id and ${isNotSuspended(now)})`,
      ),
    )
    .returning()
    .get();

/** `session` requested the change; `notice` is the token in the email about it. `now` is in ms. */
export type PasswordReplacement = {
  session: SessionRow;
  oldHash: string | null;
  columns: Partial<Account> & { password_hash: string };
  notice: OneTimeToken;
  now: number;
};

/**
 * Replaces the password in one batch, provided that `oldHash` is still stored, the session still
 * exists and the account is not suspended; returns undefined otherwise. Ends every other session,
 * voids all links and codes, and stores the notice's token.
 */
export async function replacePassword(
  db: Db,
  { session, oldHash, columns, notice, now }: PasswordReplacement,
): Promise<Account | undefined> {
  const id = session.user_id;
  // Every hash has a random salt, so only this batch can have stored the new one.
  const isReplaced = sql`exists (select 1 from ${auth_users} where id = ${id} and password_hash = ${columns.password_hash})`;
  const { account } = await runNamedBatch(db, {
    account: sql<Account>`update ${auth_users} set ${assign(columns)} where id = ${id}
      and password_hash is ${oldHash} and ${isNotSuspended(now)} and ${hasSession(session.id)} returning *`,
    others: sql`delete from ${auth_sessions} where user_id = ${id} and id <> ${session.id} and ${isReplaced}`,
    pending: deletePendingOf(id, isReplaced),
    links: sql`delete from ${auth_one_time_tokens} where user_id = ${id} and ${isReplaced}`,
    notice: insertSelected(auth_one_time_tokens, notice, sql`where ${isReplaced}`),
  });
  return account.rows[0];
}

/** A condition on `auth_users`: the account is not suspended at `now` (ms). */
export const isNotSuspended = (now: number): SQL => sql`ifnull(banned_until, 0) <= ${now}`;

const hasSession = (id: string): SQL =>
  sql`exists (select 1 from ${auth_sessions} where id = ${id})`;
