import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyRequest } from '#contract/api/api-keys.ts';
import type { Scope } from '#contract/api/scopes.ts';
import type { AccountExport } from '#contract/account/account.ts';
import type { BulkResult, V1Link, V1LinkList } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { rotateKey } from '#worker/api-keys/manage-keys.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

/**
 * Keys of one account: `all` is the owner's server; `pub` may only create, and a public page
 * contains it.
 */
let person: Person;
let all: KeyHolder;
let pub: KeyHolder;
/** A server of an agency, limited to links that start with `ag-`. */
let agency: KeyHolder;
let reader: KeyHolder;
const url = 'https://example.com/';
const keyWith = (scopes: Scope[], more: Partial<ApiKeyRequest> = {}) =>
  makeKey({ person, scopes, ...more });
const SERVER: Scope[] = ['links:read', 'links:write', 'analytics:read'];

beforeEach(async () => {
  person = await makePerson({ plan: 'premium' });
  all = await keyWith(SERVER);
  pub = await keyWith(['links:create']);
  agency = await keyWith(SERVER, { codePrefix: 'ag-' });
  reader = await keyWith(['links:read']);
});

const problemOf = async (response: Response): Promise<Problem> => response.json();
const create = async (holder: KeyHolder, json: object): Promise<V1Link> => {
  const response = await send(holder, 'POST /links', { json: { url, ...json } });
  expect(response.status).toBe(201);
  return response.json();
};
const repeat = (holder: KeyHolder, key: string, json: object) =>
  send(holder, 'POST /links', { json, headers: { 'Idempotency-Key': key } });
const upsert = (holder: KeyHolder, id: string, json: object = { url }) =>
  send(holder, `PUT /links/by-external-id/${encodeURIComponent(id)}`, { json });
const tagsOf = () =>
  env.DB.prepare('SELECT count(*) AS n FROM tags WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('n');
/** Expects a rejection that names the field and has created nothing. */
async function expectRejection(
  response: Response,
  status: number,
  code: string,
  pointers: string[],
) {
  const problem = await problemOf(response);
  expect([problem.status, problem.code, problem.errors?.map(({ pointer }) => pointer)]).toEqual([
    status,
    code,
    pointers,
  ]);
}

describe('Idempotency-Keys', () => {
  it('[T53] an idempotency key belongs to one API key: another cannot use it up or read it', async () => {
    const json = { url: `${url}order` };
    expect((await repeat(pub, 'order-1001', { url: `${url}stranger` })).status).toBe(201);
    const first = await repeat(all, 'order-1001', json);
    expect(first.status).toBe(201);
    const link = await first.json<V1Link>();
    for (const holder of [pub, agency]) {
      const other = await keyWith(holder.key.scopes, { codePrefix: holder.key.codePrefix });
      const answer = await repeat(other, 'order-1001', json);
      expect([answer.status, answer.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
      expect((await answer.json<V1Link>()).id).not.toBe(link.id);
    }
    const again = await repeat(all, 'order-1001', json);
    expect([again.headers.get('Idempotency-Replayed'), await again.json()]).toEqual(['true', link]);
  });

  it('[T53] idempotency keys stay valid for an API key that is rotated', async () => {
    const first = await (await repeat(all, 'k', { url })).json<V1Link>();
    const rotation = { userId: person.id, id: all.key.id, overlapMs: 0, now: Date.now() };
    const rotated = await rotateKey(openDb(env.DB), rotation);
    const headers = { Authorization: `Bearer ${rotated?.key ?? ''}` };
    const again = await repeat({ ...all, headers }, 'k', { url });
    expect([again.headers.get('Idempotency-Replayed'), (await again.json<V1Link>()).id]).toEqual([
      'true',
      first.id,
    ]);
    expect((await repeat({ ...all, headers }, 'k', { url: `${url}other` })).status).toBe(422);
  });
});

/** Expects that the only item of a bulk request failed. */
async function expectFailure(bulk: Response, code: string, pointer: string): Promise<void> {
  expect((await bulk.json<BulkResult>()).results).toMatchObject([
    { ok: false, code, errors: [{ pointer }] },
  ]);
}

describe('a key that can only create', () => {
  it.each([
    ['tags', ['a']],
    ['note', 'A note.'],
    ['externalId', 'order-1'],
  ])(
    '[T53] a key that only creates sets no %s, in a request or in bulk, and is told so',
    async (field, value) => {
      const json = { url, [field]: value };
      for (const holder of [pub, await keyWith(['links:create', 'links:read'])]) {
        const one = await send(holder, 'POST /links', { json });
        expect(one.headers.get('WWW-Authenticate')).toContain('links:write');
        await expectRejection(one, 403, 'insufficient_scope', [`/${field}`]);
        const bulk = await send(holder, 'POST /links/bulk', { json: { links: [json] } });
        await expectFailure(bulk, 'insufficient_scope', `/links/0/${field}`);
      }
      expect((await (await send(reader, 'GET /links')).json<V1LinkList>()).data).toEqual([]);
      expect(await tagsOf()).toBe(0);
      const empty = { url, tags: [], note: '', externalId: null, title: 'A title' };
      expect((await send(pub, 'POST /links', { json: empty })).status).toBe(201);
    },
  );

  it('[T53] a key that only creates does not get the code of a link the account deleted', async () => {
    const { id, code } = await create(all, { code: `sale-${person.id.slice(0, 8)}` });
    await send(all, `DELETE /links/${id}`);
    await expectRejection(
      await send(pub, 'POST /links', { json: { url, code } }),
      409,
      'alias_taken',
      ['/code'],
    );
    expect((await create(all, { code })).code).toBe(code);
  });
});

describe('a key with a code prefix', () => {
  it('[T53] a key with a code prefix neither uses up nor probes the tags of the account', async () => {
    await create(all, { tags: ['VIP'] });
    const { id } = await create(agency, {});
    for (const [route, json] of [
      ['POST /links', { url, tags: ['VIP'] }],
      ['POST /links', { url, tags: ['No such tag'] }],
      ['PUT /links/by-external-id/x', { url, tags: ['VIP'] }],
      [`PATCH /links/${id}`, { tags: ['VIP'] }],
    ] as const)
      await expectRejection(await send(agency, route, { json }), 403, 'forbidden', ['/tags']);
    const bulk = await send(agency, 'POST /links/bulk', {
      json: { links: [{ url, tags: ['VIP'] }] },
    });
    await expectFailure(bulk, 'forbidden', '/links/0/tags');
    expect(await tagsOf()).toBe(1);
    await send(all, `PATCH /links/${id}`, { json: { tags: ['VIP'] } });
    expect(
      await (await send(agency, `PATCH /links/${id}`, { json: { tags: [] } })).json(),
    ).toMatchObject({ tags: [] });
  });

  it('[T53] a key with a code prefix learns no external ids of links outside it', async () => {
    const outside = await create(all, { externalId: 'order-1' });
    const stranger = await keyWith(SERVER, { codePrefix: 'zz-' });
    const theirs = await create(stranger, { externalId: 'order-2' });
    for (const id of ['order-1', 'order-2', 'free']) {
      const created = await upsert(agency, id);
      expect(created.status, id).toBe(201);
      expect(await created.json<V1Link>()).toMatchObject({
        externalId: id,
        code: expect.stringMatching(/^ag-/),
      });
    }
    for (const [id, status] of Object.entries({ 'order-1': 409, 'order-2': 409, 'order-3': 201 }))
      expect(
        (await send(agency, 'POST /links', { json: { url, externalId: id } })).status,
        id,
      ).toBe(status);
    // External ids belong to a prefix, so a key with another prefix may use the same ids.
    const fresh = await keyWith(SERVER, { codePrefix: 'fr-' });
    const links = ['order-1', 'order-2', 'order-3'].map((externalId) => ({ url, externalId }));
    const { results } = await (
      await send(fresh, 'POST /links/bulk', { json: { links } })
    ).json<BulkResult>();
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    const { id: own } = await create(fresh, {});
    const renamed = await send(fresh, `PATCH /links/${own}`, { json: { externalId: 'order-1' } });
    expect((await problemOf(renamed)).code).toBe('external_id_taken');
    expect(
      (await send(fresh, `PATCH /links/${own}`, { json: { externalId: 'free' } })).status,
    ).toBe(200);
    for (const link of [outside, theirs])
      expect(await (await send(all, `GET /links/${link.id}`)).json()).toMatchObject({ url });
  });

  it('[T53] a key with a code prefix cannot squat an id: the PUT of another key creates', async () => {
    const squatted = await (
      await upsert(agency, 'order-7', { url, code: `ag-rude-${person.id.slice(0, 6)}` })
    ).json<V1Link>();
    const answer = await upsert(all, 'order-7', { url, code: `ok-${person.id.slice(0, 8)}` });
    expect(answer.status).toBe(201);
    const link = await answer.json<V1Link>();
    expect(link.id).not.toBe(squatted.id);
    expect(link).toMatchObject({ externalId: 'order-7', code: expect.stringMatching(/^ok-/) });
    // The owner's key does not see the id that the prefixed key set.
    expect(await (await send(all, `GET /links/${squatted.id}`)).json()).toMatchObject({
      externalId: null,
    });
    expect(await (await upsert(agency, 'order-7', { url: `${url}changed` })).json()).toMatchObject({
      id: squatted.id,
      externalId: 'order-7',
      url: `${url}changed`,
    });
    expect((await upsert(all, 'ag-\u001Forder-7')).status).toBe(404);
    const owned = await call('/api/account/export', { headers: person.headers });
    const { links } = await owned.json<AccountExport>();
    expect(links.map(({ external_id }) => external_id)).toEqual(['order-7', 'order-7']);
  });

  it('[T53] a key with a code prefix changes no link that has lost the prefix', async () => {
    const link = await create(agency, { externalId: 'left' });
    const code = `left-${person.id.slice(0, 8)}`;
    expect((await send(all, `PATCH /links/${link.id}`, { json: { code } })).status).toBe(200);
    const answer = await upsert(agency, 'left', { url: `${url}changed` });
    expect((await problemOf(answer)).code).toBe('external_id_taken');
    expect(await (await send(all, `GET /links/${link.id}`)).json()).toMatchObject({ url });
  });

  it('a key with a code prefix finds its link by the id that another key gave it', async () => {
    const link = await create(all, { code: `ag-${person.id.slice(0, 8)}`, externalId: 'ours' });
    expect(await (await upsert(agency, 'ours', { url: `${url}b` })).json()).toMatchObject({
      id: link.id,
      url: `${url}b`,
    });
    await send(agency, `PATCH /links/${link.id}`, { json: { externalId: 'ours' } });
    expect(await (await upsert(all, 'ours')).json()).toMatchObject({
      id: link.id,
      externalId: 'ours',
    });
  });
});

describe('a key that cannot read', () => {
  let writer: KeyHolder;
  beforeEach(async () => {
    writer = await keyWith(['links:write', 'links:create', 'analytics:read']);
  });
  const only = ({ id, code, shortUrl }: Pick<V1Link, 'id' | 'code' | 'shortUrl'>) => ({
    id,
    code,
    shortUrl,
  });

  it('[T53] a key that cannot read learns only id, code and short URL of a link', async () => {
    const link = await create(all, {
      title: 'Title',
      note: 'Secret',
      externalId: 'x',
      tags: ['a'],
    });
    const noChange = await send(writer, `PATCH /links/${link.id}`, { json: { enabled: true } });
    expect(await noChange.json()).toEqual(only(link));
    const patched = await send(writer, `PATCH /links/${link.id}`, { json: { title: 'New' } });
    expect(await patched.json()).toEqual(only(link));
    expect(await (await upsert(writer, 'x', { url })).json()).toEqual(only(link));
    const put = await (await upsert(writer, 'y', { url })).json<V1Link>();
    expect(Object.keys(put)).toEqual(['id', 'code', 'shortUrl']);
    for (const holder of [writer, pub]) {
      const created = await create(holder, {});
      expect(Object.keys(created)).toEqual(['id', 'code', 'shortUrl']);
      const bulk = await send(holder, 'POST /links/bulk', { json: { links: [{ url }] } });
      const [result] = (await bulk.json<BulkResult>()).results;
      expect(result).toEqual({
        ok: true,
        link: { id: expect.any(String), code: expect.any(String), shortUrl: expect.any(String) },
      });
      const key = { headers: { 'Idempotency-Key': 'same' }, json: { url } };
      const first = await (await send(holder, 'POST /links', key)).json<V1Link>();
      expect(first).toEqual(only(first));
      const again = await send(holder, 'POST /links', key);
      expect([again.headers.get('Idempotency-Replayed'), await again.json()]).toEqual([
        'true',
        first,
      ]);
    }
    expect(await (await send(reader, `GET /links/${link.id}`)).json()).toMatchObject({
      title: 'New',
      note: 'Secret',
    });
  });

  it('[T53] a key that cannot read learns no more through the tools for assistants', async () => {
    const link = await create(all, { title: 'Title', note: 'Secret' });
    const use = async (name: string, args: object) => {
      const params = { name, arguments: args };
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const response = await call('/api/mcp', { headers: writer.headers, json });
      return (await response.json<{ result: { structuredContent: object } }>()).result
        .structuredContent;
    };
    expect(await use('update_link', { id: link.id, enabled: true })).toEqual(only(link));
    expect(await use('disable_link', { id: link.id })).toEqual(only(link));
    expect(Object.keys(await use('create_link', { url }))).toEqual(['id', 'code', 'shortUrl']);
  });
});
