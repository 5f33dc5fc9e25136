import { env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { PLANS } from '#contract/site.ts';
import { problem, V1_CODES } from '#contract/v1/v1-problem.ts';
import { openDb } from '#worker/db/client.ts';
import { takeFromMinute } from '#worker/http/allowances.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

describe('limits', () => {
  it('[T41] limits are exact for requests at once, and the headers say what is left', async () => {
    stopClock();
    const holder = await makeKey({ person: await makePerson() });
    const limit = PLANS.free.apiRequests;
    const all = await Promise.all(
      Array.from({ length: limit + 10 }, () => send(holder, 'GET /me')),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(limit);
    const remaining = all.flatMap((response) =>
      response.status === 200
        ? [Number(/r=(\d+);/.exec(response.headers.get('RateLimit') ?? '')?.[1])]
        : [],
    );
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, i) => i));
    const rejected = all.find(({ status }) => status === 429);
    expect(rejected?.headers.get('RateLimit-Policy')).toBe(`"minute";q=${limit};w=60`);
    const retryAfter = Number(rejected?.headers.get('Retry-After'));
    expect(rejected?.headers.get('RateLimit')).toBe(`"minute";r=0;t=${retryAfter}`);
    expect(retryAfter).toBe(60);
    expect(await rejected?.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: true });
    const second = await makeKey({ person: holder.person });
    expect((await send(second, 'GET /me')).status).toBe(200);
  });

  it('a rate limit of the API advises no upgrade, because none raises it', async () => {
    const holder = await makeKey();
    const end = Date.now() + 30_000;
    await env.DB.prepare('INSERT INTO counters (key, count, expires_at) VALUES (?, 1000000, ?)')
      .bind(`api-key:${holder.key.id}`, end)
      .run();
    expect(await (await send(holder, 'GET /me')).json()).toMatchObject({
      code: 'rate_limited',
      upgradeRequired: false,
    });
  });

  it.each([
    ['free', 0, 60],
    ['premium', 1000, 600],
  ] as const)('of the plan %s are shown to the key', async (plan, bulk, minute) => {
    const holder = await makeKey({ person: await makePerson({ plan }) });
    expect(await (await send(holder, 'GET /me')).json()).toMatchObject({
      plan,
      limits: { linksPerBulkRequest: bulk, requestsPerMinute: minute, linksPerPage: 100 },
    });
  });

  it('[T53] invented keys are looked up a limited number of times for a network', async () => {
    const keys: string[] = [];
    const LIMIT_SITES = {
      limit: ({ key }: { key: string }) => (keys.push(key), Promise.resolve({ success: false })),
    };
    const headers = {
      Authorization: 'Bearer hop_live_invented',
      'CF-Connecting-IP': '203.0.113.77',
    };
    const response = await call('/api/v1/me', { headers }, { LIMIT_SITES });
    expect([response.status, keys]).toEqual([429, ['key:203.0.113.77']]);
  });

  it('a request without the scope counts for the limit, which is checked first', async () => {
    stopClock();
    const holder = await makeKey({ scopes: ['links:read'] });
    const limit = PLANS.premium.apiRequests;
    for (const [route, status, left] of [
      ['GET /webhooks', 403, 1],
      ['GET /me', 200, 2],
    ] as const) {
      const response = await send(holder, route);
      expect([response.status, response.headers.get('RateLimit')]).toEqual([
        status,
        `"minute";r=${limit - left};t=60`,
      ]);
    }
    await env.DB.prepare('UPDATE counters SET count = ? WHERE key = ?')
      .bind(limit, `api-key:${holder.key.id}`)
      .run();
    expect((await send(holder, 'GET /webhooks')).status).toBe(429);
  });

  it('limits start again after a minute', async () => {
    const db = openDb(env.DB);
    const take = (now: number) => takeFromMinute(db, 'a-key', 2, now);
    expect(await take(1_000)).toMatchObject({ isAllowed: true, remaining: 1, resetSeconds: 60 });
    expect(await take(30_000)).toMatchObject({ isAllowed: true, remaining: 0, resetSeconds: 31 });
    expect(await take(60_999)).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    expect(await take(61_000)).toMatchObject({ isAllowed: true, remaining: 1, resetSeconds: 60 });
  });
});

describe('other websites', () => {
  it('[T17] other websites may call the API, without credentials', async () => {
    const holder = await makeKey();
    const origin = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const preflight = await call('/api/v1/links', {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    const headersIn = ({ headers }: Response, name: string) => headers.get(name)?.split(',');
    expect(headersIn(preflight, 'Access-Control-Allow-Headers')).toEqual([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Mcp-Protocol-Version',
      'Mcp-Session-Id',
      'Last-Event-ID',
    ]);
    expect(preflight.headers.get('Access-Control-Max-Age')).toBe('86400');
    const created = await send(holder, 'POST /links', {
      json: { url: 'https://example.com' },
      headers: origin,
    });
    const failed = await send(holder, 'POST /links', { json: {}, headers: origin });
    expect([created.status, failed.status]).toEqual([201, 400]);
    for (const response of [preflight, created, failed]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(response.headers.get('X-Request-Id')).not.toBeNull();
    }
    expect(headersIn(created, 'Access-Control-Expose-Headers')).toEqual([
      'Accept-Patch',
      'Allow',
      'ETag',
      'Location',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'Idempotency-Replayed',
    ]);
    expect(created.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const session = await call('/api/shorten', {
      json: { longUrl: 'https://example.com' },
      headers: origin,
    });
    expect([session.status, session.headers.get('Access-Control-Allow-Origin')]).toEqual([
      403,
      null,
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['GET', '/api/v1', 404, 'not_found'],
    ['GET', '/api/v1/nothing', 404, 'not_found'],
    ['PUT', '/api/v1/me', 405, 'method_not_allowed'],
    ['GET', '/api/v1/me', 401, 'unauthenticated'],
    ['GET', '/api/v1/links/%00', 401, 'unauthenticated'],
  ])('errors are problems: %s %s', async (method, path, status, code) => {
    const response = await call(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(response.headers.get('Cache-Control')).toContain('no-store');
    expect(problem.parse(await response.json())).toMatchObject({ status, code });
    if (status === 401) expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    if (status === 405) expect(response.headers.get('Allow')).toContain('GET');
  });

  it('errors have a type that opens their paragraph', async () => {
    const { type } = problem.parse(await (await call('/api/v1/me')).json());
    const page = await call(type);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const html = await page.text();
    for (const code of V1_CODES) expect(html).toContain(`id="${code}"`);
  });

  it('bodies that cannot be read return 415, 413 or 400', async () => {
    const holder = await makeKey();
    const post = async (body: string, type = 'application/json') => {
      const response = await send(holder, 'POST /links', {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      });
      return problem.parse(await response.json()).code;
    };
    expect(await post('{}', 'text/plain')).toBe('unsupported_media_type');
    expect(await post('{')).toBe('invalid_json');
    expect(await post(JSON.stringify({ url: 'x'.repeat(20_000) }))).toBe('body_too_large');
    expect(await post('[]')).toBe('invalid_body');
  });

  it('[T40] requests return 503 while the database is down, and let nobody in', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const holder = await makeKey();
    const DB = aroundD1(env.DB, () =>
      Promise.reject(new Error('D1_ERROR: Network connection lost.')),
    );
    const response = await send(holder, 'GET /me', {}, { DB });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(problem.parse(await response.json()).code).toBe('unavailable');
    vi.restoreAllMocks();
  });
});
