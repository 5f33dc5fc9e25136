import { errors, jwtVerify, SignJWT } from 'jose';
import type { Db } from '#worker/db/client.ts';
import { signingKeys } from './signing-keys.ts';
import type { Account, SessionRow } from '#worker/auth/service/store.ts';
import { refuse, type Refusal } from '#worker/auth/service/problems.ts';
import { isMetadata, readMetadata } from '#worker/auth/service/user-json.ts';

/**
 * The lifetime of an access token. The client refreshes it 90 s before it expires, so a much
 * shorter lifetime would make every tab refresh constantly.
 */
export const ACCESS_TOKEN_SECONDS = 3600;

type SignInKind = 'password' | 'otp' | 'oauth' | 'webauthn';

/**
 * An entry of a token's `amr` claim (RFC 8176): how the person signed in, and when, in seconds
 * since 1970.
 */
export type AmrEntry = { method: SignInKind | FactorMethod; timestamp: number };

/** How somebody has proven a second factor after the first one. */
export type FactorMethod = 'totp' | 'recovery_code';
/** A passkey verifies its user, so it is both factors. */
const FACTOR_METHODS = ['totp', 'recovery_code', 'webauthn'];
const isFactorMethod = (method: unknown): boolean => FACTOR_METHODS.some((one) => one === method);
/** Methods after which no code is asked for. A provider decides about a second factor itself. */
export const COMPLETE_METHODS = [...FACTOR_METHODS, 'oauth'];
export const isComplete = (method: unknown): boolean =>
  COMPLETE_METHODS.some((one) => one === method);

/**
 * The session after its owner has proven something at `now`. The first entry stays, because it says
 * how the session began; of the others, a newer one replaces an older one of the same method.
 */
export function withProof<T extends { amr: string }>(
  session: T,
  method: AmrEntry['method'],
  now: number,
): T {
  const before: AmrEntry[] = JSON.parse(session.amr);
  const kept = before.filter((entry, at) => at === 0 || entry.method !== method);
  const amr: AmrEntry[] = [...kept, { method, timestamp: Math.floor(now / 1000) }];
  return { ...session, amr: JSON.stringify(amr) };
}

/**
 * What signing and verifying this service's tokens needs. `issuer` is the `iss` claim; `now` is in
 * ms since 1970.
 */
export type TokenIssuer = { secret: string; issuer: string; now: number };

/**
 * Creates the access token of a session, signed with ES256. `expiresAt` is in seconds since 1970.
 */
export async function signAccessToken(
  db: Db,
  { secret, issuer, now }: TokenIssuer,
  account: Account,
  session: SessionRow,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<{ token: string; expiresAt: number }> {
  const keys = await signingKeys(db, secret, now);
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = issuedAt + seconds;
  const amr: unknown = JSON.parse(session.amr);
  const token = await new SignJWT({
    iss: issuer,
    sub: account.id,
    aud: 'authenticated',
    exp: expiresAt,
    iat: issuedAt,
    email: account.email,
    phone: '',
    app_metadata: readMetadata(account.app_metadata),
    user_metadata: readMetadata(account.user_metadata),
    role: 'authenticated',
    aal: lastSignIn(amr, isFactorMethod) === null ? 'aal1' : 'aal2',
    amr,
    session_id: session.id,
    is_anonymous: false,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: keys.kid })
    .sign(keys.privateKey);
  return { token, expiresAt };
}

/**
 * The claims of an access token. `signedInAt` is the last sign-in to this session in ms, or null if
 * the token does not contain it.
 */
export type TokenClaims =
  | { ok: true; userId: string; sessionId: string; email: string; signedInAt: number | null }
  | Refusal;

/**
 * Verifies a token that this service issued. The keys come from the database, not over HTTP. The
 * refusal contains no part of the token.
 */
export async function verifyOwnToken(
  db: Db,
  { secret, issuer, now }: TokenIssuer,
  token: string,
): Promise<TokenClaims> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key =
          kid === undefined
            ? undefined
            : (await signingKeys(db, secret, now, kid)).publicKeys.get(kid);
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        issuer,
        audience: 'authenticated',
        algorithms: ['ES256'],
        requiredClaims: ['exp'],
        clockTolerance: 5,
        currentDate: new Date(now),
      },
    );
    return readClaims(payload);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return toRefusal(error);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Accepts only the token of a signed-in person. The API keys `anon` and `service_role` are valid
 * tokens of the same issuer.
 */
export function readClaims(payload: unknown): TokenClaims {
  if (!isMetadata(payload) || payload['sub'] === undefined || payload['sub'] === '')
    return refuse('claim_sub_missing');
  const { sub, session_id: sessionId, role, is_anonymous: anonymous, email } = payload;
  if (typeof sub !== 'string' || !UUID.test(sub)) return refuse('claim_sub_not_uuid');
  if (typeof sessionId !== 'string' || !UUID.test(sessionId))
    return refuse('claim_session_not_uuid');
  if (role !== 'authenticated' || anonymous === true) return refuse('claim_not_user');
  return {
    ok: true,
    userId: sub,
    sessionId,
    email: typeof email === 'string' ? email.toLowerCase() : '',
    signedInAt: lastSignIn(payload['amr']),
  };
}

/**
 * The time of the newest entry of `amr` whose method counts, in ms; null if there is none.
 * Refreshing a session is no sign-in.
 */
export function lastSignIn(
  amr: unknown,
  counts = (method: unknown) => method !== 'token_refresh',
): number | null {
  if (!Array.isArray(amr)) return null;
  const times = amr.flatMap((entry: unknown) =>
    isMetadata(entry) && counts(entry['method']) && typeof entry['timestamp'] === 'number'
      ? [entry['timestamp']]
      : [],
  );
  return times.length === 0 ? null : Math.max(...times) * 1000;
}

function toRefusal(error: errors.JOSEError): Refusal {
  if (error instanceof errors.JWTExpired) return refuse('token_expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuse('token_claim_invalid', { detail: error.claim });
  if (error instanceof errors.JWSSignatureVerificationFailed) return refuse('token_forged');
  if (error instanceof errors.JOSEAlgNotAllowed) return refuse('token_algorithm_unknown');
  if (error instanceof errors.JWKSNoMatchingKey) return refuse('token_key_unknown');
  return refuse('token_malformed');
}
