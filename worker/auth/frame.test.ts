import { env } from 'cloudflare:test';
import { importJWK, jwtVerify, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';

const BASE = '/api/auth/v1';
const auth = (
  path: string,
  init: RequestInit & { json?: unknown } = {},
  overrides: Partial<Env> = {},
) => call(BASE + path, init, { ...EMBEDDED, ...overrides });
describe('routes of the sign-in service', () => {
  it('returns the settings that forms need', async () => {
    const off: Record<string, unknown> = await (await auth('/settings')).json();
    expect(off).toEqual({
      external: expect.any(Object),
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: true,
    });
    // The provider of a company is in the configuration of the page instead.
    const external = Object.entries(off['external'] ?? {});
    expect(external.filter(([, isOffered]) => isOffered)).toEqual([['email', true]]);
    expect(external.map(([name]) => name)).toEqual(
      expect.arrayContaining(['phone', 'google', 'github', 'anonymous_users']),
    );
    expect(await (await auth('/settings', {}, { AUTH_AUTOCONFIRM: 'on' })).json()).toMatchObject({
      mailer_autoconfirm: true,
    });
  });

  it('answers /health, rejects providers, and returns 404 for an unknown path', async () => {
    expect((await auth('/health')).status).toBe(200);
    const authorize = await auth('/authorize?provider=google');
    expect([authorize.status, await authorize.json()]).toEqual([
      400,
      {
        code: 400,
        error_code: 'validation_failed',
        msg: 'Unsupported provider: provider is not enabled',
      },
    ]);
    const nothing = await auth('/nothing');
    expect(nothing.status).toBe(404);
    expect(nothing.headers.get('x-sb-error-code')).toBe('not_found');
  });

  it('publishes a key that verifies tokens and contains nothing private', async () => {
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
    const { payload } = await jwtVerify(token, await importJWK(keys[0] ?? {}, 'ES256'), {
      issuer: `${ORIGIN}${BASE}`,
    });
    expect(payload.aud).toBe('authenticated');
    const row = await env.DB.prepare('SELECT private_jwk FROM auth_keys').first<{
      private_jwk: string;
    }>();
    expect(row?.private_jwk).not.toContain('"d"');
  });

  it('uses the error envelope of the requested API version', async () => {
    const refused = (version?: string) =>
      auth('/token?grant_type=password', {
        json: {},
        headers: version === undefined ? {} : { 'X-Supabase-Api-Version': version },
      });
    for (const version of ['2024-01-01', '2025-06-30']) {
      const modern = await refused(version);
      expect(modern.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01');
      expect(modern.headers.get('x-sb-error-code')).toBe('validation_failed');
      expect(await modern.json()).toEqual({
        code: 'validation_failed',
        message: 'missing email or phone',
      });
    }
    for (const version of [undefined, '2023-12-31', 'nonsense', 'zzzz']) {
      const old = await refused(version);
      expect(old.headers.get('X-Supabase-Api-Version')).toBeNull();
      expect(old.headers.get('Content-Type')).toMatch(/^application\/json/);
      expect(await old.json()).toEqual({
        code: 400,
        error_code: 'validation_failed',
        msg: 'missing email or phone',
      });
    }
  });

  it('lets pages on other origins send requests and read errors', async () => {
    const preflight = await auth('/token?grant_type=password', {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers':
          'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(await preflight.text()).toBe('');
    const allowed = (preflight.headers.get('Access-Control-Allow-Headers') ?? '').split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'apikey',
        'authorization',
        'content-type',
        'x-client-info',
        'x-supabase-api-version',
      ]),
    );
    const methods = (preflight.headers.get('Access-Control-Allow-Methods') ?? '').split(', ');
    expect(methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
    expect(preflight.headers.get('Access-Control-Max-Age')).toBe('86400');
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
      expect(answer.headers.get('Access-Control-Expose-Headers')).toBe(
        'x-supabase-api-version, x-sb-error-code, retry-after',
      );
      expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false);
    }
  });

  it('answers 429 over the rate limit, and limits refreshes separately', async () => {
    const keys: string[] = [];
    const LIMIT_AUTH: RateLimit = {
      limit: async ({ key }) => (keys.push(key), { success: false }),
    };
    const post = (grant: string) =>
      auth(
        `/token?grant_type=${grant}`,
        { json: {}, headers: { 'CF-Connecting-IP': '192.0.2.9' } },
        { LIMIT_AUTH },
      );
    const answer = await post('password');
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await answer.json()).toMatchObject({
      error_code: 'over_request_rate_limit',
      msg: 'Request rate limit reached',
    });
    expect((await post('refresh_token')).status).toBe(429);
    expect(keys).toEqual(['token:sign-in:192.0.2.9', 'token:refresh:192.0.2.9']);
  });

  it.each([
    '/signup',
    '/token?grant_type=password',
    '/token?grant_type=refresh_token',
    '/resend',
    '/recover',
    '/verify',
    '/verify/describe',
  ])('[T28] answers malformed bodies at %s with a 4xx', async (path) => {
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '1',
      '{"email":[],"password":1,"type":{},"token_hash":7,"refresh_token":[]}',
    ];
    const deep = `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const proto = '{"__proto__":{"email":"a@example.com","password":"secret-1"}}';
    for (const body of [...bodies, deep, proto, `{"email":"${'x'.repeat(20_000)}"}`]) {
      const answer = await auth(path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status >= 400 && answer.status < 500, body.slice(0, 60)]).toEqual([
        true,
        body.slice(0, 60),
      ]);
    }
    const headers = { 'Content-Type': 'application/json' };
    const broken = await auth(path, {
      method: 'POST',
      body: new Uint8Array([0x7b, 0xff, 0xfe]),
      headers,
    });
    expect(await broken.json()).toMatchObject({ error_code: 'bad_json' });
  });

  it.each([
    '/signup',
    '/token?grant_type=password',
    '/resend',
    '/recover',
    '/verify',
    '/verify/describe',
    '/logout',
    '/user',
  ])('returns 415 for a body at %s that is not declared as JSON', async (path) => {
    const method = path === '/user' ? 'PUT' : 'POST';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
      const answer = await auth(path, { method, body: new TextEncoder().encode('{}'), headers });
      expect([type, answer.status, answer.headers.get('x-sb-error-code')]).toEqual([
        type,
        415,
        'validation_failed',
      ]);
    }
  });

  it('a request over the limit of its group is refused before anything is read', async () => {
    const groups = {
      authorize: ['GET /authorize', 'GET /callback', 'GET /provider-logout'],
      describe: ['POST /verify/describe'],
      factor: [
        'POST /factors',
        'POST /factors/x/challenge',
        'POST /factors/x/verify',
        'DELETE /factors/x',
        'POST /factors/recovery-codes',
        'POST /factors/reset',
        'POST /factors/reset/stop',
        'POST /factors/reset/finish',
      ],
      mail: ['POST /resend', 'POST /recover', 'POST /callback/mailbox'],
      passkey: ['POST /passkeys/authentication/options', 'POST /passkeys/authentication/verify'],
      signup: ['POST /signup'],
      user: [
        'PUT /user',
        'POST /user/identities/authorize',
        'POST /user/identities',
        'DELETE /user/identities',
        'POST /passkeys/proof/options',
        'POST /passkeys/proof/verify',
        'POST /passkeys/registration/options',
        'POST /passkeys/registration/verify',
        'PATCH /passkeys/x',
        'DELETE /passkeys/x',
      ],
      verify: ['POST /verify', 'POST /verify/end-session', 'POST /callback/mailbox/verify'],
    };
    const keys: string[] = [];
    const LIMIT_AUTH: RateLimit = {
      limit: async ({ key }) => (keys.push(key), { success: false }),
    };
    for (const [group, routes] of Object.entries(groups))
      for (const route of routes) {
        const [method = '', path = ''] = route.split(' ');
        const body = method === 'GET' ? {} : { json: {} };
        const headers = { 'CF-Connecting-IP': '192.0.2.9' };
        const answer = await auth(path, { method, headers, ...body }, { LIMIT_AUTH });
        expect([route, answer.status, keys.splice(0)]).toEqual([
          route,
          429,
          [`${group}:192.0.2.9`],
        ]);
      }
  });

  it('applies the rate limit to the /48 around an IPv6 network too', async () => {
    const seen: string[] = [];
    const limiter = (isFree: boolean): RateLimit => ({
      limit: async ({ key }) => (seen.push(key), { success: isFree }),
    });
    const ask = (ip: string, overrides: Partial<Env>) =>
      auth(
        '/token?grant_type=password',
        { json: {}, headers: { 'CF-Connecting-IP': ip } },
        overrides,
      );
    const full = { LIMIT_AUTH: limiter(true), LIMIT_SITES: limiter(false) };
    expect((await ask('2001:db8:1:2::3', full)).status).toBe(429);
    expect(seen).toEqual(['token:sign-in:2001:db8:1:2::/64', 'token:sign-in:2001:db8:1::/48']);
    expect((await ask('192.0.2.9', full)).status).toBe(400);
  });

  it('returns 404 for every path if a hosted service is configured', async () => {
    for (const path of ['/settings', '/.well-known/jwks.json', '/user'])
      expect((await call(BASE + path)).status).toBe(404);
    const half = { SUPABASE_URL: 'https://project.supabase.example', SUPABASE_PUBLISHABLE_KEY: '' };
    expect((await auth('/settings', {}, half)).status).toBe(200);
  });

  it('answers 500 without AUTH_SECRET and logs what to do', async () => {
    const lines: string[] = [];
    const log = console.log;
    console.log = (line: string) => void lines.push(line);
    try {
      for (const mode of [EMBEDDED, {}])
        for (const AUTH_SECRET of ['', 'x'.repeat(15)]) {
          const paths = ['/api/auth/v1/settings', '/api/me', '/api/blogs', '/api/no-such-route'];
          for (const path of paths) {
            const answer = await call(path, {}, { ...mode, AUTH_SECRET });
            expect(answer.status).toBe(500);
            expect(await answer.text()).not.toContain('AUTH_SECRET');
          }
          expect(lines.splice(0)).toEqual(
            paths.map(() => expect.stringContaining('AUTH_SECRET is not set')),
          );
          expect((await call('/api/health', {}, { ...mode, AUTH_SECRET })).status).toBe(200);
        }
      expect((await auth('/settings', {}, { AUTH_SECRET: 'x'.repeat(16) })).status).toBe(200);
    } finally {
      console.log = log;
    }
  });
});
