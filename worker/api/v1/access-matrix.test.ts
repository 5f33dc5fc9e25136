import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '#contract/api/scopes.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import type { KeyAccess } from '#worker/api/access.ts';
import { routeNames, type RouteName } from '#worker/api/base-app.ts';
import { rotateKey } from '#worker/api-keys/manage-keys.ts';
import { revokeKey } from '#worker/api-keys/store.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { makePerson } from '#worker/testing/make.ts';
import { v1 } from './app.ts';
import { insertWebhook } from '#worker/testing/webhooks.ts';
import { OPERATIONS } from './operations.ts';

/**
 * Every route of the public API is called by every kind of caller. EXPECTED has the rules. Bad
 * callers are equal to every route, so most routes get a few of them, and the first two of those for
 * anyone and of those with a key get them all.
 */
const ROUTES = routeNames(v1);
const BAD_CALLERS = 4;
const db = openDb(env.DB);

type Caller = { headers?: Record<string, string>; query?: string };

let links = 0;

const BODIES: Readonly<Record<string, unknown>> = {
  '/api/v1/tags': { name: 'matrix' },
  '/api/v1/tags/:name': { color: 'red' },
  '/api/v1/tags/:name/merge': { into: 'into' },
  '/api/v1/domains': { name: 'go.matrix-host.com', confirmed: true },
  '/api/v1/domains/:domain': { rootUrl: null },
  '/api/v1/webhooks': { url: null },
  '/api/v1/webhooks/:webhookId/rotate': {},
  '/api/v1/links/bulk': { links: [{ url: 'https://example.com/' }] },
  '/api/v1/imports/check': { rows: [{ url: 'https://example.com/' }] },
  '/api/v1/imports': { id: 'matrix-0123456789', rows: [{ url: 'https://example.com/' }] },
  '/api/v1/links/actions': { action: 'favorite', filter: { archived: false }, dryRun: true },
};

/**
 * A route with a link of `owner` in its path, and a body that changes or creates something
 * harmless.
 */
async function makeAsk(route: RouteName, owner: KeyHolder) {
  const [method = '', pattern = ''] = route.split(' ');
  links += 1;
  const name = `mx-${links}`;
  const created = await send(owner, 'POST /links', {
    json: { url: 'https://example.com/', code: name, externalId: name, tags: [name, 'into'] },
  });
  const { id } = await created.json<V1Link>();
  if (pattern.endsWith('/card'))
    await send(owner, `PUT /links/${id}/card`, { json: { title: 'A card' } });
  // The address is on our own domain, so nothing is sent.
  const { webhookId, deliveryId } = pattern.includes(':webhookId')
    ? await insertWebhook(owner, 'https://localhost/')
    : { webhookId: '', deliveryId: '' };
  const isDomains = pattern.startsWith('/api/v1/domains');
  const settings = isDomains ? startSaas().settings : {};
  const domain = `go.mx-${links}.matrix-host.com`;
  if (isDomains) await makeDomain(domain, { owner: owner.person.id });
  const path = pattern
    .replace(':domain', domain)
    .replace(':webhookId', webhookId)
    .replace(':deliveryId', deliveryId)
    .replace(':id', id)
    .replace(':code', name)
    .replace(':externalId', name)
    .replace(':name', name);
  const bodies: Record<string, unknown> = {
    POST: path.endsWith('mcp')
      ? { jsonrpc: '2.0', id: 1, method: 'ping' }
      : (BODIES[pattern] ?? { url: 'https://example.com/' }),
    PUT: path.endsWith('/card') ? { title: 'A card' } : { url: 'https://example.com/put' },
    PATCH: BODIES[pattern] ?? { enabled: true },
  };
  const json = bodies[method];
  return async ({ headers = {}, query = '' }: Caller) => {
    const response = await call(
      path + query,
      { method, headers, ...(json === undefined ? {} : { json }) },
      { ...builtAssets, ...settings },
    );
    const text = new TextDecoder().decode(await response.arrayBuffer());
    return { status: response.status, code: text.startsWith('{') ? JSON.parse(text).code : '' };
  };
}

const bearer = (secret: string): Caller => ({ headers: { Authorization: `Bearer ${secret}` } });

async function badCallers(): Promise<Record<string, Caller>> {
  const [expired, revoked, rotated, good] = [
    await makeKey({ expiresAt: '2099-01-01T00:00:00Z' }),
    await makeKey(),
    await makeKey(),
    await makeKey(),
  ];
  await env.DB.prepare('UPDATE api_keys SET expires_at = ?2 WHERE id = ?1')
    .bind(expired.key.id, Date.now())
    .run();
  expect((await send(revoked, 'GET /me')).status).toBe(200);
  expect(await revokeKey(db, revoked.person.id, revoked.key.id, Date.now())).toBe(true);
  const now = Date.now();
  await rotateKey(db, { userId: rotated.person.id, id: rotated.key.id, overlapMs: 0, now });
  const { key } = good.key;
  const swapped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
  const query = (name: string): Caller => ({ query: `?${name}=${key}` });
  return {
    'no key': {},
    expired: bearer(expired.key.key),
    revoked: bearer(revoked.key.key),
    'rotated without overlap': bearer(rotated.key.key),
    'a wrong checksum': bearer(swapped),
    'a session': { headers: (await makePerson()).headers },
    'the key of a session and x-user-id': { headers: { 'x-user-id': good.person.id } },
    'the key in the query': query('key'),
    'the key as access_token in the query': query('access_token'),
    'the key as api_key in the query': query('api_key'),
    'another scheme': { headers: { Authorization: `Basic ${key}` } },
    'the key alone': { headers: { Authorization: key } },
    'the key in another header': { headers: { 'X-Api-Key': key } },
    'two keys': bearer(`${key}, Bearer ${key}`),
  };
}

/**
 * The scopes of which a key needs one. They repeat access.ts, so that a rule that changes by
 * mistake fails. A new route needs an entry.
 */
const EXPECTED: Readonly<Record<string, KeyAccess>> = {
  'GET /api/v1/openapi.json': 'anyone',
  'GET /api/v1/errors': 'anyone',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'GET /.well-known/oauth-protected-resource': 'anyone',
  'GET /.well-known/oauth-protected-resource/api/mcp': 'anyone',
  'POST /api/oauth/register': 'anyone',
  'POST /api/oauth/token': 'anyone',
  'POST /api/mcp': [],
  'GET /api/v1/me': [],
  'POST /api/v1/links': ['links:create', 'links:write'],
  'POST /api/v1/links/bulk': ['links:create', 'links:write'],
  'POST /api/v1/links/actions': ['links:write'],
  'POST /api/v1/imports/check': ['links:write'],
  'POST /api/v1/imports': ['links:write'],
  'GET /api/v1/export': ['links:read'],
  'GET /api/v1/links/count': ['links:read'],
  'GET /api/v1/links': ['links:read'],
  'GET /api/v1/links/by-code/:code': ['links:read'],
  'GET /api/v1/links/by-external-id/:externalId': ['links:read'],
  'PUT /api/v1/links/by-external-id/:externalId': ['links:write'],
  'GET /api/v1/links/:id': ['links:read'],
  'PATCH /api/v1/links/:id': ['links:write'],
  'DELETE /api/v1/links/:id': ['links:write'],
  'GET /api/v1/links/:id/qr.svg': ['links:read'],
  'GET /api/v1/links/:id/qr.png': ['links:read'],
  'GET /api/v1/links/:id/history': ['links:read'],
  'GET /api/v1/links/:id/card': ['links:read'],
  'PUT /api/v1/links/:id/card': ['links:write'],
  'DELETE /api/v1/links/:id/card': ['links:write'],
  'GET /api/v1/links/:id/analytics': ['analytics:read'],
  'GET /api/v1/analytics': ['analytics:read'],
  'GET /api/v1/analytics/clicks': ['analytics:read'],
  'GET /api/v1/tags': ['links:read'],
  'POST /api/v1/tags': ['links:write'],
  'PATCH /api/v1/tags/:name': ['links:write'],
  'POST /api/v1/tags/:name/merge': ['links:write'],
  'DELETE /api/v1/tags/:name': ['links:write'],
  'GET /api/v1/domains': ['domains:read', 'domains:write'],
  'POST /api/v1/domains': ['domains:write'],
  'GET /api/v1/domains/:domain': ['domains:read', 'domains:write'],
  'PATCH /api/v1/domains/:domain': ['domains:write'],
  'POST /api/v1/domains/:domain/check': ['domains:write'],
  'DELETE /api/v1/domains/:domain': ['domains:write'],
  'GET /api/v1/webhooks': ['webhooks:write'],
  'POST /api/v1/webhooks': ['webhooks:write'],
  'GET /api/v1/webhooks/:webhookId': ['webhooks:write'],
  'PATCH /api/v1/webhooks/:webhookId': ['webhooks:write'],
  'DELETE /api/v1/webhooks/:webhookId': ['webhooks:write'],
  'POST /api/v1/webhooks/:webhookId/rotate': ['webhooks:write'],
  'POST /api/v1/webhooks/:webhookId/test': ['webhooks:write'],
  'GET /api/v1/webhooks/:webhookId/deliveries': ['webhooks:write'],
  'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver': ['webhooks:write'],
};

/** Routes for anyone whose body is not the one of the matrix. */
const PUBLIC_STATUS: Readonly<Record<string, number>> = {
  'POST /api/oauth/register': 400,
  'POST /api/oauth/token': 400,
};

describe('the public API', () => {
  let owner: KeyHolder;
  let bad: Record<string, Caller>;
  const scoped = new Map<Scope, KeyHolder>();
  beforeAll(async () => {
    owner = await makeKey();
    bad = await badCallers();
    for (const scope of SCOPES)
      scoped.set(scope, await makeKey({ person: owner.person, scopes: [scope] }));
  });

  function badCallersOf(route: RouteName): [string, Caller][] {
    const all = Object.entries(bad);
    const isOpen = (one: string): boolean => EXPECTED[one] === 'anyone';
    const nth = ROUTES.filter((one) => isOpen(one) === isOpen(route)).indexOf(route);
    const start = (nth * BAD_CALLERS) % all.length;
    return nth < 2 ? all : [...all, ...all].slice(start, start + BAD_CALLERS);
  }

  it.each(ROUTES)('[T41] %s answers every kind of caller according to its rule', async (route) => {
    const rule = EXPECTED[route] ?? expect.fail('The route has no entry in EXPECTED.');
    const publicStatus = PUBLIC_STATUS[route] ?? 200;
    const ask = await makeAsk(route, owner);
    for (const [name, caller] of badCallersOf(route))
      expect((await ask(caller)).status, name).toBe(rule === 'anyone' ? publicStatus : 401);

    for (const [scope, { headers }] of scoped) {
      const { status, code } = await ask({ headers });
      const mayCall = rule === 'anyone' || rule.length === 0 || rule.includes(scope);
      if (!mayCall)
        expect({ status, code }, scope).toEqual({ status: 403, code: 'insufficient_scope' });
      else if (route.startsWith('DELETE')) expect([204, 404], scope).toContain(status);
      else expect([publicStatus, 201], scope).toContain(status);
    }

    const stranger = await makeKey();
    const theirs = await ask({ headers: stranger.headers });
    if (/:id|:code|:name|:domain|:webhookId|^GET .*:externalId/.test(route))
      expect(theirs.status).toBe(404);
    else expect([publicStatus, 201]).toContain(theirs.status);

    await env.DB.prepare(
      "UPDATE users SET suspended_at = 1, suspended_reason = 'Spam.' WHERE id = ?1",
    )
      .bind(stranger.person.id)
      .run();
    expect((await ask({ headers: stranger.headers })).status).toBe(
      rule === 'anyone' ? publicStatus : 403,
    );
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(stranger.person.id).run();
    expect((await ask({ headers: stranger.headers })).status).toBe(
      rule === 'anyone' ? publicStatus : 401,
    );
  });

  it('describes every route that takes a key', () => {
    const described = [...Object.keys(OPERATIONS), 'POST /api/mcp'].sort();
    expect(described).toEqual(ROUTES.filter((route) => EXPECTED[route] !== 'anyone').sort());
  });

  it('[T41] takes keys only: no route of the application accepts one', async () => {
    const { headers } = await makeKey({ person: await makePerson({ role: 'admin' }) });
    for (const path of ['/api/me', '/api/keys', '/api/my-urls', '/api/admin?action=stats']) {
      const response = await call(path, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        error: 'API keys work below /api/v1 and at /api/mcp only.',
      });
    }
  });

  it('[T41] a key can neither make keys nor see, rotate or revoke them', async () => {
    const { headers, key } = await makeKey({ person: await makePerson({ role: 'admin' }) });
    const json = { name: 'Another', scopes: [...SCOPES] };
    for (const [method, path] of [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['POST', `/api/keys/${key.id}/rotate`],
      ['DELETE', `/api/keys/${key.id}`],
    ] as const) {
      const init = method === 'GET' ? { headers } : { method, headers, json };
      expect((await call(path, init)).status, `${method} ${path}`).toBe(401);
    }
    expect(ROUTES.filter((route) => /key/i.test(route))).toEqual([]);
  });

  it('[T41] the key of an administrator has no right on links of others', async () => {
    const admin = await makeKey({ person: await makePerson({ role: 'admin', plan: 'premium' }) });
    const ask = await makeAsk('GET /api/v1/links/:id/analytics', owner);
    expect((await ask({ headers: owner.headers })).status).toBe(200);
    expect((await ask({ headers: admin.headers })).status).toBe(404);
  });
});
