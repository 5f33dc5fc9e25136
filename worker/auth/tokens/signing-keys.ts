import { sql } from 'drizzle-orm';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { MINUTE_MS } from '#contract/time.ts';
import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { auth_keys } from '#worker/db/schema-auth.ts';
import { decrypt, encrypt, type Sealing } from '#worker/secrets/encrypt.ts';

/**
 * The keys of access tokens. They use ES256, because the client's getClaims() supports only ES256
 * and RS256.
 */
export type SigningKeys = {
  kid: string;
  privateKey: CryptoKey;
  /** By `kid`. Contains every key whose tokens may still be valid. */
  publicKeys: ReadonlyMap<string, CryptoKey>;
  publicJwks: readonly JWK[];
};

type Loaded = { keys: SigningKeys; secret: string; loadedAt: number };

/**
 * How long an isolate caches the keys from D1, which is as long as clients cache the published
 * ones.
 */
const CACHE_MS = 10 * MINUTE_MS;
/** An unknown `kid` reloads the keys at most this often. */
const RELOAD_PAUSE_MS = 30_000;
const cache = new WeakMap<D1Database, Loaded>();

/**
 * Returns the signing keys; the first call creates one. Safe under concurrency: only one active key
 * can be inserted, and every caller reads that one. An unknown `wantedKid` reloads the keys.
 */
export async function signingKeys(
  db: Db,
  secret: string,
  now: number,
  wantedKid?: string,
): Promise<SigningKeys> {
  const cached = cache.get(db.$client);
  if (cached !== undefined && cached.secret === secret) {
    const age = now - cached.loadedAt;
    const missing =
      wantedKid !== undefined && !cached.keys.publicKeys.has(wantedKid) && age > RELOAD_PAUSE_MS;
    if (age < CACHE_MS && !missing) return cached.keys;
  }
  const keys = (await load(db, secret)) ?? (await create(db, secret, now));
  cache.set(db.$client, { keys, secret, loadedAt: now });
  return keys;
}

/** Creates a key with this status unless one exists. */
export async function insertSigningKey(
  db: Db,
  secret: string,
  status: 'active' | 'next',
  now: number,
): Promise<void> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const encrypted = await encrypt(
    sealing(secret, kid),
    JSON.stringify(await exportJWK(pair.privateKey)),
  );
  const row = JSON.stringify({ ...publicJwk, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] });
  await db.run(sql`insert into ${auth_keys} (kid, public_jwk, private_jwk, status, created_at)
    select ${kid}, ${row}, ${encrypted}, ${status}, ${now}
    where not exists (select 1 from ${auth_keys} where status = ${status})`);
}

async function create(db: Db, secret: string, now: number): Promise<SigningKeys> {
  await insertSigningKey(db, secret, 'active', now);
  const keys = await load(db, secret);
  if (keys === null) throw new Error('The signing key that was just created cannot be read.');
  return keys;
}

async function load(db: Db, secret: string): Promise<SigningKeys | null> {
  const stored = await readSigningKeys(db, secret);
  const active = stored.find(({ row }) => row.status === 'active');
  if (active === undefined) return null;
  const publicJwks = stored.map(({ row }) => toJwk(row.public_jwk));
  const entries = await Promise.all(
    stored.map(async ({ row }) => [row.kid, await toKey(toJwk(row.public_jwk))] as const),
  );
  return {
    kid: active.row.kid,
    privateKey: await toKey(active.privateJwk),
    publicKeys: new Map(entries),
    publicJwks,
  };
}

type StoredKey = { row: typeof auth_keys.$inferSelect; privateJwk: JWK };

/**
 * Reads the stored keys that `secret` encrypted, and deletes those that another AUTH_SECRET
 * encrypted, whatever their status. Anyone who knows the old secret may know the key, so none of
 * its tokens may be accepted and it must never sign. If the active key is one of them, AUTH_SECRET
 * has changed, and every key is deleted.
 */
export async function readSigningKeys(db: Db, secret: string): Promise<StoredKey[]> {
  const rows = await db.select().from(auth_keys);
  const decrypted = await Promise.all(
    rows.map(async (row) => ({
      row,
      privateJwk: await decryptKey(secret, row.kid, row.private_jwk),
    })),
  );
  const isChanged = decrypted.some(
    ({ row, privateJwk }) => row.status === 'active' && privateJwk === null,
  );
  const usable = isChanged
    ? []
    : decrypted.flatMap(({ row, privateJwk }) =>
        privateJwk === null ? [] : [{ row, privateJwk }],
      );
  if (usable.length === rows.length) return usable;
  const unusable = rows
    .map(({ kid }) => kid)
    .filter((kid) => !usable.some(({ row }) => row.kid === kid));
  logEvent('auth_signing_key_unreadable', {
    kids: unusable.join(' '),
    advice:
      'AUTH_SECRET has changed. These keys were deleted; everybody whose token they signed has to sign in again.',
  });
  // Deletes by id, so that a key which another isolate has just created is kept.
  await db.run(sql`delete from ${auth_keys} where kid in ${jsonList(unusable)}`);
  return usable;
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

/** Returns the private key; null if it was encrypted with another secret or for another key id. */
async function decryptKey(secret: string, kid: string, encrypted: string): Promise<JWK | null> {
  const text = await decrypt(sealing(secret, kid), encrypted);
  return text === null ? null : toJwk(text);
}

const sealing = (secret: string, kid: string): Sealing => ({
  secret,
  purpose: 'signing-key',
  owner: kid,
});
