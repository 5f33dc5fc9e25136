import { SCOPES, type Scope } from '#contract/api/scopes.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { newKeySecret, visiblePrefix } from './key-secret.ts';
import { findRedeemed, insertApiKey, redeemCode, revokeKey } from './store.ts';

/** How long an app has to redeem its code. RFC 6749 §4.1.2 allows ten minutes. */
const CODE_LIFETIME_MS = 2 * MINUTE_MS;

type NewAppKey = {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  host: string;
  /** Who may redeem the code. */
  binding: string;
  expiresAt: number;
};

/**
 * Creates the key of an app, which gets its secret once the app redeems the code. Returns null if
 * the account has too many keys.
 */
export async function createAppKey(db: Db, app: NewAppKey, now: number): Promise<string | null> {
  const code = randomToken();
  const isInserted = await insertApiKey(db, {
    id: crypto.randomUUID(),
    user_id: app.userId,
    name: app.name,
    scopes: SCOPES.filter((scope) => app.scopes.includes(scope)).join(' '),
    code_prefix: '',
    prefix: '',
    secret_hash: hashToken(code),
    previous_hash: null,
    previous_until: null,
    created_at: now,
    expires_at: app.expiresAt,
    last_used_at: null,
    app_host: app.host,
    code_binding: app.binding,
    code_until: now + CODE_LIFETIME_MS,
  });
  return isInserted ? code : null;
}

/**
 * Redeems a code for the secret of its key; null for a code that is not this app's, has expired or
 * was used. A code that is used twice may have been stolen, so its key is revoked (RFC 6749
 * §4.1.2).
 */
export async function redeemAppCode(
  db: Db,
  code: string,
  binding: string,
  now: number,
): Promise<{ secret: string; scopes: string; expiresAt: number } | null> {
  const codeHash = hashToken(code);
  const secret = newKeySecret();
  const stored = { prefix: visiblePrefix(secret), secret_hash: hashToken(secret) };
  const key = await redeemCode(db, { codeHash, binding }, now, stored);
  if (key !== undefined) return { secret, scopes: key.scopes, expiresAt: key.expires_at ?? now };
  const used = await findRedeemed(db, codeHash, binding);
  if (used !== undefined) await revokeKey(db, used.user_id, used.id, now);
  return null;
}
