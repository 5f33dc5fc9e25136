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
