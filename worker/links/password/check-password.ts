import { authSecret } from '#worker/auth/service/settings.ts';
import { timingSafeEqual } from 'node:crypto';
import { LINK_PASSWORD_MAX } from '#contract/limits.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { consume, refund } from '#worker/auth/limits/counters.ts';
import { hasRoomForHash, type Hashers } from '#worker/auth/password/hasher-pool.ts';
import { comparePassword } from '#worker/auth/password/password.ts';
import { openDb } from '#worker/db/client.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import { createLru } from '#worker/redirect/lru.ts';
import { findExceededNetwork, networksOf } from '#worker/redirect/network-limit.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

/** The most wrong passwords of one network, or of an IPv6 /48, for one link. */
const TRIES = { max: 10, windowMs: 15 * MINUTE_MS } as const;
/** Less than the queue holds, so that a flood of these passwords leaves room for sign-ins. */
const WAITING_MAX = 3;
/** Room for a password of 100 characters, each encoded as 12 bytes. */
const BODY_MAX_BYTES = 2_000;

/**
 * The right passwords that this isolate has seen, as keyed hashes, by the stored hash. Once one is
 * known, any password is compared without the slow hash, so a flood delays no visitor.
 */
const rightPasswords = createLru<string>(1_000);

export type PasswordCheck =
  | { result: 'right' }
  | { result: 'wrong' | 'missing' | 'busy' }
  | { result: 'limited'; retryAfterMs: number };

/**
 * Compares the password in a form with the hash of a link's password. Limits come first, whether or
 * not the password is known, and no network can use up the tries of another.
 */
export async function checkPassword(
  request: Request,
  env: Env,
  { id, hash }: { id: number; hash: string },
  now: number,
): Promise<PasswordCheck> {
  if ((await findExceededNetwork(env, env.LIMIT_MISSES, 'password', request)) !== null)
    return { result: 'limited', retryAfterMs: MINUTE_MS };
  const password = await readPassword(request);
  if (password === '') return { result: 'missing' };
  if (password.length > LINK_PASSWORD_MAX) return { result: 'wrong' };
  const right = rightPasswords.get(hash);
  if (right === undefined && !hasRoomForHash(WAITING_MAX)) return { result: 'busy' };
  const secret = authSecret(env);
  const { network, site } = networksOf(request);
  const caller = keyedHash(secret, 'link-password-try', site || network);
  const limits = [{ key: `link-password:${id}:${caller}`, ...TRIES }];
  const db = openDb(env.DB);
  const { exceeded } = await consume(db, limits, now);
  if (exceeded !== null) return { result: 'limited', retryAfterMs: exceeded.retryAfterMs };
  const given = keyedHash(secret, 'link-password-right', JSON.stringify([hash, password]));
  const isRight =
    right === undefined
      ? await compare(env.PASSWORD_HASHERS, password, hash)
      : isEqual(given, right);
  if (isRight !== false) await refund(db, limits);
  if (isRight === null) return { result: 'busy' };
  if (isRight) rightPasswords.set(hash, given);
  return { result: isRight ? 'right' : 'wrong' };
}

const compare = async (hashers: Hashers, password: string, hash: string): Promise<boolean | null> =>
  (await comparePassword(hashers, password, hash, { waitingMax: WAITING_MAX }))?.matches ?? null;

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other));

async function readPassword({ headers, body }: Request): Promise<string> {
  const type = headers.get('Content-Type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return '';
  const read = await readBodyText(body, BODY_MAX_BYTES);
  return read.ok ? (new URLSearchParams(read.text).get('password') ?? '').normalize('NFC') : '';
}
