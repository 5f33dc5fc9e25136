import { env } from 'cloudflare:test';
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey as Key,
  type JWK,
} from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { makeToken } from '#worker/testing/make.ts';
import { SignInServiceDown, verifyAccessToken } from './verify-access-token.ts';

/**
 * The key set that the hosted service publishes. Only the network is replaced: the Worker calls its
 * real fetch.
 */
let published: JWK[] = [];
let fetches = 0;
let down = false;
let project = 0;

const db = openDb(env.DB);
const hosted = (): Env => ({ ...env, SUPABASE_JWT_SECRET: '', SUPABASE_URL: url() });
const url = (): string => `https://project-${project}.supabase.example`;
const verify = (token: string, overrides: Partial<Env> = {}) =>
  verifyAccessToken(
    token,
    { ...hosted(), ...overrides },
    db,
    'http://localhost:8787/api/me',
    Date.now(),
  );

beforeEach(() => {
  // A new project for every test, so that no cached key set is used.
  project += 1;
  [published, fetches, down] = [[], 0, false];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const requested = input instanceof Request ? input.url : String(input);
    if (requested !== `${url()}/auth/v1/.well-known/jwks.json`)
      return new Response('', { status: 404 });
    fetches += 1;
    if (down) throw new TypeError('connect failed');
    return Response.json({ keys: published });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const SUB = '7f0f7a6e-5b0d-4f5e-9b53-0c6f2d0c1a11';
const SESSION = '0b0c4f4e-6f6b-4a3a-8f5b-9d7c1e2f3a44';

async function makeKey(alg: 'ES256' | 'RS256', kid: string) {
  const pair = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
  return { alg, kid, jwk, ...pair };
}

function sign(
  key: { alg: string; kid?: string; privateKey: Key | Uint8Array },
  claims: Record<string, unknown> = {},
  header = {},
) {
  const now = Math.floor(Date.now() / 1000);
  const merged = {
    iss: `${url()}/auth/v1`,
    sub: SUB,
    aud: 'authenticated',
    role: 'authenticated',
    session_id: SESSION,
    email: 'Ada@Example.com',
    iat: now,
    exp: now + 3600,
    ...claims,
  };
  const defined = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(defined)
    .setProtectedHeader({
      alg: key.alg,
      typ: 'JWT',
      ...(key.kid === undefined ? {} : { kid: key.kid }),
      ...header,
    })
    .sign(key.privateKey);
}
describe('verifying access tokens of a hosted service', () => {
  it.each(['ES256', 'RS256'] as const)(
    'accepts %s tokens of the project and fetches the keys once',
    async (alg) => {
      const key = await makeKey(alg, 'one');
      published = [key.jwk];
      for (let i = 0; i < 20; i += 1)
        expect(await verify(await sign(key))).toEqual({
          userId: SUB,
          sessionId: SESSION,
          email: 'ada@example.com',
          signedInAt: null,
        });
      expect(fetches).toBe(1);
    },
  );

  it('reads the last sign-in from the token, not counting refreshes', async () => {
    const key = await makeKey('ES256', 'one');
    published = [key.jwk];
    const signedInAt = async (amr: unknown) => (await verify(await sign(key, { amr })))?.signedInAt;
    const [password, totp, renewed] = [
      { method: 'password', timestamp: 1_000 },
      { method: 'totp', timestamp: 2_000 },
      { method: 'token_refresh', timestamp: 3_000 },
    ];
    expect(await signedInAt([renewed, totp, password])).toBe(2_000_000);
    for (const amr of [
      undefined,
      null,
      [],
      'password',
      ['password'],
      [renewed],
      [{ method: 'otp', timestamp: 'now' }],
    ])
      expect([amr, await signedInAt(amr)]).toEqual([amr, null]);
  });

  it('[T20] reloads the keys once for an unknown key, then not for 30 s', async () => {
    const [first, second, unknown] = [
      await makeKey('ES256', 'one'),
      await makeKey('ES256', 'two'),
      await makeKey('ES256', 'three'),
    ];
    published = [first.jwk];
    expect(await verify(await sign(first))).not.toBeNull();
    published = [first.jwk, second.jwk];
    expect(await verify(await sign(second))).not.toBeNull();
    expect(await verify(await sign(first))).not.toBeNull();
    expect(fetches).toBe(2);
    for (let i = 0; i < 10; i += 1) expect(await verify(await sign(unknown))).toBeNull();
    expect(fetches).toBe(2);
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] });
    for (let i = 0; i < 10; i += 1) expect(await verify(await sign(unknown))).toBeNull();
    expect(fetches).toBe(3);
    // The cached key set expires after ten minutes.
    published = [second.jwk];
    vi.setSystemTime(Date.now() + 601_000);
    expect(await verify(await sign(first))).toBeNull();
  });

  it.each([
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['without exp', { exp: undefined }],
    ['from another issuer', { iss: 'https://other.supabase.example/auth/v1' }],
    ['for another audience', { aud: 'anon' }],
    ['that is the anon key', { role: 'anon', sub: undefined, session_id: undefined }],
    ['with role anon', { role: 'anon' }],
    ['with role service_role', { role: 'service_role' }],
    ['of an anonymous user', { is_anonymous: true }],
    ['without sub', { sub: undefined }],
    ['with a sub that is not a UUID', { sub: '1 OR 1=1' }],
    ['without a session', { session_id: undefined }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 600 }],
  ])('[T20] rejects a token %s', async (_what, claims) => {
    const key = await makeKey('ES256', 'one');
    published = [key.jwk];
    expect(await verify(await sign(key, claims))).toBeNull();
    expect(await verify(await sign(key))).not.toBeNull();
  });

  it('accepts a clock that is a few seconds off', async () => {
    const key = await makeKey('ES256', 'one');
    published = [key.jwk];
    const now = Math.floor(Date.now() / 1000);
    expect(await verify(await sign(key, { iat: now + 3, nbf: now + 3 }))).not.toBeNull();
  });

  it('[T20] rejects forged tokens', async () => {
    const [rsa, own] = [await makeKey('RS256', 'one'), await makeKey('ES256', 'one')];
    published = [rsa.jwk];
    const [, payload = ''] = (await sign(rsa)).split('.');
    const none = base64url.encode(JSON.stringify({ alg: 'none', typ: 'JWT' }));
    expect(await verify(`${none}.${payload}.`)).toBeNull();
    const publicText = new TextEncoder().encode(await exportSPKI(rsa.publicKey));
    expect(
      await verify(await sign({ alg: 'HS256', kid: 'one', privateKey: publicText })),
    ).toBeNull();
    expect(await verify(await sign(own, {}, { jwk: own.jwk }))).toBeNull();
    expect(
      await verify(await sign(own, {}, { kid: 'other', jku: 'https://evil.example/jwks.json' })),
    ).toBeNull();
    expect(
      await verify(await sign({ ...rsa, privateKey: own.privateKey, alg: 'ES256' })),
    ).toBeNull();
    expect(await verify(await sign(rsa, { padding: 'x'.repeat(16_000) }))).toBeNull();
    for (const junk of ['', 'x', 'a.b.c', 'sb_publishable_x', `${none}.${none}.${none}`])
      expect(await verify(junk)).toBeNull();
    expect(await verify(await sign(rsa))).not.toBeNull();
  });

  it('[T20] accepts HS256 only with the secret, and then nothing else', async () => {
    const key = await makeKey('ES256', 'one');
    published = [key.jwk];
    const secret = 'the project’s own secret of 32 bytes or more';
    const legacy = { alg: 'HS256', privateKey: new TextEncoder().encode(secret) };
    expect(await verify(await sign(legacy))).toBeNull();
    expect(await verify(await sign(legacy), { SUPABASE_JWT_SECRET: secret })).toMatchObject({
      userId: SUB,
    });
    expect(
      await verify(await sign(legacy, { role: 'service_role' }), { SUPABASE_JWT_SECRET: secret }),
    ).toBeNull();
    expect(await verify(await sign(key), { SUPABASE_JWT_SECRET: secret })).toBeNull();
  });

  it('[T66] accepts no token while the secret is shorter than 32 bytes', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const tryWith = async (secret: string) => {
      const legacy = { alg: 'HS256', privateKey: new TextEncoder().encode(secret) };
      return verify(await sign(legacy), { SUPABASE_JWT_SECRET: secret });
    };
    for (const secret of ['x', 's'.repeat(31), 'é'.repeat(15)])
      await expect(tryWith(secret)).rejects.toMatchObject({
        refusal: { reason: 'not_set_up' },
      });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('SUPABASE_JWT_SECRET is shorter than 32 bytes');
    // Bytes count, not characters.
    for (const secret of ['s'.repeat(32), 'é'.repeat(16)])
      expect(await tryWith(secret)).toMatchObject({ userId: SUB });
  });

  it('throws when the key set cannot be fetched', async () => {
    const key = await makeKey('ES256', 'one');
    down = true;
    await expect(verify(await sign(key))).rejects.toBeInstanceOf(SignInServiceDown);
    down = false;
    published = [key.jwk];
    expect(await verify(await sign(key))).not.toBeNull();
  });

  it('logs an empty key set', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    expect(await verify(await makeToken({ sub: SUB, iss: `${url()}/auth/v1` }))).toBeNull();
    expect(await verify(await sign(await makeKey('ES256', 'one')))).toBeNull();
    expect(lines.join()).toContain('SUPABASE_JWT_SECRET');
  });

  it('ignores a slash at the end of SUPABASE_URL', async () => {
    const key = await makeKey('ES256', 'one');
    published = [key.jwk];
    expect(await verify(await sign(key), { SUPABASE_URL: `${url()}/` })).not.toBeNull();
  });
});
