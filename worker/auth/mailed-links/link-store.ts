import { and, eq, gt, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_one_time_tokens, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';
import { asSelection, isNotSuspended, type Account, type Kind, type OneTimeToken, type SessionRow } from '#worker/auth/store.ts';

/** Tries at one mail's code. */
const CODE_ATTEMPTS = 5;

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

/** A link from a mail, as it is presented. `secretHash`: of the sign-up secret that the presenting browser keeps, or null. */
export type PresentedLink = { hash: string; kinds: Kind[]; secretHash: string | null };

/** What the link is for and whether the account's password survives it. Changes nothing. */
export async function describeLink(
  db: Db,
  link: PresentedLink,
  now: number,
): Promise<{ kind: Kind; account: Account; keepsPassword: boolean } | undefined> {
  const row = await db
    .select({ kind: auth_one_time_tokens.kind, account: auth_users, keeps: sql<number | null>`${keepsPassword(link)}` })
    .from(auth_one_time_tokens)
    .innerJoin(auth_users, eq(auth_users.id, auth_one_time_tokens.user_id))
    .where(isLive(link, now))
    .get();
  if (row === undefined) return undefined;
  return { kind: row.kind, account: row.account, keepsPassword: row.keeps === 1 && row.account.password_hash !== null };
}

/**
 * Uses a link up, in one batch: the mailbox is proven, the password goes unless `keepsPassword` says otherwise, sessions from
 * before the proof end (every session for the link of a notice), `session` begins, all links and codes of the account are void.
 * Undefined, and nothing changed, for a link that does not work (any more) or whose account is suspended.
 */
export async function redeemLink(
  db: Db,
  link: PresentedLink,
  session: Omit<SessionRow, 'user_id'>,
): Promise<{ kind: Kind; account: Account } | undefined> {
  const now = session.created_at;
  const owner = (extra?: SQL) =>
    db
      .select({ id: auth_one_time_tokens.user_id })
      .from(auth_one_time_tokens)
      .innerJoin(auth_users, eq(auth_users.id, auth_one_time_tokens.user_id))
      .where(and(isLive(link, now), isNotSuspended(now), extra));
  const isUnconfirmed = sql`${auth_users.email_confirmed_at} is null and not ifnull(${keepsPassword(link)}, 0)`;
  const [, accounts, , tokens] = await db.batch([
    db
      .delete(auth_sessions)
      .where(inArray(auth_sessions.user_id, owner(or(isNull(auth_users.proven_at), eq(auth_one_time_tokens.kind, 'secure'))))),
    db
      .update(auth_users)
      .set({
        password_hash: sql`case when ${keepsPassword(link)} then ${auth_users.password_hash} end`,
        // What a sign-up said about itself goes with its password. Metadata that SQLite cannot read stays as it is.
        user_metadata: sql`case
          when ${isUnconfirmed} then json_object('sub', ${auth_users.id}, 'email', ${auth_users.email}, 'email_verified', json('true'), 'phone_verified', json('false'))
          when json_valid(${auth_users.user_metadata}) then json_set(${auth_users.user_metadata}, '$.email_verified', json('true'))
          else ${auth_users.user_metadata} end`,
        proven_at: sql`ifnull(${auth_users.proven_at}, ${now})`,
        email_confirmed_at: sql`ifnull(${auth_users.email_confirmed_at}, ${now})`,
        // The previous release takes this for the sign that a mail was answered.
        confirmation_sent_at: sql`ifnull(${auth_users.confirmation_sent_at}, ${now})`,
        sign_up_secret_hash: null,
        last_sign_in_at: now,
        updated_at: now,
      })
      .where(inArray(auth_users.id, owner()))
      .returning(),
    db
      .insert(auth_sessions)
      .select(sql`select ${asSelection(auth_sessions, { ...session, user_id: sql`t.user_id` })} from (${owner().getSQL()}) t`),
    db
      .delete(auth_one_time_tokens)
      .where(
        inArray(
          auth_one_time_tokens.user_id,
          db.select({ id: auth_sessions.user_id }).from(auth_sessions).where(eq(auth_sessions.id, session.id)),
        ),
      )
      .returning(),
  ]);
  const [account] = accounts;
  const used = tokens.find((token) => token.token_hash === link.hash);
  return account === undefined || used === undefined ? undefined : { kind: used.kind, account };
}

/** The row of a link that works: of one of these kinds, and not too old. */
const isLive = (link: PresentedLink, now: number) =>
  and(
    eq(auth_one_time_tokens.token_hash, link.hash),
    inArray(auth_one_time_tokens.kind, link.kinds),
    gt(auth_one_time_tokens.expires_at, now),
  );

/**
 * Whether the account's password outlives this link: 1, 0 or null for no. A password that was chosen before the mailbox was
 * proven stays only for the browser that chose it, which shows the sign-up's secret. The hash is compared by the database:
 * what its timing could tell is about a hash, not about the secret.
 */
function keepsPassword(link: PresentedLink): SQL {
  const kind = sql`(select kind from auth_one_time_tokens where token_hash = ${link.hash})`;
  return sql`case
    when ${kind} = 'secure' then 0
    when ${auth_users.proven_at} is not null then 1
    else ${kind} = 'signup' and ${auth_users.sign_up_secret_hash} = ${link.secretHash} end`;
}
