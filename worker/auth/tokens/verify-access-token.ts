import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { readClaims, verifyOwnToken, type TokenClaims } from './access-token.ts';
import { authSecret, hostedJwtSecret, issuerOf } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';

/**
 * The claims of a verified access token. `email` is the address at the time of issue; nothing is
 * read from `user_metadata`.
 */
export type VerifiedToken = Omit<Extract<TokenClaims, { ok: true }>, 'ok'>;

/**
 * In characters. Longer tokens are rejected unread, because no issuer creates them and verifying
 * them costs CPU time.
 */
const TOKEN_MAX_LENGTH = 8192;
const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * Verifies an access token. Returns null for anything but a valid token of a signed-in person. The
 * configuration chooses the key, never the token: the embedded service's keys, the hosted service's
 * JWKS, or, for older hosted projects, SUPABASE_JWT_SECRET and nothing else. Throws
 * SignInServiceDown if the keys cannot be fetched, because the token may be valid.
 */
export async function verifyAccessToken(
  token: string,
  env: Env,
  db: Db,
  requestUrl: string,
  now: number,
): Promise<VerifiedToken | null> {
  if (token.length > TOKEN_MAX_LENGTH) return null;
  if (isEmbedded(env)) {
    const claims = await verifyOwnToken(
      db,
      { secret: authSecret(env), issuer: issuerOf(env, requestUrl), now },
      token,
    );
    return claims.ok ? toVerified(claims) : null;
  }
  const issuer = `${env.SUPABASE_URL.replace(/\/+$/, '')}/auth/v1`;
  const options: JWTVerifyOptions = {
    issuer,
    audience: 'authenticated',
    requiredClaims: ['sub', 'exp', 'session_id'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(now),
  };
  const secret = hostedJwtSecret(env);
  const verified =
    secret === null
      ? await verifyByJwks(token, issuer, options, now)
      : await orNull(jwtVerify(token, secret, { ...options, algorithms: ['HS256'] }));
  const claims = verified === null ? null : readClaims(verified.payload);
  return claims?.ok === true ? toVerified(claims) : null;
}

const toVerified = ({ ok: _ok, ...token }: Extract<TokenClaims, { ok: true }>): VerifiedToken =>
  token;

/**
 * The published keys of an issuer, cached for ten minutes per isolate. An unknown key id reloads
 * them at once, because the keys may have been rotated. They are not reloaded again for
 * RELOAD_PAUSE_MS, so that forged key ids cause no further requests.
 */
type KeySet = { keys: ReturnType<typeof createRemoteJWKSet>; reloadedAt: number };
const keySets = new Map<string, KeySet>();
const RELOAD_PAUSE_MS = 30_000;

function keySetOf(issuer: string): KeySet {
  const cached = keySets.get(issuer);
  if (cached !== undefined) return cached;
  const url = new URL(`${issuer}/.well-known/jwks.json`);
  // verifyByJwks reloads the keys itself, because jose's cooldown would start with the first fetch
  // and hide an early rotation.
  const created = {
    keys: createRemoteJWKSet(url, { cooldownDuration: Infinity }),
    reloadedAt: -Infinity,
  };
  keySets.set(issuer, created);
  return created;
}

async function verifyByJwks(token: string, issuer: string, options: JWTVerifyOptions, now: number) {
  const keySet = keySetOf(issuer);
  const check = () => jwtVerify(token, keySet.keys, { ...options, algorithms: ['ES256', 'RS256'] });
  const verified = await orNull(
    check().catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey) || now - keySet.reloadedAt < RELOAD_PAUSE_MS)
        throw error;
      keySet.reloadedAt = now;
      await keySet.keys.reload();
      return check();
    }),
  );
  if (verified === null && keySet.keys.jwks()?.keys.length === 0)
    logEvent('auth_jwks_empty', {
      advice:
        'The hosted project publishes no keys because it signs with HS256. Set SUPABASE_JWT_SECRET: until then all tokens are rejected.',
    });
  return verified;
}

/**
 * Error codes that mean the token is invalid. Any other error means that the key set could not be
 * fetched or read.
 */
const INVALID_TOKEN_ERRORS: ReadonlySet<string> = new Set([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
]);

async function orNull<T>(verification: Promise<T>): Promise<T | null> {
  try {
    return await verification;
  } catch (error) {
    if (error instanceof errors.JOSEError && INVALID_TOKEN_ERRORS.has(error.code)) return null;
    throw new SignInServiceDown(error);
  }
}

/**
 * The hosted sign-in service is unreachable. The answer is 503, because a 401 would sign people
 * out.
 */
export class SignInServiceDown extends Error {
  constructor(cause: unknown) {
    super("The sign-in service's keys could not be fetched.", { cause });
  }
}
