import { randomBytes, timingSafeEqual } from 'node:crypto';
import { WAITING_MAX } from './hash-queue.ts';
import { derivePasswordKey, type Hashers } from './hasher-pool.ts';
import { SCRYPT, type ScryptParams } from './scrypt-params.ts';

const SALT_BYTES = 16;
const KEY_BYTES = 32;
const STORED =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Returns `$scrypt$ln=14,r=8,p=5$<salt>$<key>`. The hash contains its parameters, so that they can
 * be raised later. Null if too many hashes are waiting.
 */
export async function hashPassword(
  hashers: Hashers,
  password: string,
  params: ScryptParams = SCRYPT,
): Promise<string | null> {
  const salt = randomBytes(SALT_BYTES);
  const waitingMax = WAITING_MAX;
  const key = await derivePasswordKey(hashers, {
    password,
    salt,
    params,
    bytes: KEY_BYTES,
    waitingMax,
  });
  return (
    key && `$scrypt$ln=${params.ln},r=${params.r},p=${params.p}$${unpadded(salt)}$${unpadded(key)}`
  );
}

/** `isStale` is true if the hash was made with other parameters than today's. */
export type Comparison = { matches: boolean; isStale: boolean };

/**
 * Compares a password with a stored hash. Without a hash (unknown address, or no password set) it
 * does the same work, so that the time of the answer does not reveal which case it was. Null if
 * too many hashes are waiting: more than `waitingMax` in a place.
 */
export async function comparePassword(
  hashers: Hashers,
  password: string,
  stored: string | null,
  {
    params = SCRYPT,
    waitingMax = WAITING_MAX,
  }: { params?: ScryptParams; waitingMax?: number } = {},
): Promise<Comparison | null> {
  const parsed = stored === null ? null : parse(stored);
  const key = await derivePasswordKey(hashers, {
    password,
    salt: parsed?.salt ?? Buffer.alloc(SALT_BYTES),
    params: parsed?.params ?? params,
    bytes: parsed?.key.length ?? KEY_BYTES,
    waitingMax,
  });
  if (key === null) return null;
  if (parsed === null) return { matches: false, isStale: false };
  const { ln, r, p } = parsed.params;
  return {
    matches: timingSafeEqual(key, parsed.key),
    isStale: ln !== params.ln || r !== params.r || p !== params.p,
  };
}

function parse(stored: string): { params: ScryptParams; salt: Buffer; key: Buffer } | null {
  const [, ln, r, p, salt, key] = STORED.exec(stored) ?? [];
  if (
    ln === undefined ||
    r === undefined ||
    p === undefined ||
    salt === undefined ||
    key === undefined
  )
    return null;
  return {
    params: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

const unpadded = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '');
