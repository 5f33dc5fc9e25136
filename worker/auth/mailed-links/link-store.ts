import { and, eq, gt, inArray, lt, sql, type SQL } from 'drizzle-orm';
import { assign, insertSelected, jsonList, runBatch, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { pendingOf } from '#worker/auth/service/pending-store.ts';
import { endForeignAccess, setProven } from '#worker/auth/service/prove-mailbox.ts';
import {
  isNotSuspended,
  sessionStatements,
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
  const { user_id, kind } = token;
  const sent = kind === 'signup' ? 'confirmation_sent_at' : 'recovery_sent_at';
  await runBatch(db, [
    sql`delete from ${auth_one_time_tokens} where user_id = ${user_id} and kind = ${kind}`,
    insertSelected(auth_one_time_tokens, token, sql``),
    sql`update ${auth_users} set ${assign({ [sent]: sentAt })} where id = ${user_id}`,
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
  const owner = (extra = sql`1`) =>
    sql`(select user_id from ${auth_one_time_tokens} join ${auth_users} on id = user_id
      where ${isRedeemable(link, now)} and ${isNotSuspended(now)} and ${extra})`;
  const begun = { ...session, user_id: sql`user_id` };
  const hasBegun = [auth_sessions, auth_pending_sign_ins].map(
    (table) => sql`(select user_id from ${table} where id = ${session.id})`,
  );
  const { account } = await runNamedBatch(db, {
    foreign: endForeignAccess(owner(sql`(proven_at is null or kind = 'secure')`), now),
    account: sql<Account>`update ${auth_users} set ${setProven(keepsPassword(link), now)}, last_sign_in_at = ${now}
      where id in ${owner()} returning *`,
    session: sessionStatements(begun, sql`from ${owner(sql`totp_confirmed_at is null`)}`),
    pending: insertSelected(
      auth_pending_sign_ins,
      pendingOf(begun),
      sql`from ${owner(sql`totp_confirmed_at is not null`)}`,
    ),
    voided: hasBegun.map(
      (owners) => sql`delete from ${auth_one_time_tokens} where user_id in ${owners}`,
    ),
  });
  return account.rows[0];
}

/** A condition on a link's row: the token and the kind match, and it has not expired. */
const isRedeemable = (link: PresentedLink, now: number) =>
  sql`token_hash = ${link.hash} and kind in ${jsonList(link.kinds)} and expires_at > ${now}`;

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
    when proven_at is not null then 1
    else ${kind} = 'signup' and sign_up_secret_hash = ${link.secretHash} end`;
}
