import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { auth_passkey_challenges } from '#worker/db/schema-auth.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';

/** How long the browser has to answer a challenge. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** Challenges of one network that wait for their browser. More are given once these have ended. */
const WAITING_MAX = 300;

/** What a passkey is asked for. A challenge for one purpose is worthless for another. */
export type Purpose = (typeof auth_passkey_challenges.$inferSelect)['purpose'];

/** `sessionId` is the session that asks; null for a sign-in. */
export type Asker = { purpose: Purpose; sessionId: string | null };

/** `token` goes to the browser that asks, and back with its answer. `challenge` is in base64url. */
export type Challenge = { token: string; challenge: string; expiresAt: number };

/** Stores a new challenge; null if too many of this network wait. */
export async function startChallenge(
  { db, settings, network, site, now }: AuthContext,
  { purpose, sessionId }: Asker,
): Promise<Challenge | null> {
  const token = randomToken();
  const place = keyedHash(settings.secret, 'passkey-network', site || network);
  const expiresAt = now + CHALLENGE_MS;
  const max = settings.isLocal ? Number.MAX_SAFE_INTEGER : WAITING_MAX;
  const started = await db.run(sql`
    insert into ${auth_passkey_challenges} (token_hash, purpose, session_id, network, expires_at)
    select ${hashToken(token)}, ${purpose}, ${sessionId}, ${place}, ${expiresAt}
    where (select count(*) from ${auth_passkey_challenges} where network = ${place} and expires_at > ${now}) < ${max}`);
  if (started.meta.changes !== 1) return null;
  return { token, challenge: challengeOf(settings.secret, purpose, token), expiresAt };
}

/**
 * Uses up a challenge, whether or not its answer is right. Returns it only to the session that asked
 * and for the same purpose; null otherwise, or if it is unknown, used or expired.
 */
export async function takeChallenge(
  { db, settings, now }: Pick<AuthContext, 'db' | 'settings' | 'now'>,
  token: string,
  asker: Asker,
): Promise<string | null> {
  const taken = await db
    .delete(auth_passkey_challenges)
    .where(sql`${auth_passkey_challenges.token_hash} = ${hashToken(token)}`)
    .returning()
    .get();
  const isOwn =
    taken !== undefined &&
    taken.expires_at > now &&
    taken.purpose === asker.purpose &&
    taken.session_id === asker.sessionId;
  return isOwn ? challengeOf(settings.secret, asker.purpose, token) : null;
}

/** A copy of the database has no challenge, because the token and the key are not in it. */
const challengeOf = (secret: string, purpose: Purpose, token: string): string =>
  Buffer.from(keyedHash(secret, `passkey:${purpose}`, token), 'hex').toString('base64url');
