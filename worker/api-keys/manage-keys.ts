import { SCOPES } from '#contract/api/scopes.ts';
import type { ApiKey, ApiKeyRequest, CreatedApiKey } from '#contract/api/api-keys.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import type { Db } from '#worker/db/client.ts';
import { newKeySecret, visiblePrefix } from './key-secret.ts';
import { insertApiKey, listKeys, replaceSecret, type KeyRow } from './store.ts';

export type CreateKeyResult =
  | { ok: true; key: CreatedApiKey }
  | { ok: false; reason: 'key_ends_in_past' | 'too_many_keys' };

/** Creates a key. Only the result contains its secret. */
export async function createKey(
  db: Db,
  userId: string,
  input: ApiKeyRequest,
  now: number,
): Promise<CreateKeyResult> {
  const expiresAt =
    input.expiresAt === undefined || input.expiresAt === null ? null : Date.parse(input.expiresAt);
  if (expiresAt !== null && expiresAt <= now) return { ok: false, reason: 'key_ends_in_past' };
  const secret = newKeySecret();
  const row: KeyRow = {
    id: crypto.randomUUID(),
    user_id: userId,
    name: input.name,
    scopes: SCOPES.filter((scope) => input.scopes.includes(scope)).join(' '),
    code_prefix: input.codePrefix ?? '',
    prefix: visiblePrefix(secret),
    secret_hash: hashToken(secret),
    previous_hash: null,
    previous_until: null,
    created_at: now,
    expires_at: expiresAt,
    last_used_at: null,
    app_host: null,
    code_binding: null,
    code_until: null,
  };
  return (await insertApiKey(db, row))
    ? { ok: true, key: { ...toApiKey(row, now), key: secret } }
    : { ok: false, reason: 'too_many_keys' };
}

export async function readApiKeys(db: Db, userId: string, now: number): Promise<ApiKey[]> {
  return (await listKeys(db, userId, now)).map((row) => toApiKey(row, now));
}

/**
 * Gives a member's key a new secret. The present one works for `overlapMs` more. Returns null if
 * they have no such key.
 */
export async function rotateKey(
  db: Db,
  { userId, id, overlapMs, now }: { userId: string; id: string; overlapMs: number; now: number },
): Promise<CreatedApiKey | null> {
  const secret = newKeySecret();
  const row = await replaceSecret(db, { id, user_id: userId }, now, {
    prefix: visiblePrefix(secret),
    secret_hash: hashToken(secret),
    previous_until: now + overlapMs,
  });
  return row === undefined ? null : { ...toApiKey(row, now), key: secret };
}

const timestamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

export function toApiKey(row: KeyRow, now: number): ApiKey {
  const overlaps = row.previous_until !== null && row.previous_until > now;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    app: row.app_host,
    scopes: scopesOf(row),
    codePrefix: row.code_prefix === '' ? null : row.code_prefix,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: timestamp(row.expires_at),
    lastUsedAt: timestamp(row.last_used_at),
    previousSecretUntil: overlaps ? timestamp(row.previous_until) : null,
  };
}

export const scopesOf = ({ scopes }: Pick<KeyRow, 'scopes'>) =>
  SCOPES.filter((scope) => scopes.split(' ').includes(scope));
