import { errors, jwtVerify, SignJWT } from 'jose';
import type { Db } from '#worker/db/client.ts';
import { signingKeys } from './signing-keys.ts';
import type { Account, SessionRow } from '#worker/auth/store.ts';
import { isMetadata, readMetadata } from '#worker/auth/user-json.ts';

/** Seconds. Much less would make every tab refresh all the time: the client renews 90 s before the end. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** How a session began, and when (in seconds). */
export type Amr = { method: 'password' | 'otp'; timestamp: number };

/** The access token of a session: ES256, with `kid`. `now` in ms. */
export async function signAccessToken(
  db: Db,
  secret: string,
  issuer: string,
  account: Account,
  session: SessionRow,
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const keys = await signingKeys(db, secret, now);
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
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
    aal: 'aal1',
    amr,
    session_id: session.id,
    is_anonymous: false,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: keys.kid })
    .sign(keys.privateKey);
  return { token, expiresAt };
}

/** `signedInAt`: when the person last signed in to this session, in ms; null where the token does not tell. */
export type OwnToken =
  | { ok: true; userId: string; sessionId: string; email: string; signedInAt: number | null }
  | { ok: false; reason: string };

/** Checks a token of our own without any HTTP: the keys come from the database. `reason` holds no part of the token. */
export async function verifyOwnToken(db: Db, secret: string, issuer: string, token: string, now: number): Promise<OwnToken> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : (await signingKeys(db, secret, now, kid)).publicKeys.get(kid);
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
    return { ok: false, reason: `invalid JWT: unable to parse or verify signature, ${reasonOf(error)}` };
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The members that make a token one of a signed-in person: the keys of `anon` and `service_role` verify as well. */
export function readClaims(payload: unknown): OwnToken {
  if (!isMetadata(payload) || payload['sub'] === undefined || payload['sub'] === '')
    return { ok: false, reason: 'invalid claim: missing sub claim' };
  const { sub, session_id: sessionId, role, is_anonymous: anonymous, email } = payload;
  if (typeof sub !== 'string' || !UUID.test(sub)) return { ok: false, reason: 'invalid claim: sub claim must be a UUID' };
  if (typeof sessionId !== 'string' || !UUID.test(sessionId))
    return { ok: false, reason: 'invalid claim: session_id claim must be a UUID' };
  if (role !== 'authenticated' || anonymous === true)
    return { ok: false, reason: 'invalid claim: not the token of a signed-in user' };
  return {
    ok: true,
    userId: sub,
    sessionId,
    email: typeof email === 'string' ? email.toLowerCase() : '',
    signedInAt: signedInAt(payload['amr']),
  };
}

/** The newest entry of `amr` that is a sign-in. Renewing a session is none. */
function signedInAt(amr: unknown): number | null {
  if (!Array.isArray(amr)) return null;
  const times = amr.flatMap((entry: unknown) =>
    isMetadata(entry) && entry['method'] !== 'token_refresh' && typeof entry['timestamp'] === 'number'
      ? [entry['timestamp']]
      : [],
  );
  return times.length === 0 ? null : Math.max(...times) * 1000;
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'token has invalid claims: token is expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `token has invalid claims: ${error.claim}`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'token signature is invalid';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'signing method is invalid';
  if (error instanceof errors.JWKSNoMatchingKey) return 'unrecognized JWT kid';
  return 'token is malformed';
}
