import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { AccountExport } from '#contract/account/account.ts';
import { openDb } from '#worker/db/client.ts';
import { account_totals } from '#worker/db/schema-accounts.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { utm_templates } from '#worker/db/schema-presets.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { findInDatabase } from '#worker/testing/scan.ts';

const db = openDb(env.DB);

/** A member who uses the public API and whose address is in everything they can choose. */
async function makeApiUser() {
  const holder = await makeKey();
  const { email } = holder.person;
  const request = {
    json: { url: 'https://example.com/api', externalId: email },
    headers: { 'Idempotency-Key': email },
  };
  expect((await send(holder, 'POST /links', request)).status).toBe(201);
  const { id } = holder.person;
  const own = { user_id: id, created_at: 1 };
  const address = { target: 'https://example.com/', target_host: 'example.com' };
  const [removed] = await db
    .insert(links)
    .values({
      ...own,
      ...address,
      code: `gone-${id.slice(0, 8)}`,
      status: 'deleted',
      updated_at: 1,
    })
    .returning();
  const link_id = removed?.id ?? 0;
  const utm = { source: 'x', medium: 'x', campaign: 'x', term: 'x', content: 'x' };
  // The id of the webhook says whose it is, because a delivery has no other column for that.
  const hook = `hook of ${id}`;
  await db.batch([
    db.insert(utm_templates).values({ ...own, ...utm, name: 'x' }),
    db
      .insert(account_totals)
      .values({ user_id: id, links: 1, clicks: 1, active: 1, counted_at: 1 }),
    db.insert(link_imports).values({ user_id: id, row_key: 'x', link_id, import_id: 'x', line: 1 }),
    db
      .insert(webhook_endpoints)
      .values({ ...own, id: hook, url: 'https://hooks.example/', events: 'x', salt: 'x' }),
    db.insert(webhook_deliveries).values({
      endpoint_id: hook,
      message_id: 'x',
      type: 'link.created',
      sequence: 1,
      data: '{}',
      status: 'delivered',
      created_at: 1,
    }),
    db
      .insert(link_holds)
      .values({ link_id, kind: 'link', reason: `Reported by ${email}`, created_at: 1 }),
  ]);
  return { holder, traces: new RegExp(`${holder.person.id}|${email.replaceAll('.', '\\.')}`) };
}

describe('deleteAccount', () => {
  it.each(['remove', 'keep'])(
    '[T34] deleting leaves nothing of API keys and requests, when links are to %s',
    async (choice) => {
      const { holder, traces } = await makeApiUser();
      expect((await findInDatabase(traces)).map((place) => place.split(':')[0])).toEqual(
        expect.arrayContaining([
          'links.external_id',
          'api_keys.user_id',
          'idempotent_requests.key',
          'account_totals.user_id',
          'link_holds.reason',
          'link_imports.user_id',
          'utm_templates.user_id',
          'webhook_deliveries.endpoint_id',
        ]),
      );
      const json = { confirm: 'delete my account', links: choice };
      const deleted = await call('/api/account', {
        method: 'DELETE',
        json,
        headers: holder.person.headers,
      });
      expect(deleted.status).toBe(200);
      expect(await findInDatabase(traces)).toEqual([]);
      expect((await send(holder, 'GET /me')).status).toBe(401);
    },
  );
});

describe('exportAccount', () => {
  it('[T34] the export contains API keys without their secrets, and external ids', async () => {
    const { holder } = await makeApiUser();
    const text = await (
      await call('/api/account/export', { headers: holder.person.headers })
    ).text();
    const { api_keys, links: own }: AccountExport = JSON.parse(text);
    expect(api_keys).toMatchObject([{ name: 'Test', prefix: holder.key.prefix }]);
    expect(own[0]).toMatchObject({ external_id: holder.person.email });
    expect(text).not.toContain(holder.key.key);
  });
});
