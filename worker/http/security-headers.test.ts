import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishLinks } from '#worker/links/publish.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const send = (path: string, init: RequestInit & { json?: unknown } = {}, overrides: Partial<Env> = {}) =>
  call(path, init, { ...builtAssets, ...overrides });

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
  // The first request of each door imports its code.
  await send('/api/health');
  await send('/');
}, 30_000);

const broken = new Proxy(env.DB, {
  get: () => () => {
    throw new Error('D1_ERROR: down');
  },
});

/** One request for every kind of response that the Worker gives. */
const RESPONSES: readonly (readonly [kind: string, status: number, () => Promise<Response>])[] = [
  ['page', 200, () => send('/')],
  ['private page', 200, () => send('/dashboard')],
  ['page of an unknown post', 404, () => send('/blog/none')],
  ['page that is written to', 405, () => send('/pricing', { json: {} })],
  [
    'site that is not built',
    503,
    () => send('/', {}, { ASSETS: { ...builtAssets.ASSETS, fetch: async () => new Response(null, { status: 404 }) } }),
  ],
  ['robots.txt', 200, () => send('/robots.txt')],
  ['feed', 200, () => send('/feed.xml')],
  ['icon', 200, () => send('/favicon.svg')],
  ['missing file', 404, () => send('/assets')],
  ['move', 302, () => send('/index.html')],
  ['preview', 200, () => send('/lead+', {}, quiet)],
  ['unknown link', 404, () => send('/nobody')],
  ['unknown preview', 404, () => send('/nobody+')],
  ['disabled link', 410, () => send('/off', {}, quiet)],
  ['deleted link', 410, () => send('/gone', {}, quiet)],
  ['link that is written to', 405, () => send('/nobody', { json: {} })],
  ['link while storage is down', 503, () => send('/unheard', {}, { DB: broken })],
  ['problem as JSON', 404, () => send('/nobody', { headers: { Accept: 'application/json' } })],
  ['API', 200, () => send('/api/health')],
  ['API for a member', 200, async () => send('/api/me', { headers: (await makePerson()).headers })],
  ['API without a sign-in', 401, () => send('/api/me')],
  ['API with a bad token', 401, () => send('/api/me', { headers: { Authorization: 'Bearer x' } })],
  ['API that is not there', 404, () => send('/api/nothing')],
  ['API by a wrong method', 405, () => send('/api/health', { json: {} })],
  ['API with a body it does not take', 415, () => send('/api/shorten', { method: 'POST', body: 'longUrl=x' })],
  ['API while storage is down', 503, () => send('/api/blogs', {}, { DB: broken })],
  ['sign-in', 200, () => send('/api/auth/v1/settings', {}, { SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' })],
];

const HTTPS = { APP_ORIGIN: 'https://hop.example' };

test.each(RESPONSES)('a %s (%i) carries the security headers', async (_kind, status, request) => {
  const response = await request();
  expect(response.status).toBe(status);
  const header = (name: string): string => response.headers.get(name) ?? '';
  expect(header('X-Content-Type-Options')).toBe('nosniff');
  expect(header('Referrer-Policy')).toMatch(/^(no-referrer|strict-origin|strict-origin-when-cross-origin)$/);
  expect(header('Cross-Origin-Opener-Policy')).toBe('same-origin');
  expect(header('Permissions-Policy')).toContain('camera=()');
  expect(header('Cache-Control')).not.toBe('');
  const policy = header('Content-Security-Policy');
  expect(policy).toMatch(/default-src '(self|none)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toContain('unsafe-');
  expect(policy).not.toMatch(/(^|[\s;])(\*|https?:|data:)(?=[\s;]|$)(?<!data:)/);
  expect(response.headers.get('Strict-Transport-Security')).toBeNull();
  expect(response.headers.get('Set-Cookie')).toBeNull();
});

describe('over https', () => {
  test.each([
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
    '/nobody',
  ])('%s asks for https from now on', async (path) => {
    const response = await send(`https://hop.example${path}`, {}, HTTPS);
    expect(response.headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{8,}/);
  });
});

test('a redirect says what a redirect can say, and is kept by nobody', async () => {
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

test('nothing of the API is kept by a cache', async () => {
  for (const path of ['/api/health', '/api/me', '/api/nothing']) {
    expect((await send(path)).headers.get('Cache-Control')).toBe('no-store');
  }
});
