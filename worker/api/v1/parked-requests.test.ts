import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { V1Link } from '#contract/v1/v1.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { arriveAfter, endingBeforeWrite } from '#worker/testing/park.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { requestOf, RICH_ENV, type Change } from '#worker/testing/rich-account.ts';
import { wholeDatabase } from '#worker/testing/scan.ts';
import { insertWebhook } from '#worker/testing/webhooks.ts';

/** Every route of the public API that changes something. `POST /api/mcp` does so through a tool. */
const ROUTES = Object.entries(KEY_ACCESS).flatMap(([route, rule]) =>
  rule === 'anyone' || route.startsWith('GET ') ? [] : [route],
);

let keys = 0;

/** A key with a link, and for every route the request that changes something. */
async function makeHolder(): Promise<{ holder: KeyHolder; changes: Record<string, Change> }> {
  keys += 1;
  const name = `parked-${keys}`;
  const holder = await makeKey();
  const created = await send(holder, 'POST /links', {
    json: { url: 'https://example.com/', code: name, externalId: name, tags: [name, 'into'] },
  });
  const { id } = await created.json<V1Link>();
  await send(holder, `PUT /links/${id}/card`, { json: { title: 'A card' } });
  const url = 'https://evil.example/';
  const webhook = await insertWebhook(holder, 'https://hooks.example/');
  const domain = `${name}.com`;
  await makeDomain(domain, { owner: holder.person.id });
  const tool = { name: 'create_link', arguments: { url } };
  return {
    holder,
    changes: {
      'POST /api/mcp': { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool } },
      'POST /api/v1/links': { json: { url } },
      'POST /api/v1/links/bulk': { json: { links: [{ url }] } },
      'POST /api/v1/imports/check': { json: { rows: [{ url }] } },
      'POST /api/v1/imports': { json: { id: `${name}-0123456789`, rows: [{ url }] } },
      'POST /api/v1/links/actions': { json: { action: 'disable', ids: [id] } },
      'PUT /api/v1/links/by-external-id/:externalId': { path: { externalId: name }, json: { url } },
      'PATCH /api/v1/links/:id': { path: { id }, json: { url } },
      'PUT /api/v1/links/:id/card': { path: { id }, json: { title: 'Taken' } },
      'DELETE /api/v1/links/:id/card': { path: { id } },
      'DELETE /api/v1/links/:id': { path: { id } },
      'POST /api/v1/tags': { json: { name: 'new' } },
      'PATCH /api/v1/tags/:name': { path: { name }, json: { color: 'red' } },
      'POST /api/v1/tags/:name/merge': { path: { name }, json: { into: 'into' } },
      'DELETE /api/v1/tags/:name': { path: { name } },
      'POST /api/v1/domains': { json: { name: `new-${name}.com`, confirmed: true } },
      'PATCH /api/v1/domains/:domain': { path: { domain }, json: { rootUrl: url } },
      'POST /api/v1/domains/:domain/check': { path: { domain } },
      'DELETE /api/v1/domains/:domain': { path: { domain } },
      'POST /api/v1/webhooks': { json: { url } },
      'PATCH /api/v1/webhooks/:webhookId': { path: webhook, json: { url } },
      'DELETE /api/v1/webhooks/:webhookId': { path: webhook },
      'POST /api/v1/webhooks/:webhookId/rotate': { path: webhook, json: {} },
      'POST /api/v1/webhooks/:webhookId/test': { path: webhook },
      'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver': { path: webhook },
    },
  };
}

/** The contents of the database without the counters of requests and the last use of keys. */
async function contents(): Promise<string> {
  const tables = await wholeDatabase();
  for (const name of ['counters', 'job_runs', 'system_facts']) tables.delete(name);
  for (const row of tables.get('api_keys') ?? []) delete row['last_used_at'];
  return JSON.stringify([...tables]);
}

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

/** The ways in which a key ends, over the API where it has a route for that. */
const ENDINGS: Record<string, (holder: KeyHolder) => Promise<unknown>> = {
  'is revoked': ({ key, person: { headers } }) =>
    call(`/api/keys/${key.id}`, { method: 'DELETE', headers }),
  'gets another secret': ({ key, person: { headers } }) =>
    call(`/api/keys/${key.id}/rotate`, { json: { overlapHours: 0 }, headers }),
  expires: ({ key }) => run('UPDATE api_keys SET expires_at = 1 WHERE id = ?1', key.id),
  'loses its owner to a suspension': async ({ person }) => {
    const { headers } = await makePerson({ role: 'admin' });
    const scope = { kind: 'user', userId: person.id };
    return call('/api/admin/moderation', {
      json: { action: 'disable', reason: 'Spam.', scope },
      headers,
    });
  },
  'loses its owner to a deletion': ({ person: { headers } }) =>
    call('/api/account', {
      method: 'DELETE',
      json: { confirm: 'delete my account', links: 'keep' },
      headers,
    }),
};

describe('a request of a key whose body arrives late', () => {
  it.each(Object.entries(ENDINGS))(
    '[T47] a late body changes nothing after the key %s',
    async (_, end) => {
      const { holder, changes } = await makeHolder();
      const { headers } = holder;
      const asks = ROUTES.map((route) => ({ route, ...requestOf(route, changes[route]), headers }));
      const { accepted, before, after } = await arriveAfter(
        asks,
        RICH_ENV,
        () => end(holder),
        contents,
      );
      expect(accepted).toEqual([]);
      expect(after).toBe(before);
    },
  );
});

describe('a key that ends between its check and the write', () => {
  it.each(ROUTES)('[T47] %s writes nothing with an ended key', async (route) => {
    const { holder, changes } = await makeHolder();
    let before = '';
    const { DB, wrote } = endingBeforeWrite(async () => {
      await run('DELETE FROM api_keys WHERE id = ?1', holder.key.id);
      before = await contents();
    });
    const { method, path, json } = requestOf(route, changes[route]);
    const response = await call(
      path,
      { method, headers: holder.headers, ...(json === undefined ? {} : { json }) },
      { ...RICH_ENV, DB },
    );
    const text = await response.text();
    expect(wrote(), text).toBe(true);
    expect(response.status, text).toBe(401);
    expect(await contents()).toBe(before);
  });

  it.each(['expires', 'loses its owner to a suspension'])(
    '[T47] a request writes nothing if its key %s just before',
    async (ending) => {
      const { holder, changes } = await makeHolder();
      let before = '';
      const { DB } = endingBeforeWrite(async () => {
        await ENDINGS[ending]?.(holder);
        before = await contents();
      });
      const { path, json } = requestOf('POST /api/v1/links', changes['POST /api/v1/links']);
      await call(path, { json, headers: holder.headers }, { DB });
      expect(await contents()).toBe(before);
    },
  );
});
