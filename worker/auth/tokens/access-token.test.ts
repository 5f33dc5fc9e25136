import { env } from 'cloudflare:test';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { readSessionState } from '#worker/auth/sessions/session-state.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { signInEmbedded } from '#worker/testing/sign-in.ts';
import { verifyOwnToken, withProof, type AmrEntry } from './access-token.ts';
import { verifyRefreshToken } from './refresh-token.ts';
import { signingKeys } from './signing-keys.ts';

const db = openDb(env.DB);
const secret = env.AUTH_SECRET ?? '';
const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const ISSUER = 'http://localhost:8787/api/auth/v1';
const CLAIMS = {
  iss: ISSUER,
  sub: '7f0f7a6e-5b0d-4f5e-9b53-0c6f2d0c1a11',
  aud: 'authenticated',
  role: 'authenticated',
  session_id: '0b0c4f4e-6f6b-4a3a-8f5b-9d7c1e2f3a44',
  exp: SECONDS + 60,
};

/**
 * Verifies a token that the service's own key signed, with some claims changed. A change to
 * undefined removes the claim.
 */
async function verify(changes: Record<string, unknown>, now = NOW) {
  const keys = await signingKeys(db, secret, Date.now());
  const claims = Object.entries({ ...CLAIMS, ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  const token = await new SignJWT(Object.fromEntries(claims))
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: keys.kid })
    .sign(keys.privateKey);
  return verifyOwnToken(db, { secret, issuer: ISSUER, now }, token);
}

describe('withProof', () => {
  it('keeps how the session began, and replaces an older proof of the same method', () => {
    const entry = (method: AmrEntry['method'], timestamp: number) => ({ method, timestamp });
    const began = [entry('webauthn', 1), entry('totp', 2)];
    const proven = (method: AmrEntry['method']) =>
      JSON.parse(withProof({ amr: JSON.stringify(began) }, method, 3_999).amr);
    expect(proven('webauthn')).toEqual([...began, entry('webauthn', 3)]);
    expect(proven('totp')).toEqual([began[0], entry('totp', 3)]);
  });
});

describe('verifying access tokens of the embedded service', () => {
  it('[T20] accepts a token with the expected claims', async () => {
    expect(await verify({ email: 'Ada@Example.com' })).toEqual({
      ok: true,
      userId: CLAIMS.sub,
      sessionId: CLAIMS.session_id,
      email: 'ada@example.com',
      signedInAt: null,
    });
  });

  it.each([
    ['without exp', { exp: undefined }],
    ['from another issuer', { iss: 'https://other.example/api/auth/v1' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'anon' }],
    ['with another role', { role: 'service_role' }],
    ['of an anonymous user', { is_anonymous: true }],
    ['without sub', { sub: undefined }],
    ['with a sub that is not a UUID', { sub: 'admin' }],
    ['with a session that is not a UUID', { session_id: 'x' }],
  ])('[T20] rejects a token %s', async (_, changes) => {
    expect(await verify(changes)).toMatchObject({ ok: false });
  });

  it('accepts an expired token for less than five seconds', async () => {
    expect(await verify({}, NOW + 64_000)).toMatchObject({ ok: true });
    expect(await verify({}, NOW + 66_000)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('expired'),
    });
  });

  it('[T20] a session of another account is not active', async () => {
    const [ada, eve] = [await signInEmbedded(), await signInEmbedded()];
    const sessionId = verifyRefreshToken(secret, ada.refreshToken)?.sessionId ?? '';
    const isActive = async (userId: string) =>
      (await readSessionState(db, { userId, sessionId }, DAY_MS, Date.now())).isActive;
    expect([await isActive(ada.id), await isActive(eve.id)]).toEqual([true, false]);
  });
});
