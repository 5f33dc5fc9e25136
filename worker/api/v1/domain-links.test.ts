import { beforeAll, describe, expect, it } from 'vitest';
import type { BulkResult, V1Link, V1LinkList } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import type { MyLinksResponse } from '#contract/links/links.ts';
import { env } from 'cloudflare:test';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

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

  it('a name means the present domain, not a deleted one of that name', async () => {
    const holder = await makeKey();
    const name = 'go.again.test-host.com';
    const former = await makeDomain(name, { owner: holder.person.id });
    await create({ domain: name, code: 'sale' }, holder);
    await env.DB.batch([
      env.DB.prepare("UPDATE domains SET status = 'deleted' WHERE id = ?1").bind(former),
      env.DB.prepare('DELETE FROM domain_hosts WHERE domain_id = ?1').bind(former),
    ]);
    await makeDomain(name, { owner: holder.person.id });
    const link = await (await create({ domain: name, code: 'sale' }, holder)).json<V1Link>();
    const found = await send(holder, `GET /links/by-code/${encodeURIComponent(`${name}/sale`)}`);
    expect((await found.json<V1Link>()).id).toBe(link.id);
    const list = await call(`/api/my-urls?domain=${name}`, { headers: holder.person.headers });
    const { urls } = await list.json<MyLinksResponse>();
    expect(urls.map(({ short_code }) => short_code)).toEqual([link.code]);
  });

  it('keeps its code if a request repeats the code of a response', async () => {
    const link = await (await create({ domain: HOST, code: 'repeat' })).json<V1Link>();
    const { code } = link;
    const patched = await send(all, `PATCH /links/${link.id}`, { json: { code, title: 'New' } });
    expect(await patched.json()).toMatchObject({ code, title: 'New', earlierCodes: [] });
    const put = (json: object) => send(all, 'PUT /links/by-external-id/repeat', { json });
    const made = await (await put({ url, domain: HOST, code: 'put' })).json<V1Link>();
    const again = await put({ url, code: made.code, title: 'New' });
    expect(await again.json()).toMatchObject({ id: made.id, code: made.code, title: 'New' });
    const other = { code: made.code };
    expect((await send(all, `PATCH /links/${link.id}`, { json: other })).status).toBe(400);
  });

  it('counts of clicks and top links name it by its short URL', async () => {
    const holder = await makeKey();
    const name = 'go.clicks.test-host.com';
    await makeDomain(name, { owner: holder.person.id });
    const { id, code } = await (
      await create({ domain: name, code: 'sale' }, holder)
    ).json<V1Link>();
    await foldWindows(env.DB, [makeWindow([makeClick(await numberOf(id))])], Date.now());
    const counted = await send(holder, 'GET /analytics/clicks');
    const named = { shortUrl: expect.stringMatching(/^https?:\/\/go\.clicks\.[^/]*\/sale$/) };
    expect(await counted.json()).toMatchObject({ data: [{ value: code, clicks: 1, ...named }] });
    const byDay = await send(holder, 'GET /analytics/clicks?groupBy=day');
    expect(await byDay.json()).toMatchObject({ data: [{ shortUrl: null }] });
    const report = await send(holder, 'GET /analytics?range=all');
    expect(await report.json()).toMatchObject({ topLinks: [{ code, clicks: 1, ...named }] });
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

  it('a list reads nothing for names that are not domains of the account', async () => {
    const bulk = async (host: (i: number) => string): Promise<number> => {
      const links = Array.from({ length: 20 }, (_, i) => ({ url, domain: host(i) }));
      let statements = 0;
      const DB = countStatements(env.DB, () => void (statements += 1));
      const response = await send(all, 'POST /links/bulk', { json: { links } }, { DB });
      const { results } = await response.json<BulkResult>();
      expect(results.map(({ ok }) => ok)).toEqual(links.map(() => false));
      return statements;
    };
    expect(await bulk((i) => `go.unknown-${i}.example`)).toBe(await bulk(() => 'go.one.example'));
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
