import { jwtVerify } from 'jose';

/** What a verified access token says. */
export type VerifiedToken = { userId: string; email: string; emailVerified: boolean; sessionId: string };

/** Verifies an access token; null for anything that is not a valid token of a signed-in person. */
export async function verifyAccessToken(
  token: string,
  env: Env,
  _requestUrl: string,
  now: number,
): Promise<VerifiedToken | null> {
  if (env.SUPABASE_JWT_SECRET === undefined || token.length > 8192) return null;
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(env.SUPABASE_JWT_SECRET), {
      issuer: `${env.SUPABASE_URL}/auth/v1`,
      audience: 'authenticated',
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'exp', 'session_id'],
      clockTolerance: 5,
      currentDate: new Date(now),
    });
    if (payload['role'] !== 'authenticated' || typeof payload.sub !== 'string') return null;
    return {
      userId: payload.sub,
      email: typeof payload['email'] === 'string' ? payload['email'].toLowerCase() : '',
      emailVerified: true,
      sessionId: String(payload['session_id']),
    };
  } catch {
    return null;
  }
}
