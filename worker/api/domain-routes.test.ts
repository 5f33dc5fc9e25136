import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { Domain, DomainDetail, DomainsResponse } from '#contract/domains.ts';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { drainOutbox } from '#worker/edge/drain-outbox.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { startSaas } from '#worker/testing/member-domains.ts';

let serial = 0;
const newHost = () => `mine-${++serial}.acme.example`;
const SETTINGS = { APP_ORIGIN: 'http://localhost:8787', LINK_MEMORY_MS: '0' };

const ask = (
  { headers }: Person,
  method: string,
  path: string,
  json?: object,
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call(path, { method, headers, ...(json && { json }) }, { ...SETTINGS, ...overrides });
const list = async (person: Person, overrides: Partial<Env> = {}): Promise<DomainsResponse> =>
  (await ask(person, 'GET', '/api/domains', undefined, overrides)).json();
const recordOf = (host: string) =>
  env.LINKS.get<{ r?: string; n?: string }>(hostKey(env.LINKS_EPOCH, host), 'json');

describe('GET /api/domains', () => {
  it('lists the hosts of SHORT_HOSTS, and the member’s own domains', async () => {
    const me = await makePerson();
    const [shared, own] = [newHost(), newHost()];
    await makeDomain(own, { owner: me.id });
    await makeDomain(newHost(), { owner: 'somebody' });
    const { domains, ...rest } = await list(me, { SHORT_HOSTS: shared });
    expect(domains).toMatchObject([
      { name: shared, isShared: true, state: 'active', records: [] },
      { name: own, isShared: false, state: 'active' },
    ]);
    expect(rest).toEqual({ canAdd: false, limit: 1, defaultDomain: '', offers: [] });
    expect((await list(me)).domains.map(({ name }) => name)).toEqual([own]);
  });
});

describe('GET /api/domains/:name', () => {
  it('counts the links that deleting the domain would stop', async () => {
    const me = await makePerson();
    const name = newHost();
    const domain = await makeDomain(name, { owner: me.id });
    for (const one of [name, name, ''])
      await ask(me, 'POST', '/api/shorten', { longUrl: 'https://example.com/', domain: one });
    const { results } = await env.DB.prepare(
      'SELECT id FROM links WHERE user_id = ?1 ORDER BY domain_id = ?2 DESC',
    )
      .bind(me.id, domain)
      .all<{ id: number }>();
    const t = Date.now();
    const clicks = results.flatMap(({ id }, at) => Array(4 ** at).fill(makeClick(id, { t })));
    const early = [29, 30].map((days) => makeClick(results[0]?.id ?? 0, { t: t - days * DAY_MS }));
    await foldWindows(env.DB, [makeWindow([...clicks, ...early])], t);
    // Deleting the domain stops archived links, too.
    const archive = env.DB.prepare('UPDATE links SET archived = 1 WHERE id = ?1');
    await archive.bind(results[0]?.id).run();
    const path = `/api/domains/${name.toUpperCase()}`;
    const found = await (await ask(me, 'GET', path)).json<DomainDetail>();
    expect(found).toMatchObject({ name, links: 2, clicks30Days: 1 + 4 + 1 });
    const other = await makePerson();
    expect((await ask(other, 'GET', `/api/domains/${name}`)).status).toBe(404);
  });

  it('answers for a name that is not proven, and for a domain that has lost its host', async () => {
    const { ask: askSaas, add, connect } = startSaas();
    const [me, other] = [await makePerson(), await makePerson()];
    const host = `go.lost-${++serial}.com`;
    const detailOf = async (person: Person) =>
      (await askSaas(person, 'GET', `/${host}`)).json<DomainDetail>();
    await connect(me, host);
    const link = await call('/api/shorten', {
      method: 'POST',
      headers: me.headers,
      json: { longUrl: 'https://example.com/', domain: host },
    });
    expect(link.status).toBe(201);
    await add(other, host);
    const none = { name: host, state: 'unproven', links: 0, clicks30Days: 0 };
    expect(await detailOf(other)).toMatchObject(none);
    await env.DB.prepare('DELETE FROM domain_hosts WHERE host = ?1').bind(host).run();
    expect(await detailOf(me)).toMatchObject({ name: host, state: 'unproven', links: 1 });
    expect(await detailOf(other)).toMatchObject(none);
  });

  it('counts no links of a deleted domain once its host is added again', async () => {
    const { ask: askSaas, connect } = startSaas();
    const me = await makePerson();
    const host = `go.again-${++serial}.com`;
    await connect(me, host);
    const json = { longUrl: 'https://example.com/', domain: host };
    await call('/api/shorten', { method: 'POST', headers: me.headers, json });
    await askSaas(me, 'DELETE', `/${host}`, { name: host });
    await connect(me, host);
    const detail = await (await askSaas(me, 'GET', `/${host}`)).json<DomainDetail>();
    expect(detail).toMatchObject({ name: host, links: 0 });
  });
});

describe('PATCH /api/domains/:name', () => {
  it('changes the pages of an own domain, in KV too', async () => {
    const me = await makePerson();
    const name = newHost();
    await makeDomain(name, { owner: me.id });
    const path = `/api/domains/${name}`;
    const changed = await ask(me, 'PATCH', path, {
      rootUrl: 'acme.example',
      notFoundUrl: 'https://acme.example/404',
    });
    expect(await changed.json<Domain>()).toMatchObject({
      rootUrl: 'https://acme.example/',
      notFoundUrl: 'https://acme.example/404',
    });
    expect(await recordOf(name)).toMatchObject({ r: 'https://acme.example/' });
    await ask(me, 'PATCH', path, { rootUrl: '' });
    expect(await recordOf(name)).not.toHaveProperty('r');
    expect(await recordOf(name)).toHaveProperty('n');
  });

  it('the public API writes the pages to KV, too', async () => {
    const holder = await makeKey();
    const name = newHost();
    await makeDomain(name, { owner: holder.person.id });
    const page = { rootUrl: 'https://acme.example/v1' };
    expect((await send(holder, `PATCH /domains/${name}`, { json: page })).status).toBe(200);
    expect(await recordOf(name)).toMatchObject({ r: page.rootUrl });
  });

  it('writes to KV later what KV rejects first', async () => {
    const me = await makePerson();
    const name = newHost();
    await makeDomain(name, { owner: me.id });
    const LINKS = withMethods(env.LINKS, { put: () => Promise.reject(new Error('KV is down.')) });
    const page = { rootUrl: 'https://acme.example/later' };
    await ask(me, 'PATCH', `/api/domains/${name}`, page, { LINKS });
    expect(await recordOf(name)).toBeNull();
    await drainOutbox(env, Date.now());
    expect(await recordOf(name)).toMatchObject({ r: page.rootUrl });
    const waiting = env.DB.prepare('SELECT count(*) FROM host_outbox WHERE host = ?1').bind(name);
    expect(await waiting.first('count(*)')).toBe(1);
    await drainOutbox(env, Date.now() + 61_000);
    expect(await waiting.first('count(*)')).toBe(0);
  });

  it('the link policy holds for both pages', async () => {
    const me = await makePerson();
    const name = newHost();
    await makeDomain(name, { owner: me.id });
    for (const field of ['rootUrl', 'notFoundUrl']) {
      const response = await ask(me, 'PATCH', `/api/domains/${name}`, {
        [field]: 'http://10.0.0.1/',
      });
      expect(await response.json()).toMatchObject({ code: 'invalid_target', field });
    }
  });

  it('answers 404 for the domain of the operator or of somebody else', async () => {
    const me = await makePerson();
    const [shared, other] = [newHost(), newHost()];
    await makeDomain(shared);
    await makeDomain(other, { owner: 'somebody' });
    for (const name of [shared, other])
      expect((await ask(me, 'PATCH', `/api/domains/${name}`, { rootUrl: '' })).status).toBe(404);
  });
});

describe('PUT /api/domains/default', () => {
  it('chooses the domain of new links', async () => {
    const me = await makePerson();
    const name = newHost();
    await makeDomain(name, { owner: me.id });
    const choose = (domain: string) => ask(me, 'PUT', '/api/domains/default', { name: domain });
    expect(await (await choose(name.toUpperCase())).json()).toEqual({ defaultDomain: name });
    expect((await list(me)).defaultDomain).toBe(name);
    const link = await ask(me, 'POST', '/api/shorten', { longUrl: 'https://example.com/' });
    expect(await link.json()).toMatchObject({ shortUrl: expect.stringContaining(`//${name}:`) });
    expect((await choose('unknown.example')).status).toBe(403);
    expect((await choose('')).status).toBe(200);
    expect((await list(me)).defaultDomain).toBe('');
  });
});
