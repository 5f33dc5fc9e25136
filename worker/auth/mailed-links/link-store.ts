import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { pendingOf } from '#worker/auth/service/pending-store.ts';
import { endForeignAccess, provenColumns } from '#worker/auth/service/prove-mailbox.ts';
import {
  isNotSuspended,
  selectValues,
  type Account,
  type LinkKind,
  type OneTimeToken,
  type SessionRow,
} from '#worker/auth/service/store.ts';

/** Attempts that each mailed code allows. */
const CODE_ATTEMPTS = 5;

/**
 * Replaces the account's token of this kind, and records on the account when the email was sent.
 */
export async function storeOneTimeToken(
  db: Db,
  token: OneTimeToken,
  sentAt: number,
): Promise<void> {
  const sent =
    token.kind === 'signup' ? { confirmation_sent_at: sentAt } : { recovery_sent_at: sentAt };
  await db.batch([
    db
      .delete(auth_one_time_tokens)
      .where(
        and(
          eq(auth_one_time_tokens.user_id, token.user_id),
          eq(auth_one_time_tokens.kind, token.kind),
        ),
      ),
    db.insert(auth_one_time_tokens).values(token),
    db.update(auth_users).set(sent).where(eq(auth_users.id, token.user_id)),
  ]);
}

/**
 * Counts one attempt against the codes of these kinds and returns the ones that still accept it.
 * Call it before comparing, so that parallel guesses cannot exceed the limit.
 */
export const countCodeAttempt = (db: Db, userId: string, kinds: LinkKind[], now: number) =>
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

/**
 * A mailed link as a browser presents it. `secretHash` is the hash of the browser's sign-up secret,
 * or null.
 */
export type PresentedLink = { hash: string; kinds: LinkKind[]; secretHash: string | null };

/** Finds a valid link, and whether the account's password survives it. Changes nothing. */
export async function findMailedLink(
  db: Db,
  link: PresentedLink,
  now: number,
): Promise<{ kind: LinkKind; account: Account; keepsPassword: boolean } | undefined> {
  const row = await db
    .select({
      kind: auth_one_time_tokens.kind,
      account: auth_users,
      keeps: sql<number | null>`${keepsPassword(link)}`,
    })
    .from(auth_one_time_tokens)
    .innerJoin(auth_users, eq(auth_users.id, auth_one_time_tokens.user_id))
    .where(isRedeemable(link, now))
    .get();
  if (row === undefined) return undefined;
  return {
    kind: row.kind,
    account: row.account,
    keepsPassword: row.keeps === 1 && row.account.password_hash !== null,
  };
}

/**
 * Uses up a link in one batch, which proves that its owner has the mailbox. Sessions, API keys,
 * webhooks, passkeys and connected providers from before the proof end, and so does a role that such
 * a provider gave; the link in a notice ends all of them. A second factor from before the proof ends,
 * too; a later one makes the sign-in pending. The password is removed unless `keepsPassword` holds,
 * `session` starts, and all links and codes of the account become void. Returns the account;
 * undefined, without any change, for an invalid link or a suspended account.
 */
export async function redeemLink(
  db: Db,
  link: PresentedLink,
  session: Omit<SessionRow, 'user_id'>,
): Promise<Account | undefined> {
  const now = session.created_at;
  const owner = (extra?: SQL) =>
    db
      .select({ id: auth_one_time_tokens.user_id })
      .from(auth_one_time_tokens)
      .innerJoin(auth_users, eq(auth_users.id, auth_one_time_tokens.user_id))
      .where(and(isRedeemable(link, now), isNotSuspended(now), extra));
  const mayBeForeign = or(isNull(auth_users.proven_at), eq(auth_one_time_tokens.kind, 'secure'));
  const hasFactor = isNotNull(auth_users.totp_confirmed_at);
  const [, , , , , , , , accounts] = await db.batch([
    ...endForeignAccess(db, owner(mayBeForeign), now),
    db
      .update(auth_users)
      .set({ ...provenColumns(keepsPassword(link), now), last_sign_in_at: now })
      .where(inArray(auth_users.id, owner()))
      .returning(),
    db
      .insert(auth_sessions)
      .select(
        sql`select ${selectValues(auth_sessions, { ...session, user_id: sql`t.user_id` })} from (${owner(not(hasFactor)).getSQL()}) t`,
      ),
    db
      .insert(auth_pending_sign_ins)
      .select(
        sql`select ${selectValues(auth_pending_sign_ins, { ...pendingOf(session), user_id: sql`t.user_id` })} from (${owner(hasFactor).getSQL()}) t`,
      ),
    db.delete(auth_one_time_tokens).where(
      inArray(
        auth_one_time_tokens.user_id,
        db
          .select({ id: auth_sessions.user_id })
          .from(auth_sessions)
          .where(eq(auth_sessions.id, session.id))
          .unionAll(
            db
              .select({ id: auth_pending_sign_ins.user_id })
              .from(auth_pending_sign_ins)
              .where(eq(auth_pending_sign_ins.id, session.id)),
          ),
      ),
    ),
  ]);
  return accounts[0];
}

/** A condition on a link's row: the token and the kind match, and it has not expired. */
const isRedeemable = (link: PresentedLink, now: number) =>
  and(
    eq(auth_one_time_tokens.token_hash, link.hash),
    inArray(auth_one_time_tokens.kind, link.kinds),
    gt(auth_one_time_tokens.expires_at, now),
  );

/**
 * Whether the account's password survives this link, in SQL: 1 for yes; 0 or null for no. A
 * password chosen before the mailbox was proven survives only for the browser that chose it, which
 * presents the secret of its sign-up. Comparing hashes in SQL is safe, because its timing could
 * reveal only a hash and not the secret.
 */
function keepsPassword(link: PresentedLink): SQL {
  const kind = sql`(select kind from auth_one_time_tokens where token_hash = ${link.hash})`;
  return sql`case
    when ${kind} = 'secure' then 0
    when ${auth_users.proven_at} is not null then 1
    else ${kind} = 'signup' and ${auth_users.sign_up_secret_hash} = ${link.secretHash} end`;
}
