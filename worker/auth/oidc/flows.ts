import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_flows } from '#worker/db/schema-auth.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import type { Claims } from './ask-provider.ts';

/** How long a sign-in at the provider may take, and then how long its code works. */
export const FLOW_MS = 10 * MINUTE_MS;

/** Flows of one network that wait for their browser. More begin once these have ended. */
const WAITING_MAX = 300;

export type FlowRow = typeof auth_flows.$inferSelect;

/** `userId` is the account to connect; null for a sign-in. */
export type NewFlow = { challenge: string; next: string; userId: string | null };

/** Starts a flow and returns its state; null if too many of this network wait. */
export async function startFlow(
  { db, settings, network, site, now }: AuthContext,
  { challenge, next, userId }: NewFlow,
): Promise<string | null> {
  const state = randomToken();
  const place = keyedHash(settings.secret, 'oidc-network', site || network);
  const started = await db.run(sql`
    insert into ${auth_flows} (id, state_hash, challenge, next, user_id, network, expires_at)
    select ${crypto.randomUUID()}, ${hashToken(state)}, ${challenge}, ${next}, ${userId}, ${place}, ${now + FLOW_MS}
    where (select count(*) from ${auth_flows} where network = ${place} and expires_at > ${now}) < ${WAITING_MAX}`);
  return started.meta.changes === 1 ? state : null;
}

/** Uses up the state of a callback. Undefined if it is unknown, used or expired. */
export const takeState = (db: Db, state: string, now: number): Promise<FlowRow | undefined> =>
  db
    .update(auth_flows)
    .set({ state_hash: null })
    .where(
      sql`${auth_flows.state_hash} = ${hashToken(state)} and ${auth_flows.expires_at} > ${now}`,
    )
    .returning()
    .get();

/** Stores what the provider said, and returns the one-time code for the browser. */
export async function storeClaims(
  db: Db,
  flow: FlowRow,
  claims: Claims,
  now: number,
): Promise<string> {
  const code = randomToken();
  await db
    .update(auth_flows)
    .set({
      code_hash: hashToken(code),
      claims: JSON.stringify(claims),
      expires_at: now + FLOW_MS,
    })
    .where(sql`${auth_flows.id} = ${flow.id}`);
  return code;
}

/**
 * Uses up a one-time code, whether or not its verifier fits: a code that somebody else has seen
 * must not stay valid. Undefined if it is unknown, used or expired.
 */
export const takeCode = (db: Db, code: string, now: number): Promise<FlowRow | undefined> =>
  db
    .delete(auth_flows)
    .where(sql`${auth_flows.code_hash} = ${hashToken(code)} and ${auth_flows.expires_at} > ${now}`)
    .returning()
    .get();

export const deleteFlow = (db: Db, { id }: FlowRow) =>
  db.delete(auth_flows).where(sql`${auth_flows.id} = ${id}`);

/** Finds a flow by its one-time code, without using it up. */
export const findFlow = (db: Db, code: string, now: number): Promise<FlowRow | undefined> =>
  db
    .select()
    .from(auth_flows)
    .where(sql`${auth_flows.code_hash} = ${hashToken(code)} and ${auth_flows.expires_at} > ${now}`)
    .get();

/** Tries that each mailed code allows. */
const MAILBOX_ATTEMPTS = 5;

/** Stores a mailed code in place of the one before. The flow lasts as long as the code. */
export const storeMailboxCode = (
  db: Db,
  id: string,
  { mailbox, hash, expiresAt }: { mailbox: string; hash: string; expiresAt: number },
) =>
  db
    .update(auth_flows)
    .set({
      mailbox,
      mailbox_code_hash: hash,
      mailbox_attempts: 0,
      mailbox_proven_at: null,
      expires_at: expiresAt,
    })
    .where(sql`${auth_flows.id} = ${id}`);

/**
 * Counts a try and returns the hash to compare with; null if none is left. Counted first, so that
 * parallel guesses cannot exceed the limit.
 */
export async function countMailboxAttempt(
  db: Db,
  id: string,
  mailbox: string,
): Promise<string | null> {
  const row = await db
    .update(auth_flows)
    .set({ mailbox_attempts: sql`${auth_flows.mailbox_attempts} + 1` })
    .where(
      sql`${auth_flows.id} = ${id} and ${auth_flows.mailbox} = ${mailbox} and ${auth_flows.mailbox_attempts} < ${MAILBOX_ATTEMPTS}`,
    )
    .returning({ hash: auth_flows.mailbox_code_hash })
    .get();
  return row?.hash ?? null;
}

/** Uses up a mailed code. False if another request has, or a newer code replaced it. */
export async function markMailboxProven(
  db: Db,
  id: string,
  hash: string,
  now: number,
): Promise<boolean> {
  const proven = await db
    .update(auth_flows)
    .set({ mailbox_code_hash: null, mailbox_proven_at: now })
    .where(sql`${auth_flows.id} = ${id} and ${auth_flows.mailbox_code_hash} = ${hash}`)
    .returning({ id: auth_flows.id });
  return proven.length === 1;
}
