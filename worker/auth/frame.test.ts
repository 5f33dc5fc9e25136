import { env } from 'cloudflare:test';
import { importJWK, jwtVerify, type JWK } from 'jose';
import { expect, test } from 'vitest';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';

const BASE = '/api/auth/v1';
const auth = (path: string, init: RequestInit & { json?: unknown } = {}, overrides: Partial<Env> = {}) =>
  call(BASE + path, init, { ...EMBEDDED, ...overrides });

test('settings say what forms may offer', async () => {
  const off: Record<string, unknown> = await (await auth('/settings')).json();
  expect(off).toMatchObject({ disable_signup: false, mailer_autoconfirm: false, phone_autoconfirm: false, sms_provider: '' });
  expect(off['external']).toMatchObject({ email: true, phone: false, google: false, github: false, anonymous_users: false });
  expect(await (await auth('/settings', {}, { AUTH_AUTOCONFIRM: 'on' })).json()).toMatchObject({ mailer_autoconfirm: true });
});

test('health answers, a provider’s page is refused in JSON, an unknown path is a 404 in this service’s envelope', async () => {
  expect((await auth('/health')).status).toBe(200);
  const authorize = await auth('/authorize?provider=google');
  expect([authorize.status, await authorize.json()]).toEqual([
    400,
    { code: 400, error_code: 'validation_failed', msg: 'Unsupported provider: provider is not enabled' },
  ]);
  const nothing = await auth('/nothing');
  expect(nothing.status).toBe(404);
  expect(nothing.headers.get('x-sb-error-code')).toBe('not_found');
});

test('the published key verifies a token and holds nothing private', async () => {
  const { headers } = await signInEmbedded();
  const answer = await auth('/.well-known/jwks.json');
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=600');
  const { keys }: { keys: JWK[] } = await answer.json();
  expect(keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
    },
  ]);
  const token = (headers['Authorization'] ?? '').slice(7);
  const { payload } = await jwtVerify(token, await importJWK(keys[0] ?? {}, 'ES256'), { issuer: `${ORIGIN}${BASE}` });
  expect(payload.aud).toBe('authenticated');
  const row = await env.DB.prepare('SELECT private_jwk FROM auth_keys').first<{ private_jwk: string }>();
  expect(row?.private_jwk).not.toContain('"d"');
});

test('the envelope follows the asked API version, and errors name their code in a header', async () => {
  const refused = (version?: string) =>
    auth('/token?grant_type=password', { json: {}, headers: version === undefined ? {} : { 'X-Supabase-Api-Version': version } });
  for (const version of ['2024-01-01', '2025-06-30']) {
    const modern = await refused(version);
    expect(modern.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01');
    expect(modern.headers.get('x-sb-error-code')).toBe('validation_failed');
    expect(await modern.json()).toEqual({ code: 'validation_failed', message: 'missing email or phone' });
  }
  for (const version of [undefined, '2023-12-31', 'nonsense', 'zzzz']) {
    const old = await refused(version);
    expect(old.headers.get('X-Supabase-Api-Version')).toBeNull();
    expect(old.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(await old.json()).toEqual({ code: 400, error_code: 'validation_failed', msg: 'missing email or phone' });
  }
});

test('a page of another origin may ask and may read errors', async () => {
  const preflight = await auth('/token?grant_type=password', {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
    },
  });
  expect(preflight.status).toBe(204);
  expect(await preflight.text()).toBe('');
  const allowed = (preflight.headers.get('Access-Control-Allow-Headers') ?? '').split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['apikey', 'authorization', 'content-type', 'x-client-info', 'x-supabase-api-version']),
  );
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toMatch(/GET.*POST.*PUT/);
  expect(Number(preflight.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
  const answers = [
    preflight,
    await auth('/settings'),
    await auth('/user'),
    await auth('/nothing'),
    await auth('/token?grant_type=password', { method: 'POST', body: '{' }),
    await auth('/token?grant_type=password', { json: {} }),
  ];
  for (const answer of answers) {
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('x-supabase-api-version');
    expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false);
  }
});

test('the first shield answers 429 in this envelope, with the headers for other origins; refreshes have their own bucket', async () => {
  const keys: string[] = [];
  const LIMIT_AUTH: RateLimit = { limit: async ({ key }) => ({ success: keys.push(key) < 0 }) };
  const answer = await auth('/token?grant_type=password', { json: { email: 'a@example.com', password: 'x' } }, { LIMIT_AUTH });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await answer.json()).toMatchObject({ error_code: 'over_request_rate_limit', msg: 'Request rate limit reached' });
  await auth('/token?grant_type=refresh_token', { json: {} }, { LIMIT_AUTH });
  expect(keys[0]).not.toBe(keys[1]);
});

test.each([
  '/signup',
  '/token?grant_type=password',
  '/token?grant_type=refresh_token',
  '/resend',
  '/recover',
  '/verify',
  '/verify/describe',
])('odd bodies at %s are a 4xx, never a 5xx', async (path) => {
  const bodies = ['', '{', 'null', '[]', '"x"', '1', '{"email":[],"password":1,"type":{},"token_hash":7,"refresh_token":[]}'];
  const deep = `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const proto = '{"__proto__":{"email":"a@example.com","password":"secret-1"}}';
  for (const body of [...bodies, deep, proto, `{"email":"${'x'.repeat(20_000)}"}`]) {
    const answer = await auth(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    expect([answer.status >= 400 && answer.status < 500, body.slice(0, 60)]).toEqual([true, body.slice(0, 60)]);
  }
  const headers = { 'Content-Type': 'application/json' };
  const broken = await auth(path, { method: 'POST', body: new Uint8Array([0x7b, 0xff, 0xfe]), headers });
  expect(await broken.json()).toMatchObject({ error_code: 'bad_json' });
});

test.each(['/signup', '/token?grant_type=password', '/resend', '/recover', '/verify', '/verify/describe', '/logout', '/user'])(
  'a body at %s that is not declared as JSON is a 415',
  async (path) => {
    const method = path === '/user' ? 'PUT' : 'POST';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
      const answer = await auth(path, { method, body: new TextEncoder().encode('{}'), headers });
      expect([type, answer.status, answer.headers.get('x-sb-error-code')]).toEqual([type, 415, 'validation_failed']);
    }
  },
);

test('the limit of a network counts the /48 around it, too', async () => {
  const seen: string[] = [];
  const limiter = (isFree: boolean): RateLimit => ({ limit: async ({ key }) => (seen.push(key), { success: isFree }) });
  const ask = (ip: string, overrides: Partial<Env>) =>
    auth('/token?grant_type=password', { json: {}, headers: { 'CF-Connecting-IP': ip } }, overrides);
  const full = { LIMIT_AUTH: limiter(true), LIMIT_SITES: limiter(false) };
  expect((await ask('2001:db8:1:2::3', full)).status).toBe(429);
  expect(seen).toEqual(['token:sign-in:2001:db8:1:2::/64', 'token:sign-in:2001:db8:1::/48']);
  expect((await ask('192.0.2.9', full)).status).toBe(400);
});

test('with a hosted service configured there is nothing here', async () => {
  for (const path of ['/settings', '/.well-known/jwks.json', '/user']) expect((await call(BASE + path)).status).toBe(404);
  const half = { SUPABASE_URL: 'https://project.supabase.example', SUPABASE_PUBLISHABLE_KEY: '' };
  expect((await auth('/settings', {}, half)).status).toBe(200);
});

test('without AUTH_SECRET nothing works, the client learns nothing and the log says what to do', async () => {
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => void lines.push(line);
  try {
    for (const AUTH_SECRET of ['', 'short']) {
      const answer = await auth(
        '/token?grant_type=password',
        { json: { email: 'a@example.com', password: 'x' } },
        { AUTH_SECRET },
      );
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain('AUTH_SECRET');
    }
    expect((await call('/api/me', { headers: { Authorization: 'Bearer x' } }, { ...EMBEDDED, AUTH_SECRET: '' })).status).toBe(
      500,
    );
  } finally {
    console.log = log;
  }
  expect(lines.join('\n')).toContain('AUTH_SECRET is not set');
});
