import { and, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_codes, auth_one_time_tokens, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';

export type Account = typeof auth_users.$inferSelect;
export type SessionRow = typeof auth_sessions.$inferSelect;
export type Kind = 'signup' | 'recovery';
export type OneTimeToken = typeof auth_one_time_tokens.$inferInsert;
export type AuthCodeRow = typeof auth_codes.$inferSelect;

const CODE_ATTEMPTS = 5;

export const findByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.email, email)).get();

export const findById = (db: Db, id: string): Promise<Account | undefined> =>
  db.select().from(auth_users).where(eq(auth_users.id, id)).get();

/** The new row, or undefined where the address already has an account: simultaneous sign-ups are no error. */
export const insertAccount = (db: Db, account: typeof auth_users.$inferInsert): Promise<Account | undefined> =>
  db.insert(auth_users).values(account).onConflictDoNothing().returning().get();

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

/** Writes the session and the sign-in's marks on the account in one batch. */
export async function insertSession(db: Db, session: SessionRow, change: Partial<Account>): Promise<Account | undefined> {
  const [, accounts] = await db.batch([
    db.insert(auth_sessions).values(session),
    db.update(auth_users).set(change).where(eq(auth_users.id, session.user_id)).returning(),
  ]);
  return accounts[0];
}

export const findSession = (db: Db, id: string): Promise<SessionRow | undefined> =>
  db.select().from(auth_sessions).where(eq(auth_sessions.id, id)).get();

/** Moves the session on only if `counter` is still its current one: of parallel requests exactly one gets the row. */
export const advanceSession = (db: Db, id: string, counter: number, now: number): Promise<SessionRow | undefined> =>
  db
    .update(auth_sessions)
    .set({ counter: counter + 1, refreshed_at: now })
    .where(and(eq(auth_sessions.id, id), eq(auth_sessions.counter, counter)))
    .returning()
    .get();

export const deleteSession = (db: Db, id: string) => db.delete(auth_sessions).where(eq(auth_sessions.id, id));

export const deleteSessionsOf = (db: Db, userId: string) => db.delete(auth_sessions).where(eq(auth_sessions.user_id, userId));

export const deleteOtherSessions = (db: Db, userId: string, keep: string) =>
  db.delete(auth_sessions).where(and(eq(auth_sessions.user_id, userId), ne(auth_sessions.id, keep)));

export const deleteTokensOf = (db: Db, userId: string) =>
  db.delete(auth_one_time_tokens).where(eq(auth_one_time_tokens.user_id, userId));

export const deleteCodesOf = (db: Db, userId: string) => db.delete(auth_codes).where(eq(auth_codes.user_id, userId));

/** A new mail of a kind replaces the old token; the account remembers when it was sent. */
export async function putOneTimeToken(db: Db, token: OneTimeToken, sentAt: number): Promise<void> {
  const sent = token.kind === 'signup' ? { confirmation_sent_at: sentAt } : { recovery_sent_at: sentAt };
  await db.batch([
    db
      .delete(auth_one_time_tokens)
      .where(and(eq(auth_one_time_tokens.user_id, token.user_id), eq(auth_one_time_tokens.kind, token.kind))),
    db.insert(auth_one_time_tokens).values(token),
    db.update(auth_users).set(sent).where(eq(auth_users.id, token.user_id)),
  ]);
}

/** Uses a mailed link up: deletes and returns its row in one statement, so that it works once. */
export const takeOneTimeToken = (db: Db, hash: string, kinds: Kind[], now: number) =>
  db
    .delete(auth_one_time_tokens)
    .where(
      and(
        eq(auth_one_time_tokens.token_hash, hash),
        inArray(auth_one_time_tokens.kind, kinds),
        gt(auth_one_time_tokens.expires_at, now),
      ),
    )
    .returning()
    .get();

/** Counts one try at the mailed codes of these kinds before any is compared, so that parallel guesses cannot exceed the limit. */
export const countCodeAttempt = (db: Db, userId: string, kinds: Kind[], now: number) =>
  db
    .update(auth_one_time_tokens)
    .set({ code_attempts: sql`${auth_one_time_tokens.code_attempts} + 1` })
    .where(
      and(
        eq(auth_one_time_tokens.user_id, userId),
        inArray(auth_one_time_tokens.kind, kinds),
        gt(auth_one_time_tokens.expires_at, now),
        lt(auth_one_time_tokens.code_attempts, CODE_ATTEMPTS),
      ),
    )
    .returning();

export const insertAuthCode = (db: Db, code: AuthCodeRow) => db.insert(auth_codes).values(code);

export const findAuthCode = (db: Db, hash: string): Promise<AuthCodeRow | undefined> =>
  db.select().from(auth_codes).where(eq(auth_codes.code_hash, hash)).get();

export const takeAuthCode = (db: Db, hash: string): Promise<AuthCodeRow | undefined> =>
  db.delete(auth_codes).where(eq(auth_codes.code_hash, hash)).returning().get();
