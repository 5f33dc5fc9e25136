import { and, eq, exists, getTableColumns, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '#worker/db/client.ts';
import { auth_one_time_tokens, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';

export type Account = typeof auth_users.$inferSelect;
export type SessionRow = typeof auth_sessions.$inferSelect;
/** Mails that anybody may ask for. */
export type MailKind = 'signup' | 'recovery';
/** `secure`: the link in the notice of a changed password. */
export type Kind = MailKind | 'secure';
export type OneTimeToken = typeof auth_one_time_tokens.$inferInsert;

/** A right password has no limit but the platform's, so that a script could fill the database with sessions. */
const SESSIONS_MAX = 100;

export const findByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.email, email)).get();

export const findById = (db: Db, id: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.id, id)).get();

/**
 * Inserts the row unless its address has an account: simultaneous sign-ups are no error. An account that nobody has confirmed
 * keeps everything, except that the browser with the same sign-up secret may correct the password it chose.
 * Returns the row where it is new.
 */
export async function insertAccount(db: Db, account: typeof auth_users.$inferInsert): Promise<Account | undefined> {
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

export const changeAccount = (db: Db, id: string, change: Partial<Account>): Promise<Account | undefined> =>
  db.update(auth_users).set(change).where(eq(auth_users.id, id)).returning().get();

/** The account and, if it is still there, the session that a token names. */
export async function findAccountAndSession(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<{ account: Account | undefined; session: SessionRow | undefined }> {
  const row = await db
    .select()
    .from(auth_users)
    .leftJoin(auth_sessions, and(eq(auth_sessions.user_id, auth_users.id), eq(auth_sessions.id, sessionId)))
    .where(eq(auth_users.id, userId))
    .get();
  return { account: row?.auth_users, session: row?.auth_sessions ?? undefined };
}

/**
 * Writes a session and the sign-in's change of the account in one batch, only while the account still has the password hash
 * that was checked and is not suspended: a password that is changed meanwhile opens nothing. Returns undefined otherwise.
 * Of an account's sessions the most recently used ones stay, `SESSIONS_MAX` of them.
 */
export async function insertSession(
  db: Db,
  session: SessionRow,
  checkedHash: string,
  change: Partial<Account>,
): Promise<Account | undefined> {
  const owner = and(
    eq(auth_users.id, session.user_id),
    eq(auth_users.password_hash, checkedHash),
    isNotSuspended(session.created_at),
  );
  const [, accounts] = await db.batch([
    db.insert(auth_sessions).select(sql`select ${asSelection(auth_sessions, session)} from ${auth_users} where ${owner}`),
    db
      .update(auth_users)
      .set(change)
      .where(and(eq(auth_users.id, session.user_id), hasSession(db, session.id)))
      .returning(),
    db.delete(auth_sessions).where(
      sql`${auth_sessions.id} in (select id from ${auth_sessions} where user_id = ${session.user_id}
        order by refreshed_at desc, created_at desc limit -1 offset ${SESSIONS_MAX})`,
    ),
  ]);
  return accounts[0];
}

export const findSession = (db: Db, id: string): Promise<SessionRow | undefined> =>
  db.select().from(auth_sessions).where(eq(auth_sessions.id, id)).get();

/**
 * Moves the session on only if `counter` is still its current one and its owner is not suspended: of parallel requests exactly
 * one gets the row.
 */
export const advanceSession = (db: Db, id: string, counter: number, now: number): Promise<SessionRow | undefined> =>
  db
    .update(auth_sessions)
    .set({ counter: counter + 1, refreshed_at: now })
    .where(
      and(
        eq(auth_sessions.id, id),
        eq(auth_sessions.counter, counter),
        exists(
          db
            .select({ one: sql`1` })
            .from(auth_users)
            .where(and(eq(auth_users.id, auth_sessions.user_id), isNotSuspended(now))),
        ),
      ),
    )
    .returning()
    .get();

export const deleteSession = (db: Db, id: string) => db.delete(auth_sessions).where(eq(auth_sessions.id, id));

export const deleteSessionsOf = (db: Db, userId: string) => db.delete(auth_sessions).where(eq(auth_sessions.user_id, userId));

export const deleteOtherSessions = (db: Db, userId: string, keep: string) =>
  db.delete(auth_sessions).where(and(eq(auth_sessions.user_id, userId), ne(auth_sessions.id, keep)));

/**
 * Replaces the password in one batch, only while `oldHash` is the stored one and the session that asked still exists: ends
 * every other session, voids all links and codes, and stores the token for the notice. Undefined where somebody was quicker.
 */
export async function replacePassword(
  db: Db,
  session: SessionRow,
  oldHash: string | null,
  change: Partial<Account> & { password_hash: string },
  notice: OneTimeToken,
  now: number,
): Promise<Account | undefined> {
  const id = session.user_id;
  // The new hash has a salt of its own, so only this batch can have stored it.
  const isDone = exists(
    db
      .select({ one: sql`1` })
      .from(auth_users)
      .where(and(eq(auth_users.id, id), eq(auth_users.password_hash, change.password_hash))),
  );
  const [accounts] = await db.batch([
    db
      .update(auth_users)
      .set(change)
      .where(
        and(
          eq(auth_users.id, id),
          sql`${auth_users.password_hash} is ${oldHash}`,
          isNotSuspended(now),
          hasSession(db, session.id),
        ),
      )
      .returning(),
    db.delete(auth_sessions).where(and(eq(auth_sessions.user_id, id), ne(auth_sessions.id, session.id), isDone)),
    db.delete(auth_one_time_tokens).where(and(eq(auth_one_time_tokens.user_id, id), isDone)),
    db
      .insert(auth_one_time_tokens)
      .select(sql`select ${asSelection(auth_one_time_tokens, { code_attempts: 0, ...notice })} where ${isDone}`),
  ]);
  return accounts[0];
}

/** A condition on `auth_users`. */
export const isNotSuspended = (now: number) => or(isNull(auth_users.banned_until), lte(auth_users.banned_until, now));

/** True while the session exists. */
const hasSession = (db: Db, id: string) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(auth_sessions)
      .where(eq(auth_sessions.id, id)),
  );

/** A row as the list of a SELECT that INSERT reads from, in the order of the table's columns. */
export function asSelection(table: SQLiteTable, row: Record<string, unknown>): SQL {
  const values = Object.keys(getTableColumns(table)).map((column) => sql`${row[column] ?? null}`);
  return sql.join(values, sql`, `);
}
