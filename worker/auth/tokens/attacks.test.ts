import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '#worker/auth/tokens/rotate-signing-keys.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { withMethods } from '#worker/db/with-methods.ts';

const OTHER = { ...EMBEDDED, AUTH_SECRET: 'the secret after a leak, 32 bytes' };
/** Another isolate: no keys are cached for this binding. */
const isolate = (overrides: Partial<Env> = EMBEDDED): Partial<Env> => ({
  ...overrides,
  DB: withMethods(env.DB, {}),
});
const me = (headers: Record<string, string>, overrides?: Partial<Env>) =>
  call('/api/me', { headers }, isolate(overrides));
const rotate = (now: number) => rotateSigningKeys({ ...env, ...EMBEDDED }, now);

async function signIn(): Promise<Record<string, string>> {
  const { email, password } = await signInEmbedded();
  const answer = await call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    isolate(),
  );
  const { access_token: token } = await answer.json<{ access_token: string }>();
  return { Authorization: `Bearer ${token}` };
}

beforeEach(async () => {
  await env.DB.exec('DELETE FROM auth_keys');
});
describe('attacks with an old AUTH_SECRET', () => {
  it('[A14] tokens of a retired key are rejected after AUTH_SECRET has changed', async () => {
    const headers = await signIn();
    const now = Date.now();
    await rotate(now + 90 * DAY_MS);
    expect(await rotate(now + 90 * DAY_MS + HOUR_MS)).toEqual({ reason: 'key_activated' });
    expect((await me(headers)).status).toBe(200);
    expect((await me(headers, OTHER)).status).toBe(401);
    expect((await me(headers)).status).toBe(401);
  });

  it('[A14] a key that another AUTH_SECRET encrypted is never used', async () => {
    const headers = await signIn();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    // The next key is from before the change: anyone who has the old secret and a copy of the
    // database knows its private key.
    await env.DB.prepare(
      `INSERT INTO auth_keys (kid, public_jwk, private_jwk, status, created_at) VALUES (?, ?, ?, 'next', ?)`,
    )
      .bind(
        kid,
        JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
        btoa('encrypted with the old secret'),
        Date.now(),
      )
      .run();
    const claims = decodeJwt((headers['Authorization'] ?? '').slice(7));
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .sign(privateKey);
    expect((await me(headers)).status).toBe(200);
    expect((await me({ Authorization: `Bearer ${forged}` })).status).toBe(401);
    await rotate(Date.now() + 2 * HOUR_MS);
    expect((await me({ Authorization: `Bearer ${forged}` })).status).toBe(401);
    expect((await me(headers)).status).toBe(200);
  });

  it('[A14] hosted mode without AUTH_SECRET stores no counter under a public key', async () => {
    const shorten = (overrides: Partial<Env>) =>
      call(
        '/api/shorten',
        { json: { longUrl: 'https://example.com/' }, headers: { 'CF-Connecting-IP': '192.0.2.9' } },
        overrides,
      );
    const { code } = await (await shorten({})).json<{ code: string }>();
    const report = {
      json: { code, reason: 'spam', details: 'x' },
      headers: { 'CF-Connecting-IP': '192.0.2.9' },
    };
    await env.DB.exec('DELETE FROM counters');
    for (const AUTH_SECRET of ['', 'short']) {
      expect((await shorten({ AUTH_SECRET })).status).toBe(500);
      expect((await call('/api/reports', report, { AUTH_SECRET })).status).toBe(500);
      expect((await call(`/${code}`, {}, { AUTH_SECRET })).status).toBe(302);
      expect((await call('/api/health', {}, { AUTH_SECRET })).status).toBe(200);
    }
    expect((await env.DB.prepare('SELECT key FROM counters').all()).results).toEqual([]);
  });
});
