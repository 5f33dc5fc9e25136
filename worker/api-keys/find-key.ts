import { sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import type { Db } from '#worker/db/client.ts';
import { parseDomainNames } from '#worker/db/domain-names.ts';
import { linkIdsOf } from '#worker/db/link-ids.ts';
import { api_keys } from '#worker/db/schema-api.ts';
import { users } from '#worker/db/schema-users.ts';
import type { KeyIdentity } from '#worker/http/context.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { isKeySecret } from './key-secret.ts';
import { scopesOf } from './manage-keys.ts';
import { findKeyByHash, recordUse } from './store.ts';

/**
 * A condition in SQL: this secret of the key still works at `now` (ms), and its owner is not
 * suspended.
 */
export const keyHolds = ({ keyId, secretHash }: KeyIdentity, now: number): SQL =>
  sql`exists (select 1 from ${api_keys} k join ${users} u on u.id = k.user_id
    where k.id = ${keyId} and (k.secret_hash = ${secretHash} or (k.previous_hash = ${secretHash} and k.previous_until > ${now}))
      and (k.expires_at is null or k.expires_at > ${now}) and u.suspended_at is null)`;

/** The last use of a key is written at most this often, so that most requests write nothing. */
const LAST_USE_INTERVAL_MS = MINUTE_MS;

export type KeyLookup =
  | { ok: true; identity: KeyIdentity }
  | {
      ok: false;
      reason: 'unknown_key' | 'key_expired' | 'suspended';
      values?: { detail: string };
    };

const UNKNOWN = { ok: false, reason: 'unknown_key' } as const;

/**
 * Returns the identity behind the secret of a key. Nothing is cached, so a revoked key, a key whose
 * owner was suspended, and a secret whose overlap has ended are rejected at once.
 */
export async function findKey(db: Db, secret: string, now: number): Promise<KeyLookup> {
  return isKeySecret(secret) ? findKeyOf(db, hashToken(secret), now) : UNKNOWN;
}

/** `findKey` for the SHA-256 of a secret. */
export async function findKeyOf(db: Db, hash: string, now: number): Promise<KeyLookup> {
  const found = await findKeyByHash(db, hash);
  if (found === undefined) return UNKNOWN;
  const { key, subscription } = found;
  if (key.secret_hash !== hash && (key.previous_until ?? 0) <= now) return UNKNOWN;
  if (key.expires_at !== null && key.expires_at <= now) return { ok: false, reason: 'key_expired' };
  if (found.suspendedAt !== null)
    return { ok: false, reason: 'suspended', values: { detail: found.suspendedReason ?? '' } };
  if (key.last_used_at === null || key.last_used_at <= now - LAST_USE_INTERVAL_MS)
    await recordUse(db, key.id, now);
  const identity: KeyIdentity = {
    userId: key.user_id,
    plan: subscription === null ? 'free' : subscriptionAt(subscription, now).plan_type,
    keyId: key.id,
    secretHash: hash,
    keyName: key.name,
    scopes: scopesOf(key),
    codePrefix: key.code_prefix,
    expiresAt: key.expires_at,
    linkIds: linkIdsOf(found.linkIdKey),
    domains: parseDomainNames(found.domains),
  };
  return { ok: true, identity };
}
