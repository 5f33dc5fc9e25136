import { sql } from 'drizzle-orm';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_keys } from '#worker/db/schema-auth.ts';
import { deriveKey } from '#worker/auth/secrets.ts';

/** The keys that sign access tokens: ES256, because the client's getClaims() knows only that and RS256. */
export type SigningKeys = {
  kid: string;
  privateKey: CryptoKey;
  /** By kid: every key whose tokens may still be about. */
  publicKeys: ReadonlyMap<string, CryptoKey>;
  publicJwks: readonly JWK[];
};

type Loaded = { keys: SigningKeys; secret: string; loadedAt: number };

/** A copy of what D1 holds, per isolate and database: as long as clients keep theirs (10 min). */
const KEPT_MS = 600_000;
const UNKNOWN_KID_PAUSE_MS = 30_000;
const kept = new WeakMap<D1Database, Loaded>();

/** The keys, made on first use. Safe in a race: only one active key can be inserted, and all read it back. */
export async function signingKeys(db: Db, secret: string, now: number, wantedKid?: string): Promise<SigningKeys> {
  const known = kept.get(db.$client);
  if (known !== undefined && known.secret === secret) {
    const age = now - known.loadedAt;
    const missing = wantedKid !== undefined && !known.keys.publicKeys.has(wantedKid) && age > UNKNOWN_KID_PAUSE_MS;
    if (age < KEPT_MS && !missing) return known.keys;
  }
  const keys = (await load(db, secret)) ?? (await create(db, secret, now));
  kept.set(db.$client, { keys, secret, loadedAt: now });
  return keys;
}

/** Inserts a key with this status unless one of that status is there already. */
export async function insertKey(db: Db, secret: string, status: 'active' | 'next', now: number): Promise<void> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const sealed = await seal(secret, kid, JSON.stringify(await exportJWK(pair.privateKey)));
  const row = JSON.stringify({ ...publicJwk, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] });
  await db.run(sql`INSERT INTO auth_keys (kid, public_jwk, private_jwk, status, created_at)
    SELECT ${kid}, ${row}, ${sealed}, ${status}, ${now}
    WHERE NOT EXISTS (SELECT 1 FROM auth_keys WHERE status = ${status})`);
}

async function create(db: Db, secret: string, now: number): Promise<SigningKeys> {
  await insertKey(db, secret, 'active', now);
  const keys = await load(db, secret);
  if (keys === null) throw new Error('The signing key that was just made cannot be read.');
  return keys;
}

async function load(db: Db, secret: string): Promise<SigningKeys | null> {
  const stored = await readKeys(db, secret);
  const active = stored.find(({ row }) => row.status === 'active');
  if (active === undefined) return null;
  const publicJwks = stored.map(({ row }) => toJwk(row.public_jwk));
  const entries = await Promise.all(stored.map(async ({ row }) => [row.kid, await toKey(toJwk(row.public_jwk))] as const));
  return { kid: active.row.kid, privateKey: await toKey(active.privateJwk), publicKeys: new Map(entries), publicJwks };
}

type StoredKey = { row: typeof auth_keys.$inferSelect; privateJwk: JWK };

/**
 * The stored keys that `secret` has sealed. A key that another AUTH_SECRET sealed is deleted, whatever its status: whoever knows
 * the old secret may know the key, so none of its tokens may be accepted, and it must never sign. Where the active key is such
 * a one, AUTH_SECRET has changed and every key goes.
 */
export async function readKeys(db: Db, secret: string): Promise<StoredKey[]> {
  const rows = await db.select().from(auth_keys);
  const opened = await Promise.all(rows.map(async (row) => ({ row, privateJwk: await open(secret, row.kid, row.private_jwk) })));
  const isChanged = opened.some(({ row, privateJwk }) => row.status === 'active' && privateJwk === null);
  const ours = isChanged ? [] : opened.flatMap(({ row, privateJwk }) => (privateJwk === null ? [] : [{ row, privateJwk }]));
  if (ours.length === rows.length) return ours;
  const gone = rows.map(({ kid }) => kid).filter((kid) => !ours.some(({ row }) => row.kid === kid));
  logEvent('auth_signing_key_unreadable', {
    kids: gone.join(' '),
    advice: 'AUTH_SECRET has changed: these keys are deleted, and everybody whose token they signed signs in again.',
  });
  // By id: a key that another isolate has made in the meantime stays.
  await db.run(sql`DELETE FROM auth_keys WHERE kid IN (SELECT value FROM json_each(${JSON.stringify(gone)}))`);
  return ours;
}

function toJwk(text: string): JWK {
  const parsed: JWK = JSON.parse(text);
  return parsed;
}

async function toKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new TypeError('A signing key must be an EC key.');
  return key;
}

async function aesKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', new Uint8Array(deriveKey(secret, 'signing-key')), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

/** base64url(iv ‖ ciphertext), bound to the key's id. */
async function seal(secret: string, kid: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bytesOf(kid) },
    await aesKey(secret),
    bytesOf(text),
  );
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url');
}

/** The private key in `sealed`; null where another secret, or another key's id, has sealed it. */
async function open(secret: string, kid: string, sealed: string): Promise<JWK | null> {
  const bytes = new Uint8Array(Buffer.from(sealed, 'base64url'));
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData: bytesOf(kid) },
      await aesKey(secret),
      bytes.slice(12),
    );
    return toJwk(new TextDecoder().decode(plain));
  } catch {
    return null;
  }
}
