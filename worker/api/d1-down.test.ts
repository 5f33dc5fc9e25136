import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeKey, type KeyHolder } from '#worker/testing/api-key.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { ROUTE_INPUTS } from '#worker/testing/route-inputs.ts';
import { SIGN_IN_INPUTS } from '#worker/testing/sign-in-inputs.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { bodyOf, shortenAsVisitor } from '#worker/testing/visitor.ts';
import { unsubscribeToken } from '#worker/reports/weekly-mail/unsubscribe-token.ts';
import { app } from './app.ts';
import { routeNames, type RouteName } from './base-app.ts';
import { v1 } from './v1/app.ts';

/** What D1 says while it is locked, overloaded, moved or broken. */
const OUTAGES = [
  'Network connection lost.',
  'database is locked: SQLITE_BUSY',
  'D1 DB is overloaded. Requests queued for too long.',
  'internal error; reference = 0123456789abcdef',
  'database or disk is full: SQLITE_FULL',
];

/** Routes that answer without D1, or lead to a page that asks. */
const WITHOUT_D1: ReadonlySet<string> = new Set([
  'GET /api/health',
  'GET /api/click-preview',
  // Pictures are in R2.
  'GET /api/card-pictures/:name',
  'GET /api/weekly-mail/unsubscribe',
  'GET /api/auth/v1/verify',
  'GET /api/auth/v1/health',
  'GET /api/auth/v1/settings',
  'GET /api/auth/v1/authorize',
  'GET /api/auth/v1/callback',
  'GET /api/auth/v1/provider-logout',
  'POST /api/auth/v1/callback/mailbox',
  'POST /api/auth/v1/callback/mailbox/verify',
  'GET /api/v1/openapi.json',
  'GET /api/v1/errors',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/api/mcp',
  // A registration stores nothing, and these inputs are not valid. worker/oauth tests a token while
  // D1 is down.
  'POST /api/oauth/register',
  'POST /api/oauth/token',
]);

let admin: Person;
let embedded: Record<string, string>;
let holder: KeyHolder;
let requests = 0;

/** A valid request to a route by somebody who may send it. Returns the status and Retry-After. */
async function ask(route: RouteName, see: Partial<Env>): Promise<[number, string | null]> {
  const [method = '', pattern = ''] = route.split(' ');
  const isV1 = pattern.startsWith('/api/v1') || pattern === '/api/mcp';
  const { body, query } = ROUTE_INPUTS[route] ?? {};
  const signIn = SIGN_IN_INPUTS[route] ?? {};
  const path = pattern.replaceAll(/:\w+/g, '1') + (signIn.query ?? '');
  const token = unsubscribeToken(env.AUTH_SECRET ?? '', admin.id);
  const values = route.endsWith('/unsubscribe') ? { token } : query?.example;
  const search = values === undefined ? '' : `?${new URLSearchParams(values).toString()}`;
  requests += 1;
  const headers = {
    'CF-Connecting-IP': `198.18.${requests >> 8}.${requests & 255}`,
    ...(isV1 ? holder.headers : pattern.startsWith('/api/auth') ? embedded : admin.headers),
  };
  const json = method === 'GET' ? undefined : (body?.examples[0] ?? signIn.body ?? {});
  const sent = await call(path + search, { method, headers, ...(json && { json }) }, see);
  // A file whose later pages cannot be read ends early.
  await sent.arrayBuffer().catch(() => undefined);
  return [sent.status, sent.headers.get('Retry-After')];
}

const ROUTES = [...routeNames(app), ...routeNames(v1)];
const settings = (route: string): Partial<Env> => ({
  ...builtAssets,
  ...(route.includes('/api/auth/') && EMBEDDED),
});

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  admin = await makePerson({ role: 'admin', plan: 'premium' });
  holder = await makeKey();
  embedded = (await signInEmbedded()).headers;
});

describe('every route of the API while D1 is down', () => {
  it('[T40] answers 503 with Retry-After where it needs D1', async () => {
    const answers: Record<string, [number, boolean]> = {};
    const expected: Record<string, [number, boolean]> = {};
    for (const [nth, route] of ROUTES.entries()) {
      if (WITHOUT_D1.has(route)) continue;
      const DB = d1Down(env.DB, OUTAGES[nth % OUTAGES.length]);
      const [status, retryAfter] = await ask(route, { ...settings(route), DB });
      answers[route] = [status, Number(retryAfter) > 0];
      expected[route] = [503, true];
    }
    expect(answers).toEqual(expected);
  });

  it('[T40] answers no 500 when D1 dies after one to three of its statements', async () => {
    const wrong: unknown[] = [];
    for (const [nth, route] of ROUTES.entries()) {
      const DB = d1Down(env.DB, OUTAGES[nth % OUTAGES.length], 1 + (nth % 3));
      const [status, retryAfter] = await ask(route, { ...settings(route), DB });
      if (status === 500 || (status === 503 && !(Number(retryAfter) > 0)))
        wrong.push([route, status, retryAfter]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('pages and short links while D1 is down', () => {
  it.each(['/blogs', '/blog/a-post', '/sitemap.xml', '/feed.xml', '/unknown-code', '/unknown+'])(
    '[T40] %s answers 503 with Retry-After',
    async (path) => {
      const see = { ...settings(path), DB: d1Down(env.DB, OUTAGES[1]) };
      const response = await call(path, {}, see);
      expect([response.status, Number(response.headers.get('Retry-After')) > 0]).toEqual([
        503,
        true,
      ]);
    },
  );

  it('[T40] a link in KV redirects, and pages without posts are served', async () => {
    const made = await shortenAsVisitor({ body: '{"longUrl":"https://example.com/from-kv"}' });
    const { code } = await bodyOf(made);
    const DB = d1Down(env.DB, OUTAGES[1]);
    const redirect = await call(`/${String(code)}`, {}, { DB });
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([
      302,
      'https://example.com/from-kv',
    ]);
    expect((await call('/', {}, { ...settings('/'), DB })).status).toBe(200);
  });
});
