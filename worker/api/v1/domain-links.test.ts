import { beforeAll, describe, expect, it } from 'vitest';
import type { BulkResult, V1Link, V1LinkList } from '#contract/v1.ts';
import type { Problem } from '#contract/v1-problem.ts';
import { env } from 'cloudflare:test';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makeDomain } from '#worker/testing/domains.ts';

const HOST = 'go.api.test-host.com';
const url = 'https://example.com/';
let all: KeyHolder;
let domain = '';

beforeAll(async () => {
  all = await makeKey();
  domain = await makeDomain(HOST, { owner: all.person.id });
});

const create = (json: object, key = all) => send(key, 'POST /links', { json: { url, ...json } });
const problemOf = async (response: Response): Promise<Problem> => response.json();
const listed = async (query: string): Promise<string[]> => {
  const response = await send(all, `GET /links?${query}`);
  return (await response.json<V1LinkList>()).data.map(({ shortUrl }) => shortUrl);
};

describe('a link on a domain', () => {
  it('requests create, read, list and move it by the name of the domain', async () => {
    const response = await create({ domain: HOST.toUpperCase(), code: 'sale' });
    expect(response.status).toBe(201);
    const link = await response.json<V1Link>();
    expect(link).toMatchObject({ domain: HOST, code: `${domain}/sale` });
    expect(new URL(link.shortUrl).hostname).toBe(HOST);
    expect(new URL(link.shortUrl).pathname).toBe('/sale');
    const own = await (await create({ code: 'sale-here' })).json<V1Link>();
    expect(own).toMatchObject({ domain: '', code: 'sale-here' });
    expect(await listed(`domain=${HOST}`)).toEqual([link.shortUrl]);
    expect(await listed('domain=')).toEqual([own.shortUrl]);
    expect(await listed('domain=go.unknown.test-host.com')).toEqual([]);
    const byCode = await send(all, `GET /links/by-code/${encodeURIComponent(link.code)}`);
    expect((await byCode.json<V1Link>()).id).toBe(link.id);
    const moved = await send(all, `PATCH /links/${own.id}`, { json: { domain: HOST } });
    expect(await moved.json()).toMatchObject({
      domain: HOST,
      code: `${domain}/sale-here`,
      earlierCodes: ['sale-here'],
    });
    const renamed = await send(all, `PATCH /links/${own.id}`, { json: { code: 'new' } });
    expect(await renamed.json()).toMatchObject({ domain: HOST, code: `${domain}/new` });
  });

  it('can be upserted, and stays on its domain', async () => {
    const put = (json: object) => send(all, 'PUT /links/by-external-id/up', { json });
    const first = await put({ url, domain: HOST, code: 'up' });
    expect(first.status).toBe(201);
    expect((await put({ url, domain: HOST, code: 'up' })).status).toBe(200);
    expect((await put({ url: 'https://example.com/2' })).status).toBe(200);
    expect((await problemOf(await put({ url, domain: '' }))).code).toBe('conflict');
  });

  it('a list creates all but the link on a domain of somebody else', async () => {
    await makeDomain('go.others.test-host.com', { owner: (await makeKey()).person.id });
    const links = [
      { url, domain: HOST },
      { url, domain: 'go.others.test-host.com' },
    ];
    const response = await send(all, 'POST /links/bulk', { json: { links } });
    const { results } = await response.json<BulkResult>();
    expect(results[0]).toMatchObject({ ok: true, link: { domain: HOST } });
    expect(results[1]).toMatchObject({ ok: false, errors: [{ pointer: '/links/1/domain' }] });
  });

  it('a new link gets the default domain, except by keys with a code prefix', async () => {
    const holder = await makeKey();
    const { person } = holder;
    const id = await makeDomain('go.default.test-host.com', { owner: person.id });
    await env.DB.prepare('UPDATE users SET default_domain = ?2 WHERE id = ?1')
      .bind(person.id, id)
      .run();
    const limited = await makeKey({ person, codePrefix: 'ag-' });
    const hostOf = async (response: Response) => (await response.json<V1Link>()).domain;
    expect(await hostOf(await create({}, holder))).toBe('go.default.test-host.com');
    expect(await hostOf(await create({ domain: '' }, holder))).toBe('');
    expect(await hostOf(await create({}, limited))).toBe('');
    const named = await create({ domain: 'go.default.test-host.com' }, limited);
    expect([named.status, (await problemOf(named)).errors?.[0]?.pointer]).toEqual([403, '/domain']);
  });

  it('cannot be created while the domain is suspended', async () => {
    const holder = await makeKey();
    await makeDomain('go.held.test-host.com', { owner: holder.person.id, status: 'suspended' });
    const response = await create({ domain: 'go.held.test-host.com' }, holder);
    expect((await problemOf(response)).errors?.[0]?.pointer).toBe('/domain');
  });
});
