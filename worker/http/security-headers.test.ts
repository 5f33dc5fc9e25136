import { describe, expect, test } from 'vitest';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const send = (path: string, init: RequestInit & { json?: unknown } = {}, overrides: Partial<Env> = {}) =>
  call(path, init, { ...builtAssets, ...overrides });

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
  ['API', 200, () => send('/api/health')],
  ['API for a member', 200, async () => send('/api/me', { headers: (await makePerson()).headers })],
  ['API without a sign-in', 401, () => send('/api/me')],
  ['API with a bad token', 401, () => send('/api/me', { headers: { Authorization: 'Bearer x' } })],
  ['API that is not there', 404, () => send('/api/nothing')],
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
  test.each(['/', '/robots.txt', '/favicon.svg', '/api/health', '/api/nothing', '/blog/none', '/index.html'])(
    '%s asks for https from now on',
    async (path) => {
      const response = await send(`https://hop.example${path}`, {}, HTTPS);
      expect(response.headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{8,}/);
    },
  );
});

test('nothing of the API is kept by a cache', async () => {
  for (const path of ['/api/health', '/api/me', '/api/nothing']) {
    expect((await send(path)).headers.get('Cache-Control')).toBe('no-store');
  }
});
