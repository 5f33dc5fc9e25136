import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { Domain, DomainsResponse } from '#contract/domains.ts';
import type { QrResponse, ShortenResponse } from '#contract/links/links.ts';
import { applyBlocklist } from '#worker/abuse/apply-blocklist.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, blocklist } from '#worker/db/schema-moderation.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { importRows } from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

const db = openDb(env.DB);
let serial = 0;
const newHost = (): string => `go.attack-${(serial += 1)}.com`;
const SERVED: Partial<Env> = {
  APP_ORIGIN: 'https://hop.example',
  SHORT_ORIGIN: 'https://h.example',
  CF_SAAS_ZONE_ID: 'zone',
  LINK_MEMORY_MS: '0',
  CLICK_WINDOW_MS: '1',
};
const visit = (url: string, init: RequestInit = {}) => call(url, init, SERVED);
const targetOf = async (url: string): Promise<string | number> => {
  const { status, headers } = await visit(url);
  return headers.get('Location') ?? status;
};
const create = async (person: Person, json: object): Promise<ShortenResponse> => {
  const body = { longUrl: 'https://example.com/', ...json };
  const response = await call('/api/shorten', { json: body, headers: person.headers });
  expect(response.status, await response.clone().text()).toBe(201);
  return response.json();
};
const holderOf = async (host: string): Promise<string | null> => {
  const found = await env.DB.prepare(
    'SELECT owner_id FROM domain_hosts JOIN domains ON id = domain_id WHERE host = ?',
  )
    .bind(host)
    .first<{ owner_id: string }>();
  return found?.owner_id ?? null;
};

beforeEach(stopClock);
beforeEach(async () => {
  for (const table of ['domain_hosts', 'abuse_reports', 'counters', 'blocklist'])
    await env.DB.exec(`DELETE FROM ${table}`);
});

describe('two members who want one host', () => {
  it('[T74] of two proofs at once, one gets the host', async () => {
    const { add, ask, proofOf, saas } = startSaas();
    const people = [await makePerson(), await makePerson()];
    const host = newHost();
    const claims = await Promise.all(
      people.map(async (person) => (await add(person, host)).json<Domain>()),
    );
    saas.setRecords(`_hop.${host}`, 'TXT', claims.map(proofOf));
    const answers = await Promise.all(
      people.map(async (person) => (await ask(person, 'POST', `/${host}/check`)).json<Domain>()),
    );
    const states = answers.map(({ state, fault }) => (state === 'unproven' ? fault : state));
    expect(new Set(states)).toEqual(new Set(['held_by_another', 'pending']));
    const { results } = await env.DB.prepare(
      "SELECT owner_id FROM domains WHERE name = ? AND status = 'active'",
    )
      .bind(host)
      .all();
    expect(results).toEqual([{ owner_id: await holderOf(host) }]);
  });

  it('[T74] an offer that is accepted twice, or while its domain is deleted, gives it once', async () => {
    const { ask, connect } = startSaas();
    const [from, to] = [await makePerson(), await makePerson()];
    const [twice, deleted] = [newHost(), newHost()];
    const accept = async (host: string): Promise<number> =>
      (await ask(to, 'POST', `/${host}/transfer/accept`)).status;
    await connect(from, twice);
    await ask(from, 'POST', `/${twice}/transfer`, { email: to.email });
    const answers = await Promise.all([accept(twice), accept(twice)]);
    expect(answers.toSorted()).toEqual([200, 404]);
    await ask(to, 'DELETE', `/${twice}`, { name: twice });
    await connect(from, deleted);
    await ask(from, 'POST', `/${deleted}/transfer`, { email: to.email });
    const [accepted] = await Promise.all([
      accept(deleted),
      ask(from, 'DELETE', `/${deleted}`, { name: deleted }),
    ]);
    expect(await holderOf(deleted)).toBe(accepted === 200 ? to.id : null);
  });

  it('[T74] offering a domain does not tell whether an address has an account', async () => {
    const { ask, connect } = startSaas();
    const [from, known] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(from, host);
    const probe = async (email: string): Promise<[number, number]> => {
      const offered = await ask(from, 'POST', `/${host}/transfer`, { email });
      return [offered.status, (await ask(from, 'DELETE', `/${host}/transfer`)).status];
    };
    expect(await probe('nobody@acme.test')).toEqual(await probe(known.email));
    // An offer to an unknown address replaces the offer before it, too.
    for (const email of [known.email, 'nobody@acme.test'])
      await ask(from, 'POST', `/${host}/transfer`, { email });
    const list = await (await ask(known, 'GET', '')).json<DomainsResponse>();
    expect(list.offers).toEqual([]);
  });

  it('an offer ends at its time', async () => {
    const { ask, connect } = startSaas();
    const [from, to] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(from, host);
    await ask(from, 'POST', `/${host}/transfer`, { email: to.email });
    const until = (at: number) =>
      env.DB.prepare('UPDATE domain_transfers SET expires_at = ?1').bind(at).run();
    const offers = async () =>
      (await (await ask(to, 'GET', '')).json<DomainsResponse>()).offers.map(({ name }) => name);
    await until(Date.now() + 1);
    expect(await offers()).toEqual([host]);
    await until(Date.now());
    expect(await offers()).toEqual([]);
    expect((await ask(to, 'POST', `/${host}/transfer/accept`)).status).toBe(404);
  });

  it('[T74] the host of a suspended member is not moved to another account', async () => {
    const { check, connect, prove } = startSaas();
    const [owner, second] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(owner, host);
    const suspend = (at: number | null) =>
      env.DB.prepare('UPDATE users SET suspended_at = ?2 WHERE id = ?1').bind(owner.id, at).run();
    await suspend(1);
    expect(await prove(second, host)).toMatchObject({ fault: 'held_by_another' });
    expect(await holderOf(host)).toBe(owner.id);
    await suspend(null);
    expect(await check(second, host)).toMatchObject({ state: 'active' });
  });

  it('[T74] new links are not made on a default domain that has lost its host', async () => {
    const { ask, connect, prove } = startSaas();
    const [owner, next] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(owner, host);
    expect((await ask(owner, 'PUT', '/default', { name: host })).status).toBe(200);
    expect((await create(owner, {})).code).toMatch(/^d\./);
    await prove(next, host);
    expect((await create(owner, {})).code).not.toMatch(/^d\./);
    const named = await call('/api/shorten', {
      json: { longUrl: 'https://example.com/', domain: host },
      headers: owner.headers,
    });
    expect(named.status).toBe(403);
  });
});

describe('a member who adds many domains', () => {
  it('[T74] a member adds 50 domains a day, and gets no look-up beyond', async () => {
    const { add, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    saas.setRecords(host, 'A', ['192.0.2.4']);
    for (let at = 0; at < 50; at += 1) expect((await add(person, host, false)).status).toBe(409);
    vi.mocked(fetch).mockClear();
    expect((await add(person, host, false)).status).toBe(429);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('codes that name another member’s domain', () => {
  it('[T74] an import never makes a link on it', async () => {
    const [owner, thief] = [await makePerson(), await makePerson()];
    const host = newHost();
    const id = await makeDomain(host, { owner: owner.id });
    const key = linkKey(id, 'sale');
    const rows = [
      { line: 1, url: 'https://evil.example/1', code: key },
      { line: 2, url: 'https://evil.example/2', code: 'own', earlierCodes: [key] },
      { line: 3, url: 'https://evil.example/3', code: 'spring', domain: host },
    ];
    await importRows(thief, rows, { format: 'hop' });
    const { results } = await env.DB.prepare('SELECT code FROM links WHERE domain_id = ?')
      .bind(id)
      .all();
    expect(results).toEqual([]);
    for (const json of [{ customCode: key }, { customCode: 'sale', domain: host }]) {
      const body = { longUrl: 'https://evil.example/', ...json };
      const refused = await call('/api/shorten', { json: body, headers: thief.headers });
      expect([400, 403]).toContain(refused.status);
    }
    expect(await targetOf(`https://${host}/sale`)).toBe(404);
  });

  it('[T74] a path with the id of a domain leads nowhere on any host', async () => {
    const [one, other] = [await makePerson(), await makePerson()];
    const [host, second] = [newHost(), newHost()];
    const id = await makeDomain(host, { owner: one.id });
    await makeDomain(second, { owner: other.id });
    await create(one, { domain: host, customCode: 'sale' });
    expect(await targetOf(`https://${host}/sale`)).toBe('https://example.com/');
    for (const path of [`/${id}/sale`, `/${id}%2Fsale`, `/%64${id.slice(1)}/sale`, `//${id}/sale`])
      for (const at of [host, second, 'h.example', 'hop.example'])
        for (const end of ['', '/', '+', '%2B'])
          expect([at + path + end, (await visit(`https://${at}${path}${end}`)).status]).toEqual([
            at + path + end,
            404,
          ]);
  });
});

describe('a host that all members share', () => {
  it('[T13] a shared host has no codes with words about credentials', async () => {
    const person = await makePerson();
    const [shared, own] = [newHost(), newHost()];
    await makeDomain(shared);
    await makeDomain(own, { owner: person.id });
    const { headers } = person;
    const statusOf = async (customCode: string, domain: string): Promise<number> => {
      const json = { longUrl: 'https://example.com/', customCode, domain };
      return (await call('/api/shorten', { json, headers })).status;
    };
    const change = async (code: string, json: object): Promise<number> => {
      const path = `/api/links/${encodeURIComponent(code)}`;
      return (await call(path, { method: 'PATCH', json, headers })).status;
    };
    for (const code of ['login', 'Reset-Password', 'v3rify_acc0unt'])
      expect([code, await statusOf(code, shared)]).toEqual([code, 400]);
    expect(await statusOf('docs', shared)).toBe(201);
    const { code } = await create(person, { domain: own, customCode: 'login' });
    expect(await change(code, { domain: shared })).toBe(400);
    const { code: other } = await create(person, { domain: shared });
    expect(await change(other, { customCode: 'sign-in' })).toBe(400);
    const url = 'https://example.com/imported';
    await importRows(person, [{ line: 1, url, code: 'bank/login', domain: shared }], {
      format: 'hop',
    });
    expect(await targetOf(`https://${shared}/bank/login`)).not.toBe(url);
  });
});

describe('links on many domains', () => {
  it('[T74] 50 links on 50 domains take at most 47 statements', async () => {
    const holder = await makeKey();
    const { person } = holder;
    await env.DB.prepare("UPDATE subscriptions SET plan = 'premium' WHERE user_id = ?1")
      .bind(person.id)
      .run();
    const hosts: string[] = [];
    for (let at = 0; at < 50; at += 1) {
      const host = newHost();
      hosts.push(host);
      await makeDomain(host, { owner: at % 2 === 0 ? person.id : '' });
    }
    const rows = hosts.map((domain, at) => ({
      line: at + 1,
      url: `https://example.com/${at}`,
      code: `many-${serial}-${at}`,
      domain,
    }));
    const { headers } = person;
    const file = { format: 'hop', id: crypto.randomUUID(), collisions: 'skip', rows };
    const counted = async (request: (bindings: Partial<Env>) => Promise<Response>) => {
      let statements = 0;
      const DB = countStatements(env.DB, () => void (statements += 1));
      expect((await request({ DB })).status).toBe(200);
      return statements;
    };
    const queries = [
      await counted((bindings) => call('/api/links/import', { json: file, headers }, bindings)),
      await counted((bindings) => {
        const links = rows.map(({ url, domain }) => ({ url, domain }));
        return send(holder, 'POST /links/bulk', { json: { links } }, bindings);
      }),
    ];
    // What the platform's free plan allows an invocation is 50.
    expect(queries.filter((count) => count > 47)).toEqual([]);
    const kept = env.DB.prepare(
      "SELECT count(*) AS n FROM links WHERE user_id = ?1 AND domain_id <> ''",
    );
    expect(await kept.bind(person.id).first('n')).toBe(2 * rows.length);
  });
});

describe('one code on three hosts', () => {
  const HOSTS = 3;
  type Place = { host: string; id: DomainId; target: string; key: string };

  async function makePlaces(settings: object = {}): Promise<Place[]> {
    const code = `same-${(serial += 1)}`;
    const hosts = ['h.example', newHost(), newHost()];
    return Promise.all(
      hosts.map(async (host, at) => {
        const person = await makePerson({ plan: 'premium' });
        const id = at === 0 ? '' : await makeDomain(host, { owner: person.id });
        const target = `https://example.com/of/${host}`;
        const domain = at === 0 ? '' : host;
        await create(person, { longUrl: target, customCode: code, domain, ...settings });
        return { host, id, target, key: linkKey(id, code) };
      }),
    );
  }
  const urlOf = ({ host, key }: Place, end = ''): string =>
    `https://${host}/${key.split('/').at(-1)}${end}`;

  it('[T74] no cache mixes their previews and QR codes', async () => {
    const places = await makePlaces();
    for (const round of [1, 2])
      for (const place of places) {
        expect(await targetOf(urlOf(place)), `round ${round}`).toBe(place.target);
        const preview = await (await visit(urlOf(place, '+'))).text();
        expect(places.filter(({ target }) => preview.includes(target))).toEqual([place]);
      }
    const codes = new Set<string>();
    for (const { key } of places) {
      const qr = await call(`/api/qr/${encodeURIComponent(key)}`);
      codes.add((await qr.json<QrResponse>()).qrCode);
    }
    expect(codes.size).toBe(HOSTS);
  });

  it('[T74] the password of one opens no other', async () => {
    const places = await makePlaces({ password: 'open sesame' });
    const [first] = places;
    if (first === undefined) throw new Error('There are no links.');
    const body = new URLSearchParams({ password: 'open sesame' });
    const opened = await visit(urlOf(first), { method: 'POST', body });
    expect(opened.headers.get('Location')).toBe(first.target);
    const Cookie = opened.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    expect(Cookie).not.toBe('');
    for (const place of places) {
      const again = await visit(urlOf(place), { headers: { Cookie } });
      expect(again.headers.get('Location')).toBe(place === first ? place.target : null);
    }
  });
});

describe('the pages of a domain', () => {
  const PHISH = 'https://login.phish.example/bank';
  const setPages = (person: Person, host: string, json: object, settings: Partial<Env> = {}) =>
    call(`/api/domains/${host}`, { method: 'PATCH', json, headers: person.headers }, settings);
  const report = (code: string) => call('/api/reports', { json: { code, reason: 'phishing' } });
  const reports = () => db.select().from(abuse_reports).orderBy(abuse_reports.id);

  async function makePages(): Promise<{ owner: Person; host: string }> {
    const owner = await makePerson();
    const host = newHost();
    await makeDomain(host, { owner: owner.id });
    const pages = { rootUrl: `${PHISH}/root`, notFoundUrl: PHISH };
    expect((await setPages(owner, host, pages)).status).toBe(200);
    return { owner, host };
  }

  it('[T1] a page that the blocklist contains is removed', async () => {
    const { owner, host } = await makePages();
    expect(await targetOf(`https://${host}/`)).toBe(`${PHISH}/root`);
    expect(await targetOf(`https://${host}/invoice`)).toBe(PHISH);
    const add = (kind: 'host' | 'target', value: string) =>
      db.insert(blocklist).values({ kind, value, created_at: 1 });
    await add('target', `${PHISH}/root`);
    await applyBlocklist(env, Date.now());
    expect(await targetOf(`https://${host}/`)).toBe(200);
    expect(await targetOf(`https://${host}/invoice`)).toBe(PHISH);
    await setPages(owner, host, { rootUrl: `${PHISH}/other` });
    await add('target', PHISH);
    await applyBlocklist(env, Date.now());
    expect(await targetOf(`https://${host}/`)).toBe(`${PHISH}/other`);
    expect(await targetOf(`https://${host}/invoice`)).toBe(404);
    await add('host', 'phish.example');
    await applyBlocklist(env, Date.now());
    expect(await targetOf(`https://${host}/`)).toBe(200);
  });

  it('[T1] a page is rejected while the reputation service does not answer', async () => {
    const { saas } = startSaas();
    const owner = await makePerson();
    const host = newHost();
    await makeDomain(host, { owner: owner.id });
    saas.setResolversDown(true);
    const REPUTATION_DOH_URL = 'https://saas.test/resolver-0';
    const refused = await setPages(owner, host, { rootUrl: PHISH }, { REPUTATION_DOH_URL });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ field: 'rootUrl', error: expect.stringContaining('a moment.') }),
    ]);
  });

  it('[T51] a report about one reaches the newest link of its owner', async () => {
    const { owner, host } = await makePages();
    await report(`https://${host}/`);
    expect(await reports()).toEqual([]);
    await create(owner, { customCode: `older-${serial}` });
    const elsewhere = await create(owner, { customCode: `elsewhere-${serial}` });
    await report(host);
    const { code } = await create(owner, { domain: host, customCode: 'real' });
    await report(`https://${host}/invoice?id=1`);
    await report(`https://${host}/real`);
    const stored = await reports();
    expect(
      stored.map(({ target, target_host, details }) => [target, target_host, details]),
    ).toEqual([
      [`${PHISH}/root`, 'login.phish.example', `${host}/ leads to ${PHISH}/root. `],
      [PHISH, 'login.phish.example', `${host}/invoice leads to ${PHISH}. `],
      ['https://example.com/', 'example.com', ''],
    ]);
    const idOf = (one: string) =>
      env.DB.prepare('SELECT id FROM links WHERE code = ?').bind(one).first('id');
    const [newest, link] = [await idOf(elsewhere.code), await idOf(code)];
    expect(stored.map(({ link_id }) => link_id)).toEqual([newest, link, link]);
  });

  it('[T51] a report about a lost host does not reach the same code elsewhere', async () => {
    const owner = await makePerson();
    const host = newHost();
    await makeDomain(host, { owner: owner.id });
    const code = `lost-${serial}`;
    await create(await makePerson(), { customCode: code });
    await env.DB.exec('DELETE FROM domain_hosts');
    await report(`https://${host}/${code}`);
    expect(await reports()).toEqual([]);
  });
});
