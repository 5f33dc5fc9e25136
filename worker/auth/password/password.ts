import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { queueHash } from './hash-queue.ts';
import { SCRYPT, type ScryptParams } from './scrypt-params.ts';

const SALT_BYTES = 16;
const KEY_BYTES = 32;
const STORED =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Returns `$scrypt$ln=14,r=8,p=5$<salt>$<key>`. The hash contains its parameters, so that they can
 * be raised later. Waits in the hash queue; null if it is full.
 */
export async function hashPassword(
  password: string,
  params: ScryptParams = SCRYPT,
): Promise<string | null> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, { params, bytes: KEY_BYTES });
  return (
    key && `$scrypt$ln=${params.ln},r=${params.r},p=${params.p}$${unpadded(salt)}$${unpadded(key)}`
  );
}

/** `isStale` is true if the hash was made with other parameters than today's. */
export type Comparison = { matches: boolean; isStale: boolean };

/**
 * Compares a password with a stored hash. Without a hash (unknown address, or no password set) it
 * does the same work, so that the time of the answer does not reveal which case it was. Waits in
 * the hash queue; null if it is full, or has more waiting than `waitingMax`.
 */
export async function comparePassword(
  password: string,
  stored: string | null,
  { params = SCRYPT, waitingMax }: { params?: ScryptParams; waitingMax?: number } = {},
): Promise<Comparison | null> {
  const parsed = stored === null ? null : parse(stored);
  if (parsed === null) {
    const key = await derive(password, Buffer.alloc(SALT_BYTES), {
      params,
      bytes: KEY_BYTES,
      waitingMax,
    });
    return key && { matches: false, isStale: false };
  }
  const key = await derive(password, parsed.salt, {
    params: parsed.params,
    bytes: parsed.key.length,
    waitingMax,
  });
  if (key === null) return null;
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

type Derivation = { params: ScryptParams; bytes: number; waitingMax?: number | undefined };

function derive(
  password: string,
  salt: Buffer,
  { params: { ln, r, p }, bytes, waitingMax }: Derivation,
): Promise<Buffer | null> {
  const hash = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      scrypt(
        password,
        salt,
        bytes,
        { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 },
        (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        },
      );
    });
  return queueHash(expectedDuration({ ln, r, p }), hash, waitingMax);
}

/**
 * About how long a hash takes, in ms: N=2^14, r=8, p=5 takes about 140 ms, and the time is
 * proportional to N, r and p.
 */
const expectedDuration = ({ ln, r, p }: ScryptParams): number =>
  (140 * (2 ** ln * r * p)) / (2 ** 14 * 8 * 5);

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
