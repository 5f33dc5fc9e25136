import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { domain_transfers } from '#worker/db/schema-domains.ts';
import { makeKey } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';
import { makeEndpoint, makeNetwork } from '#worker/testing/webhooks.ts';
import { insertTestDelivery } from '#worker/webhooks/delivery-log.ts';
import { ACCESS } from './access.ts';

/** For each route on something that a member owns: a body that its owner may send. */
const BODIES: Record<string, unknown> = {
  'PATCH /api/links/:code': { enabled: false },
  'DELETE /api/links/:code': undefined,
  'PUT /api/links/:code/card': { title: 'Mine now' },
  'DELETE /api/links/:code/card': undefined,
  'PATCH /api/domains/:name': { rootUrl: 'https://example.com/' },
  'POST /api/domains/:name/check': undefined,
  'DELETE /api/domains/:name': undefined,
  'POST /api/domains/:name/transfer': { email: 'nobody@example.com' },
  'POST /api/domains/:name/transfer/accept': undefined,
  'DELETE /api/domains/:name/transfer': undefined,
  'PATCH /api/blogs-admin/:id': { title: 'Mine now' },
  'DELETE /api/blogs-admin/:id': undefined,
  'POST /api/keys/:id/rotate': {},
  'DELETE /api/keys/:id': undefined,
  'DELETE /api/sessions/:id': undefined,
  'PATCH /api/tags/:id': { name: 'mine' },
  'DELETE /api/tags/:id': undefined,
  'POST /api/tags/:id/merge': { into: 1 },
  'PATCH /api/qr-presets/:id': { name: 'mine' },
  'DELETE /api/qr-presets/:id': undefined,
  'DELETE /api/utm-templates/:id': undefined,
  'PATCH /api/shared-reports/:id': { title: 'Mine now' },
  'DELETE /api/shared-reports/:id': undefined,
  'DELETE /api/views/:id': undefined,
  'PATCH /api/webhooks/:id': { enabled: false },
  'DELETE /api/webhooks/:id': undefined,
  'POST /api/webhooks/:id/rotate': {},
  'POST /api/webhooks/:id/test': {},
  'POST /api/webhooks/:id/deliveries/:delivery/replay': {},
};

/** Members can bring domains. */
const SAAS = {
  CF_SAAS_ZONE_ID: 'zone',
  CF_SAAS_TOKEN: 'token',
  CF_SAAS_TARGET: 'in.saas.test',
} as const;

afterEach(() => {
  vi.unstubAllGlobals();
});

const THINGS = Object.entries(ACCESS).filter(
  ([route, rule]) => rule === 'member' && route.includes(':'),
);

describe('ownership', () => {
  it.each(THINGS)(
    '[T15] [T23] %s returns the same 404 for foreign and unknown things',
    async (route) => {
      const [method = '', pattern = ''] = route.split(' ');
      if (method !== 'GET' && !(route in BODIES))
        throw new Error(`Add a body for ${route} to BODIES.`);
      // On Premium, because some reads need it.
      const [owner, other] = [await makePerson({ plan: 'premium' }), await makePerson()];
      const code = `own-${crypto.randomUUID().slice(0, 8)}`;
      const kind = pattern.split('/')[2] ?? '';
      /** Creates a thing of the owner if the route is about this kind. Returns its id. */
      const make = async (of: string, json: object): Promise<number | string> => {
        if (of !== kind) return 'none';
        const made = await call(`/api/${of}`, { json, headers: owner.headers });
        return (await made.json<{ id: number | string }>()).id;
      };
      if (pattern.includes(':code') || kind === 'shared-reports') {
        const json = { longUrl: 'https://example.com', customCode: code };
        const created = await call('/api/shorten', { json, headers: owner.headers });
        expect(created.status).toBe(201);
      }
      const post = await make('blogs-admin', { title: 'Draft', content: 'x', slug: code });
      const { key } = await makeKey({ person: owner });
      // Created only for webhook routes, because it would otherwise receive the changes of links
      // below.
      const webhook = route.includes('/webhooks/') ? await makeEndpoint(owner) : { id: 'none' };
      const delivery = await insertTestDelivery(openDb(env.DB), webhook.id, Date.now());
      await env.DB.prepare("UPDATE webhook_deliveries SET status = 'failed' WHERE id = ?1")
        .bind(delivery)
        .run();
      // The owner's test event and replay are sent at once.
      vi.stubGlobal('fetch', makeNetwork(() => new Response('')).fetcher);
      const tagIds = [
        await make('tags', { name: 'first', color: 'gray' }),
        await make('tags', { name: 'second', color: 'gray' }),
      ];
      const presetId = await make('qr-presets', { name: 'Theirs', style: PLAIN_QR });
      const templateId = await make('utm-templates', { name: 'Mine', source: 'news' });
      const viewId = await make('views', { name: 'View', filters: {} });
      const shared = { title: 'Theirs', parts: [], period: 'all', expiresAt: null, password: null };
      const sharedId = await make('shared-reports', { code, ...shared });
      const domain = `${code}.example.com`;
      // An offer belongs to the account that got it.
      const domainOwner = route.includes('/transfer/accept') ? await makePerson() : owner;
      const domainId = await makeDomain(domain, { owner: domainOwner.id });
      const offer = { domain_id: domainId, from_id: domainOwner.id, to_id: owner.id };
      await openDb(env.DB)
        .insert(domain_transfers)
        .values({ ...offer, created_at: Date.now(), expires_at: Date.now() + DAY_MS });
      const session = crypto.randomUUID();
      await env.DB.prepare(
        "INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at) VALUES (?1, ?2, ?3, '[]', ?3)",
      )
        .bind(session, owner.id, Date.now())
        .run();
      const ids: Record<string, string | number | undefined> = {
        sessions: session,
        keys: key.id,
        webhooks: webhook.id,
        tags: tagIds[0],
        'qr-presets': presetId,
        'utm-templates': templateId,
        'shared-reports': sharedId,
        views: viewId,
      };
      const id = String(ids[kind] ?? post);

      const ask = async (
        person: Person,
        filled: string,
      ): Promise<{ status: number; body: unknown }> => {
        const filledIn: Record<string, unknown> = {
          'POST /api/tags/:id/merge': { into: tagIds[1] },
          'DELETE /api/domains/:name': { name: filled.split('/').at(-1) },
        };
        const body = filledIn[route] ?? BODIES[route];
        const init = {
          method,
          headers: person.headers,
          ...(body === undefined ? {} : { json: body }),
        };
        const response = await call(filled, init, SAAS);
        const { requestId: _, ...rest } = await response.json<Record<string, unknown>>();
        return { status: response.status, body: rest };
      };
      const fill = (forCode: string, forId: string): string =>
        pattern
          .replace(':name', `${forCode}.example.com`)
          .replace(':code', forCode)
          .replace(':id', forId)
          .replace(':delivery', String(delivery));
      const rows = async (): Promise<unknown> =>
        Promise.all([
          env.DB.prepare('SELECT * FROM links WHERE code = ?1').bind(code).first(),
          env.DB.prepare('SELECT * FROM domains WHERE id = ?1').bind(domainId).first(),
          env.DB.prepare('SELECT * FROM domain_hosts WHERE host = ?1').bind(domain).first(),
          env.DB.prepare('SELECT * FROM domain_transfers WHERE domain_id = ?1')
            .bind(domainId)
            .first(),
          env.DB.prepare('SELECT * FROM posts WHERE id = ?1').bind(post).first(),
          env.DB.prepare('SELECT * FROM api_keys WHERE id = ?1').bind(key.id).first(),
          env.DB.prepare('SELECT * FROM auth_sessions WHERE id = ?1').bind(session).first(),
          env.DB.prepare('SELECT * FROM qr_presets WHERE id = ?1').bind(presetId).first(),
          env.DB.prepare('SELECT * FROM webhook_endpoints WHERE id = ?1').bind(webhook.id).first(),
          env.DB.prepare('SELECT * FROM webhook_deliveries WHERE id = ?1').bind(delivery).first(),
        ]);
      const before = await rows();
      const theirs = await ask(other, fill(code, id));
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(await ask(other, fill('no-such', '999999')));
      expect(await rows()).toEqual(before);
      expect((await ask(owner, fill(code, id))).status).toBe(200);
    },
  );

  it('[T21] acts as the token’s user whatever x-user-id says', async () => {
    const [a, b] = [await makePerson(), await makePerson({ role: 'admin' })];
    const headers = { ...a.headers, 'x-user-id': b.id, 'x-user-email': b.email };
    expect(await (await call('/api/me', { headers })).json()).toMatchObject({
      id: a.id,
      role: 'user',
    });
    const created = await call('/api/shorten', {
      json: { longUrl: 'https://example.com', customCode: 'spoof' },
      headers,
    });
    expect(created.status).toBe(201);
    expect(
      await env.DB.prepare("SELECT user_id FROM links WHERE code = 'spoof'").first('user_id'),
    ).toBe(a.id);
    const usage = 'SELECT current_usage FROM subscriptions WHERE user_id = ?1';
    expect(await env.DB.prepare(usage).bind(b.id).first('current_usage')).toBe(0);
    expect(await (await call('/api/my-urls', { headers })).json()).toMatchObject({
      totals: { links: 1 },
    });
    expect(await (await call('/api/my-urls', { headers: b.headers })).json()).toMatchObject({
      totals: { links: 0 },
    });
    expect((await call('/api/admin?action=stats', { headers })).status).toBe(403);
  });

  it('[T22] claims in the token’s metadata give no role', async () => {
    const person = await makePerson();
    const token = await makeToken({
      sub: person.id,
      email: person.email,
      user_metadata: { role: 'admin', is_admin: true },
      app_metadata: { role: 'admin' },
      is_admin: true,
    });
    expect(
      (await call('/api/admin?action=stats', { headers: { Authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(403);
  });

  it('[T22] applies a demotion at the next request with the same token', async () => {
    const admin = await makePerson({ role: 'admin' });
    const ask = (): Promise<Response> =>
      call('/api/admin?action=stats', { headers: admin.headers });
    expect((await ask()).status).toBe(200);
    await env.DB.prepare("UPDATE users SET role = 'user' WHERE id = ?1").bind(admin.id).run();
    expect((await ask()).status).toBe(403);
  });
});
