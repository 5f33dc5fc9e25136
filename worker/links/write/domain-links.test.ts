import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { linkKey } from '#contract/codes/domain-key.ts';
import type {
  LinkHistory,
  ListedLink,
  MyLinksResponse,
  ShortenResponse,
} from '#contract/links/links.ts';
import { openDb } from '#worker/db/client.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makeDraft } from '#worker/testing/link-drafts.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { insertLinks } from './insert-links.ts';
import { readAllowance } from './link-allowance.ts';
import { toNewLink } from './new-link.ts';
import { shorten } from './shorten.ts';
import { shortenMany } from './shorten-many.ts';

const TARGET = 'https://example.com/on-a-domain';
let serial = 0;
const newHost = () => `go-${++serial}.acme.example`;

const create = (person: Person, json: object): Promise<Response> =>
  call('/api/shorten', { json: { longUrl: TARGET, ...json }, headers: person.headers });
const created = async (person: Person, json: object): Promise<ShortenResponse> => {
  const response = await create(person, json);
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json();
};
const pathOf = (key: string) => `/api/links/${encodeURIComponent(key)}`;
const change = (person: Person, key: string, json: object): Promise<Response> =>
  call(pathOf(key), { method: 'PATCH', json, headers: person.headers });
const listed = async (person: Person, query = ''): Promise<ListedLink[]> => {
  const response = await call(`/api/my-urls?${query}`, { headers: person.headers });
  return (await response.json<MyLinksResponse>()).urls;
};
const errorOf = async (response: Response) => {
  const { error, field } = await response.json<{ error: string; field?: string }>();
  return { status: response.status, error, field };
};

describe('links on domains', () => {
  it('a code can be one link on each domain', async () => {
    const me = await makePerson();
    const [first, second] = [newHost(), newHost()];
    const id = await makeDomain(first, { owner: me.id });
    await makeDomain(second);
    const own = await created(me, { customCode: `same-${serial}` });
    const on = await created(me, { customCode: `same-${serial}`, domain: first });
    const shared = await created(me, { customCode: `same-${serial}`, domain: second });
    expect(own.shortUrl).toBe(`http://localhost:8787/same-${serial}`);
    expect(on).toMatchObject({
      shortUrl: `http://${first}:8787/same-${serial}`,
      code: linkKey(id, `same-${serial}`),
    });
    expect(shared.shortUrl).toBe(`http://${second}:8787/same-${serial}`);
    const again = await create(me, { customCode: `SAME-${serial}`, domain: first });
    expect(await errorOf(again)).toMatchObject({ status: 409, field: 'customCode' });
  });

  it('generated codes and reserved words can be codes on a domain', async () => {
    const me = await makePerson();
    const domain = newHost();
    const id = await makeDomain(domain, { owner: me.id });
    expect((await created(me, { domain })).code).toMatch(new RegExp(`^${id}/[\\w]{7}$`));
    expect((await created(me, { domain, customCode: 'login' })).code).toBe(`${id}/login`);
    const taken = await create(me, { domain, customCode: 'Login' });
    expect(taken.status).toBe(409);
  });

  it.each([
    ['of somebody else', { owner: 'somebody' }, 403, ' is not in your account. '],
    ['without a connected host', { isReady: false }, 409, ' is not connected yet. '],
    ['that is suspended', { status: 'suspended' }, 403, ', so it gets no links. '],
    ['that is deleted', { status: 'deleted' }, 403, ' is not in your account. '],
  ] as const)('a domain %s gets no link', async (_, given, status, text) => {
    const me = await makePerson();
    const domain = newHost();
    await makeDomain(domain, { owner: me.id, ...given });
    const error = expect.stringContaining(text);
    const expected = { status, error, field: 'domain' };
    const refused = await errorOf(await create(me, { domain }));
    expect(refused).toEqual(expected);
    expect(refused.error).toContain(domain);
    const { code } = await created(me, {});
    expect(await errorOf(await change(me, code, { domain }))).toEqual(expected);
  });

  it('a domain that lost its host is found by its owner alone', async () => {
    const me = await makePerson();
    const domain = newHost();
    for (const owner of ['somebody', me.id, 'somebody else']) {
      await makeDomain(domain, { owner });
      await env.DB.prepare('DELETE FROM domain_hosts WHERE host = ?').bind(domain).run();
    }
    const error = expect.stringContaining('not connected yet');
    expect(await errorOf(await create(me, { domain }))).toMatchObject({ status: 409, error });
  });

  it('the batch that writes checks the right again', async () => {
    const me = await makePerson();
    const domain = await makeDomain(newHost(), { owner: 'somebody' });
    const db = openDb(env.DB);
    const options = {
      creator: { userId: me.id },
      reputation: null,
      now: Date.now(),
      random: cryptoRandom,
    };
    for (const code of [null, 'alias'])
      expect(await shorten(db, makeDraft({ domain, code }), options)).toEqual({
        ok: false,
        reason: 'unknown_domain',
      });
    await env.DB.prepare("UPDATE subscriptions SET plan = 'premium' WHERE user_id = ?1")
      .bind(me.id)
      .run();
    const line = { item: 0, ok: true, draft: makeDraft({ domain }) } as const;
    const many = await shortenMany(db, [line], { ...options, failure: 'line' });
    expect(many).toMatchObject({ lines: [{ ok: false, reason: 'unknown_domain' }] });
    expect(await listed(me)).toEqual([]);
  });

  it('the batch that imports checks the domains of earlier codes', async () => {
    const me = await makePerson();
    const now = Date.now();
    const insert = async (owner: string, code: string) => {
      const domain = await makeDomain(newHost(), { owner, status: 'deleted' });
      const imported = {
        key: code,
        from: 'hop',
        clicks: null,
        isMoved: false,
        createdAt: now,
        at: now,
        earlierCodes: [linkKey(domain, 'earlier')],
        history: [],
        status: 'active',
        disabledBy: null,
      } as const;
      const facts = { userId: me.id, code, item: 0, tagIds: [], recheckAt: null, imported };
      const link = toNewLink(makeDraft({ code }), facts);
      const db = openDb(env.DB);
      return insertLinks(db, [link], {
        take: await readAllowance(db, { userId: me.id }, now),
        now,
      });
    };
    expect(await insert('somebody', 'theirs-once')).toMatchObject({ ok: false });
    expect(await insert(me.id, 'mine-once')).toMatchObject({ ok: true });
  });

  it.each([
    ["status = 'deleted'", 'was deleted or moved to another account. Edit the link'],
    ["status = 'suspended'", 'is suspended.'],
  ])('links on a domain with %s say that they do not redirect', async (state, ending) => {
    const me = await makePerson();
    const domain = newHost();
    const text = `${domain} ${ending}`;
    const id = await makeDomain(domain, { owner: me.id });
    const { code } = await created(me, { domain });
    const own = await created(me, {});
    const reasons = async (query = '') => {
      const rows = await listed(me, query);
      return new Map(rows.map((row) => [row.short_code, row.status_reason]));
    };
    expect([...(await reasons()).values()]).toEqual([null, null]);
    await env.DB.exec(`UPDATE domains SET ${state} WHERE id = '${id}'`);
    const after = await reasons();
    expect([after.get(code), after.get(own.code)]).toEqual([expect.stringContaining(text), null]);
    const edited = await change(me, code, { title: 'New' });
    expect((await edited.json<ListedLink>()).status_reason).toContain(text);
    for (const key of [code, own.code])
      await call(pathOf(key), { method: 'DELETE', headers: me.headers });
    const inTrash = await reasons('status=trash');
    expect([inTrash.get(code), inTrash.get(own.code)]).toEqual([
      expect.stringContaining(text),
      null,
    ]);
  });

  it('the first link can be on a host that SHORT_HOSTS has just named', async () => {
    const me = await makePerson();
    const domain = newHost();
    const init = { json: { longUrl: TARGET, domain }, headers: me.headers };
    const answer = await call('/api/shorten', init, { SHORT_HOSTS: domain });
    expect([answer.status, (await answer.json<ShortenResponse>()).shortUrl]).toEqual([
      201,
      expect.stringContaining(domain),
    ]);
  });

  it('a visitor cannot use a domain', async () => {
    const domain = newHost();
    await makeDomain(domain);
    const response = await call('/api/shorten', { json: { longUrl: TARGET, domain } });
    expect(response.status).toBe(401);
  });

  it('a link moves between domains, and its earlier short URL stays its own', async () => {
    const me = await makePerson();
    const [first, second] = [newHost(), newHost()];
    const ids = [await makeDomain(first, { owner: me.id }), await makeDomain(second)];
    const { code } = await created(me, { customCode: `move-${serial}`, domain: first });
    const moved = await change(me, code, { domain: second });
    expect(moved.status, await moved.clone().text()).toBe(200);
    expect(await moved.json()).toMatchObject({
      short_code: linkKey(ids[1] ?? '', `move-${serial}`),
      domain: second,
      short_url: `http://${second}:8787/move-${serial}`,
      earlier_codes: [code],
    });
    const other = await makePerson();
    expect((await create(other, { customCode: `move-${serial}`, domain: second })).status).toBe(
      409,
    );
    // Changes within one millisecond are one entry.
    await scheduler.wait(2);
    const home = await change(me, code, { domain: '', customCode: `home-${serial}` });
    expect(await home.json()).toMatchObject({ short_code: `home-${serial}`, domain: '' });
    const history = await call(`${pathOf(`home-${serial}`)}/history`, { headers: me.headers });
    const { changes } = await history.json<LinkHistory>();
    expect(changes.map(({ before, after }) => [before.domain, after.domain])).toEqual([
      [second, ''],
      [first, second],
    ]);
    const login = await created(me, { customCode: 'login', domain: first });
    const reserved = await change(me, login.code, { domain: '' });
    expect(await errorOf(reserved)).toEqual({
      status: 400,
      error: 'localhost:8787/login is reserved. Choose another domain, or rename the link first.',
      field: 'customCode',
    });
  });

  it('says which short URL is taken where a link cannot move', async () => {
    const me = await makePerson();
    const domain = newHost();
    await makeDomain(domain, { owner: me.id });
    const code = `taken-${serial}`;
    const { code: key } = await created(me, { customCode: code, domain });
    await created(me, { customCode: code });
    const taken = (shortUrl: string) =>
      `${shortUrl} is already taken. Choose another domain, or rename the link first.`;
    expect(await errorOf(await change(me, code, { domain }))).toEqual({
      status: 409,
      error: taken(`${domain}:8787/${code}`),
      field: 'customCode',
    });
    expect(await errorOf(await change(me, key, { domain: '' }))).toMatchObject({
      error: taken(`localhost:8787/${code}`),
    });
    await call(pathOf(key), { method: 'DELETE', headers: me.headers });
    await env.DB.prepare(
      "INSERT INTO link_holds (link_id, kind, created_at) SELECT id, 'link', 1 FROM links WHERE code = ?1",
    )
      .bind(key)
      .run();
    expect(await errorOf(await change(me, code, { domain }))).toMatchObject({
      status: 409,
      error: `Your deleted link ${domain}:8787/${code} was disabled, so its code is not available. Choose another domain, or rename the link first.`,
    });
  });

  it('the list names the domain of each link, and filters by it', async () => {
    const me = await makePerson();
    const domain = newHost();
    await makeDomain(domain, { owner: me.id });
    await created(me, { customCode: `list-${serial}` });
    await created(me, { customCode: `list-${serial}`, domain });
    const domainsOf = async (query: string) =>
      (await listed(me, query)).map((link) => link.domain).toSorted();
    expect(await domainsOf('')).toEqual(['', domain]);
    expect(await domainsOf(`domain=${domain}`)).toEqual([domain]);
    expect(await domainsOf(`domain=${domain}&sort=clicks`)).toEqual([domain]);
    expect(await domainsOf(`domain=${domain}&host=example.com&sort=code`)).toEqual([domain]);
    expect(await domainsOf('domain=')).toEqual(['']);
    expect(await domainsOf('domain=unknown.example')).toEqual([]);
    expect(await domainsOf(`q=${domain}:8787/list-${serial}`)).toEqual(['', domain]);
    for (const q of [domain, `https://${domain.toUpperCase()}:8787/`])
      expect(await domainsOf(`q=${encodeURIComponent(q)}`), q).toEqual([domain]);
    expect(await domainsOf('q=localhost:8787')).toEqual(['']);
    expect(await domainsOf(`q=${domain}&domain=`)).toEqual([]);
    expect(await domainsOf('q=unknown.acme.example')).toEqual([]);
    const totals = await call(`/api/my-urls/totals?domain=${domain}`, { headers: me.headers });
    expect(await totals.json()).toMatchObject({ links: 1 });
  });

  it('new links get the default domain while it can be used', async () => {
    const me = await makePerson();
    const domain = newHost();
    const id = await makeDomain(domain, { owner: me.id });
    const setDefault = env.DB.prepare('UPDATE users SET default_domain = ?2 WHERE id = ?1');
    await setDefault.bind(me.id, id).run();
    expect((await created(me, {})).code).toContain(id);
    expect((await created(me, { domain: '' })).code).not.toContain(id);
    await env.DB.prepare("UPDATE domains SET status = 'suspended' WHERE id = ?1").bind(id).run();
    expect((await created(me, {})).code).not.toContain(id);
  });
});
