import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import { logEvent } from '#worker/log.ts';
import type { Db } from '#worker/db/client.ts';
import { readClaims, verifyOwnToken } from './access-token.ts';
import { authSecret, isEmbedded, issuerOf } from '#worker/auth/settings.ts';

/** What a verified access token says. The address is the one of the token's issue; nothing is read from `user_metadata`. */
export type VerifiedToken = { userId: string; email: string; sessionId: string; signedInAt: number | null };

/** Longer ones are not looked at: no issuer here makes them, and checking them costs. */
const TOKEN_MAX = 8192;
const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * Verifies an access token; null for anything that is not a valid token of a signed-in person. The key is chosen by the
 * configuration, never by the token: the embedded service's own keys, or the hosted service's JWKS, or,
 * for older projects, SUPABASE_JWT_SECRET and then only that. Throws where the keys cannot be had: that is no refusal.
 */
export async function verifyAccessToken(
  token: string,
  env: Env,
  db: Db,
  requestUrl: string,
  now: number,
): Promise<VerifiedToken | null> {
  if (token.length > TOKEN_MAX) return null;
  if (isEmbedded(env)) {
    const own = await verifyOwnToken(db, authSecret(env), issuerOf(env, requestUrl), token, now);
    return own.ok ? toVerified(own) : null;
  }
  const issuer = `${env.SUPABASE_URL.replace(/\/+$/, '')}/auth/v1`;
  const options: JWTVerifyOptions = {
    issuer,
    audience: 'authenticated',
    requiredClaims: ['sub', 'exp', 'session_id'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(now),
  };
  const verified = env.SUPABASE_JWT_SECRET
    ? await orNull(jwtVerify(token, new TextEncoder().encode(env.SUPABASE_JWT_SECRET), { ...options, algorithms: ['HS256'] }))
    : await verifyByJwks(token, issuer, options, now);
  const claims = verified === null ? null : readClaims(verified.payload);
  return claims?.ok === true ? toVerified(claims) : null;
}

const toVerified = ({ userId, email, sessionId, signedInAt }: VerifiedToken): VerifiedToken => ({
  userId,
  email,
  sessionId,
  signedInAt,
});

/**
 * One per issuer and isolate: it keeps the published keys for ten minutes. An unknown key makes it look once more at
 * once, so that a rotation is seen, and then not again for a while, so that forged key ids cost nothing.
 * Never state of record: an isolate that has none asks again.
 */
type Published = { keys: ReturnType<typeof createRemoteJWKSet>; lookedAt: number };
const published = new Map<string, Published>();
const UNKNOWN_KEY_PAUSE_MS = 30_000;

function publishedBy(issuer: string): Published {
  const known = published.get(issuer);
  if (known !== undefined) return known;
  const url = new URL(`${issuer}/.well-known/jwks.json`);
  // Looking again for unknown keys is done below: jose would wait after its first look, too.
  const made = { keys: createRemoteJWKSet(url, { cooldownDuration: Infinity }), lookedAt: -Infinity };
  published.set(issuer, made);
  return made;
}

async function verifyByJwks(token: string, issuer: string, options: JWTVerifyOptions, now: number) {
  const service = publishedBy(issuer);
  const check = () => jwtVerify(token, service.keys, { ...options, algorithms: ['ES256', 'RS256'] });
  const verified = await orNull(
    check().catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey) || now - service.lookedAt < UNKNOWN_KEY_PAUSE_MS) throw error;
      service.lookedAt = now;
      await service.keys.reload();
      return check();
    }),
  );
  if (verified === null && service.keys.jwks()?.keys.length === 0)
    logEvent('auth_jwks_empty', {
      advice:
        'The hosted project publishes no keys, so it still signs with HS256: every token fails until SUPABASE_JWT_SECRET is set.',
    });
  return verified;
}

/** The refusals of a token. Everything else (the key set could not be fetched or read) is an outage, and is thrown on. */
const REFUSALS: ReadonlySet<string> = new Set([
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
    if (error instanceof errors.JOSEError && REFUSALS.has(error.code)) return null;
    throw new SignInServiceDown(error);
  }
}

/** The hosted service could not be asked. Callers answer 503: a 401 would sign people out. */
export class SignInServiceDown extends Error {
  constructor(cause: unknown) {
    super(`The sign-in service's keys could not be fetched: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
