import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishLinks } from '#worker/edge/publish.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const send = (
  path: string,
  init: RequestInit & { json?: unknown } = {},
  overrides: Partial<Env> = {},
) => call(path, init, { ...builtAssets, ...overrides });

const TARGET = 'https://example.com/somewhere';
const quiet = { CLICK_WINDOW_MS: '1' };

beforeAll(async () => {
  const insert = `INSERT INTO links (code, target, target_host, status, created_at, updated_at) VALUES (?1, '${TARGET}', 'example.com', ?2, 1, 1)`;
  await env.DB.batch([
    env.DB.prepare(insert).bind('lead', 'active'),
    env.DB.prepare(insert).bind('off', 'disabled'),
    env.DB.prepare(insert).bind('gone', 'deleted'),
  ]);
  await publishLinks(env, [1, 2, 3], 1);
  // Imports the API and the site before the first test is timed.
  await send('/api/health');
  await send('/');
});

const broken = new Proxy(env.DB, {
  get: () => () => {
    throw new Error('D1_ERROR: down');
  },
});

/**
 * One request for every kind of response of the Worker, except the redirect of a link
 * (docs/decisions.md#d45).
 */
const RESPONSES: readonly (readonly [kind: string, status: number, () => Promise<Response>])[] = [
  ['page', 200, () => send('/')],
  ['private page', 200, () => send('/dashboard')],
  ['page of an unknown post', 404, () => send('/blog/none')],
  ['POST to a page', 405, () => send('/pricing', { json: {} })],
  [
    'page before the first build',
    503,
    () =>
      send(
        '/',
        {},
        {
          ASSETS: { ...builtAssets.ASSETS, fetch: async () => new Response(null, { status: 404 }) },
        },
      ),
  ],
  ['robots.txt', 200, () => send('/robots.txt')],
  ['feed', 200, () => send('/feed.xml')],
  ['icon', 200, () => send('/favicon.svg')],
  ['missing file', 404, () => send('/assets')],
  ['redirect to a page', 302, () => send('/index.html')],
  ['preview', 200, () => send('/lead+', {}, quiet)],
  ['unknown link', 404, () => send('/unknown')],
  ['unknown preview', 404, () => send('/unknown+')],
  ['disabled link', 410, () => send('/off', {}, quiet)],
  ['deleted link', 410, () => send('/gone', {}, quiet)],
  ['POST to a link', 405, () => send('/unknown', { json: {} })],
  ['link while storage fails', 503, () => send('/uncached', {}, { DB: broken })],
  [
    'unknown link as JSON',
    404,
    () => send('/unknown', { headers: { Accept: 'application/json' } }),
  ],
  ['API', 200, () => send('/api/health')],
  [
    'API call of a member',
    200,
    async () => send('/api/me', { headers: (await makePerson()).headers }),
  ],
  ['API call without a token', 401, () => send('/api/me')],
  [
    'API call with a bad token',
    401,
    () => send('/api/me', { headers: { Authorization: 'Bearer x' } }),
  ],
  ['unknown API path', 404, () => send('/api/nothing')],
  ['API path with another method', 405, () => send('/api/health', { json: {} })],
  [
    'API call with another content type',
    415,
    () => send('/api/shorten', { method: 'POST', body: 'longUrl=x' }),
  ],
  [
    'API call while storage fails',
    503,
    () => send('/api/shorten', { json: { longUrl: 'https://example.org/' } }, { DB: broken }),
  ],
  [
    'sign-in',
    200,
    () => send('/api/auth/v1/settings', {}, { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' }),
  ],
];

const HTTPS = { APP_ORIGIN: 'https://hop.example' };

/** A content policy as its directives and their sources. */
const parsePolicy = (policy: string): Record<string, string[]> =>
  Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );

/**
 * Everything comes from our own origin or carries a nonce. Exceptions: images as data, and calls to
 * the hosted sign-in.
 */
function isAllowed(directive: string, source: string): boolean {
  if (directive === 'sandbox' || /^'(self|none|nonce-[\w+/=-]+|sha256-[\w+/=]+)'$/.test(source))
    return true;
  if (directive === 'connect-src') return source === env.SUPABASE_URL;
  if (directive === 'font-src') return source === 'data:';
  return directive === 'img-src' && ['data:', 'blob:'].includes(source);
}

describe('security headers', () => {
  it.each(RESPONSES)(
    '[T35] sends every security header with a %s (%i)',
    async (_kind, status, request) => {
      const response = await request();
      expect(response.status).toBe(status);
      const { 'permissions-policy': permissions, ...headers } = Object.fromEntries(
        response.headers,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': expect.stringMatching(
          /^((private, )?no-(store|cache)|public, max-age=\d+)$/,
        ),
      });
      for (const feature of ['camera', 'geolocation', 'microphone', 'payment'])
        expect(permissions).toContain(`${feature}=()`);
      const policy = parsePolicy(response.headers.get('Content-Security-Policy') ?? '');
      expect(policy).toMatchObject({
        'default-src': [expect.stringMatching(/^'(self|none)'$/)],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      });
      const foreign = Object.entries(policy).flatMap(([directive, sources]) =>
        sources
          .filter((source) => !isAllowed(directive, source))
          .map((source) => `${directive} ${source}`),
      );
      expect(foreign).toEqual([]);
      expect(response.headers.get('Strict-Transport-Security')).toBeNull();
      expect(response.headers.get('Set-Cookie')).toBeNull();
    },
  );
});

describe('HSTS', () => {
  it.each([
    '/',
    '/robots.txt',
    '/favicon.svg',
    '/api/health',
    '/api/nothing',
    '/blog/none',
    '/index.html',
    '/lead',
    '/lead+',
    '/off',
    '/unknown',
  ])('sends HSTS over https for %s', async (path) => {
    const response = await send(`https://hop.example${path}`, {}, HTTPS);
    expect(response.headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{8,}/);
  });
});

describe('Cache-Control', () => {
  it('[T35] sends a redirect with three headers, which no cache may store', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send('/lead', { method }, quiet);
      expect(response.status).toBe(302);
      expect(Object.fromEntries(response.headers)).toEqual({
        location: TARGET,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
    }
  });

  it('[T32] sends no-store with every API response', async () => {
    for (const path of ['/api/health', '/api/me', '/api/nothing']) {
      expect((await send(path)).headers.get('Cache-Control')).toBe('no-store');
    }
  });
});
