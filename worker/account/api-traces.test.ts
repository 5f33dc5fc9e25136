import { describe, expect, it } from 'vitest';
import type { AccountExport } from '#contract/account/account.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { findInDatabase } from '#worker/testing/scan.ts';

/** A member who uses the public API and whose address is in everything they can choose. */
async function makeApiUser() {
  const holder = await makeKey();
  const { email } = holder.person;
  const request = {
    json: { url: 'https://example.com/api', externalId: email },
    headers: { 'Idempotency-Key': email },
  };
  expect((await send(holder, 'POST /links', request)).status).toBe(201);
  return { holder, traces: new RegExp(`${holder.person.id}|${email.replaceAll('.', '\\.')}`) };
}

describe('deleteAccount', () => {
  it.each(['remove', 'keep'])(
    '[T34] deleting leaves nothing of API keys and requests, when links are to %s',
    async (links) => {
      const { holder, traces } = await makeApiUser();
      expect((await findInDatabase(traces)).map((place) => place.split(':')[0])).toEqual(
        expect.arrayContaining([
          'links.external_id',
          'api_keys.user_id',
          'idempotent_requests.key',
        ]),
      );
      const json = { confirm: 'delete my account', links };
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
    const { api_keys, links }: AccountExport = JSON.parse(text);
    expect(api_keys).toMatchObject([{ name: 'Test', prefix: holder.key.prefix }]);
    expect(links).toMatchObject([{ external_id: holder.person.email }]);
    expect(text).not.toContain(holder.key.key);
  });
});
