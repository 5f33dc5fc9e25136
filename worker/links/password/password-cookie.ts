import { timingSafeEqual } from 'node:crypto';
import { HOUR_MS } from '#contract/time.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';

/** The link of a cookie, and the hash of its password, so that a new password ends the cookie. */
export type Guarded = { path: string; id: number; hash: string };

const NAME = 'hop-password';
/** How long a correct password is remembered. */
const REMEMBERED_MS = HOUR_MS;

/** The Set-Cookie header that remembers a correct password of one link in this browser. */
export function passwordCookie(
  secret: string,
  guarded: Guarded,
  { isHttps, now }: { isHttps: boolean; now: number },
): string {
  const end = now + REMEMBERED_MS;
  const value = `${end}.${sign(secret, guarded, end)}`;
  return `${NAME}=${value}; Path=${guarded.path}; Max-Age=${REMEMBERED_MS / 1000}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
}

/** True if the request has a valid cookie of this link. */
export function hasPasswordCookie(
  secret: string,
  guarded: Guarded,
  request: Request,
  now: number,
): boolean {
  const cookies = (request.headers.get('Cookie') ?? '').split('; ');
  return cookies.some((cookie) => {
    const [, end, signature] = VALUE.exec(cookie) ?? [];
    if (end === undefined || signature === undefined) return false;
    const left = Number(end) - now;
    if (left <= 0 || left > REMEMBERED_MS) return false;
    const expected = sign(secret, guarded, Number(end));
    return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  });
}

const VALUE = new RegExp(`^${NAME}=(\\d{1,15})\\.([\\da-f]{64})$`);

const sign = (secret: string, { id, hash }: Guarded, end: number): string =>
  keyedHash(secret, 'link-password', JSON.stringify([id, hash, end]));
