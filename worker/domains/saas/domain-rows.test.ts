import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { changeDomain } from '#worker/domains/change-domain.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { proofValue } from '#worker/domains/proof/proof-value.ts';
import type { LookUp } from '#worker/domains/proof/resolvers.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { makePerson } from '#worker/testing/make.ts';
import { mailsTo } from '#worker/testing/sign-in.ts';
import { checkMemberHost, MEMBER_HOST, type MemberHost } from './check-member-host.ts';
import { describeOwnDomains, listOffers } from './describe-domains.ts';
import { mailFailing } from './mail-owners.ts';
import type { Hostname, PlatformResult, Quota } from './platform.ts';
import { proveHost } from './prove-host.ts';
import { SAAS_QUOTA, storeQuota } from './quota.ts';
import { removeDomain, removeDomainsOf } from './remove-domain.ts';
import { saasTools } from './tools.ts';
import { acceptDomain, endOffer, offerDomain } from './transfer-domain.ts';

const NOW = Date.UTC(2031, 0, 1);
const HOST = 'go.rows.example';
const db = openDb(env.DB);
const run = (text: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();
const rows = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results;

async function addDomain(ownerId: string, name = HOST, createdAt = NOW): Promise<DomainId> {
  const id = newDomainId(cryptoRandom);
  await run(
    `INSERT INTO domains (id, owner_id, name, version, created_at, root_url, not_found_url)
     VALUES (?, ?, ?, 4, ?, 'https://a.example/', 'https://b.example/')`,
    id,
    ownerId,
    name,
    createdAt,
  );
  return id;
}
const addHost = (id: DomainId, host = HOST, saasId = '') =>
  run(
    `INSERT INTO domain_hosts (host, domain_id, saas_id, proven_at, failing_since, mails, created_at)
     VALUES (?, ?, ?, 1, 1, 2, 1)`,
    host,
    id,
    saasId,
  );
const addOffer = (id: DomainId, fromId: string, toId: string, expiresAt = NOW + 1) =>
  run('INSERT INTO domain_transfers VALUES (?, ?, ?, 1, ?)', id, fromId, toId, expiresAt);
const addClaim = (ownerId: string, host = HOST) =>
  run("INSERT INTO domain_claims VALUES (?, ?, 1, ?, NULL, '')", host, ownerId, NOW + 1);
function makeTools() {
  const settings = { CF_SAAS_ZONE_ID: 'z', CF_SAAS_TOKEN: 't', CF_SAAS_TARGET: 'in.saas.test' };
  const tools = saasTools({ ...env, ...settings }, db);
  if (tools === null) throw new Error('The platform is off.');
  return tools;
}
const describeOf = (ownerId: string) =>
  describeOwnDomains(db, { ownerId, secret: 's', target: '' }, NOW);

beforeEach(async () => {
  await env.DB.exec(
    ['hosts', 'removals', 'transfers', 'claims']
      .map((table) => `DELETE FROM domain_${table};`)
      .join(' '),
  );
  await env.DB.exec('DELETE FROM domains;');
});

describe('an offer', () => {
  it('an offer has no receiver while the account with its address is suspended', async () => {
    const [from, to] = [await makePerson(), await makePerson()];
    await addHost(await addDomain(from.id));
    const offer = () => offerDomain(db, { ownerId: from.id, host: HOST, email: to.email }, NOW);
    await run('UPDATE users SET suspended_at = 1 WHERE id = ?', to.id);
    expect(await offer()).toEqual({ ok: true, receiver: null });
    await run('UPDATE users SET suspended_at = NULL WHERE id = ?', to.id);
    expect(await offer()).toEqual({ ok: true, receiver: to.id });
  });

  it('counts from when it was last made', async () => {
    const [from, to] = [await makePerson(), await makePerson()];
    await addHost(await addDomain(from.id));
    for (const now of [NOW, NOW + 5]) {
      await offerDomain(db, { ownerId: from.id, host: HOST, email: to.email }, now);
      expect(await rows('domain_transfers')).toMatchObject([
        { created_at: now, expires_at: now + 7 * DAY_MS },
      ]);
    }
  });

  it('an offer is listed and shown until it ends, while its domain is active', async () => {
    const [from, to] = [await makePerson(), await makePerson()];
    const id = await addDomain(from.id);
    await addHost(id);
    await addOffer(id, from.id, to.id);
    const listed = async () =>
      (await listOffers(db, to.id, NOW)).map(({ name, from: by }) => [name, by]);
    const shown = async () => (await describeOf(from.id)).map((domain) => domain.offeredUntil);
    expect([await listed(), await shown()]).toEqual([
      [[HOST, from.email]],
      [new Date(NOW + 1).toISOString()],
    ]);
    await run("UPDATE domains SET status = 'suspended'");
    expect(await listed()).toEqual([]);
    await run("UPDATE domains SET status = 'active'");
    await run('UPDATE domain_transfers SET expires_at = ?', NOW);
    expect([await listed(), await shown()]).toEqual([[], [null]]);
  });

  it('an offer is of an active domain with a host, to somebody else, five times a day', async () => {
    const { id: ownerId, email: own } = await makePerson();
    const id = await addDomain(ownerId);
    const offer = async (email = 'nobody@acme.test') => {
      const made = await offerDomain(db, { ownerId, host: HOST, email }, NOW);
      return made.ok ? made.receiver : made.reason;
    };
    expect(await offer()).toBe('unknown_domain');
    await addHost(id);
    await run("UPDATE domains SET status = 'suspended'");
    expect(await offer()).toBe('unknown_domain');
    await run("UPDATE domains SET status = 'active'");
    expect(await offer(` ${own} `)).toBe('offers_yourself');
    for (let at = 0; at < 5; at += 1) expect(await offer()).toBeNull();
    expect(await offer()).toBe('too_many_offers');
  });

  it('an offer is ended by either side, and by nobody else', async () => {
    const [from, to, other] = [await makePerson(), await makePerson(), await makePerson()];
    const id = await addDomain(from.id);
    for (const [by, ends] of [
      [other, false],
      [to, true],
      [from, true],
    ] as const) {
      await run('DELETE FROM domain_transfers');
      await addOffer(id, from.id, to.id);
      expect(await endOffer(db, by.id, HOST)).toBe(ends);
    }
  });

  it('once accepted, takes the faults, the claim and the members’ choice with it', async () => {
    const [from, to] = [await makePerson(), await makePerson()];
    const id = await addDomain(from.id);
    await addHost(id);
    await addOffer(id, from.id, to.id);
    await run('UPDATE users SET default_domain = ? WHERE id = ?', id, from.id);
    await addClaim(to.id);
    const accepted = await acceptDomain(db, { userId: to.id, host: HOST }, NOW);
    expect(accepted).toEqual({ ok: true, formerOwner: from.id });
    expect(await rows('domain_hosts')).toMatchObject([{ failing_since: null, mails: 0 }]);
    expect([await rows('domain_claims'), await rows('domain_transfers')]).toEqual([[], []]);
    const [choice] = await db.all(sql`select default_domain from users where id = ${from.id}`);
    expect(choice).toEqual({ default_domain: '' });
    // A version above that of the former domain, which has ended with one more.
    const versions = await db.all(sql`select status, version from domains order by version`);
    expect(versions).toEqual([
      { status: 'deleted', version: 5 },
      { status: 'active', version: 6 },
    ]);
  });
});

describe('a domain', () => {
  it('a domain is listed by its age and then its name', async () => {
    const { id } = await makePerson();
    for (const [name, at] of [
      ['a.example', NOW],
      ['c.example', 1],
      ['b.example', 1],
    ] as const)
      await addDomain(id, name, at);
    const names = (await describeOf(id)).map(({ name }) => name);
    expect(names).toEqual(['b.example', 'c.example', 'a.example']);
  });

  it('a domain shows its state, its fault and its records', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await addHost(await addDomain(me.id));
    const shown = async () =>
      (await describeOf(me.id)).map(({ state, fault, suspendedReason: reason, records }) => {
        const types = records.map(({ type }) => type).join(' ');
        return [state, fault, reason, types];
      });
    expect(await shown()).toEqual([['pending', null, null, 'TXT']]);
    await run('UPDATE domain_hosts SET active_at = 1');
    expect(await shown()).toEqual([['failing', null, null, 'TXT']]);
    await run("UPDATE domains SET status = 'suspended', suspended_reason = 'Spam.'");
    expect(await shown()).toEqual([['suspended', null, 'Spam.', 'TXT']]);
    expect(await changeDomain(db, me.id, HOST, { rootUrl: '' })).toBe(false);
    await run('DELETE FROM domains');
    await addHost(await addDomain(other.id, 'taken.example'), 'taken.example');
    await addClaim(me.id, 'taken.example');
    expect(await shown()).toEqual([['unproven', 'held_by_another', null, 'TXT']]);
  });

  it('a domain is deleted by its name in any case', async () => {
    const [{ id }, other] = [await makePerson(), await makePerson()];
    const domainId = await addDomain(id);
    await addOffer(domainId, id, other.id);
    await addClaim(id);
    await run('UPDATE users SET default_domain = ? WHERE id = ?', domainId, id);
    const remove = (typed: string) => removeDomain(db, id, { host: HOST, typed }, NOW);
    expect(await remove('go.rows')).toEqual({ ok: false, reason: 'name_differs' });
    expect(await remove(' Go.Rows.Example ')).toEqual({ ok: true });
    expect([await rows('domain_claims'), await rows('domain_transfers')]).toEqual([[], []]);
    expect(await rows('domains')).toMatchObject([{ status: 'deleted', version: 5 }]);
    const [choice] = await db.all(sql`select default_domain from users where id = ${id}`);
    expect(choice).toEqual({ default_domain: '' });
  });

  it('leaves no address, offer or choice once its account is deleted', async () => {
    const [owner, other] = [await makePerson(), await makePerson()];
    const [id, bare, foreign] = [
      await addDomain(owner.id),
      await addDomain(owner.id, 'bare.example'),
      await addDomain(other.id, 'foreign.example'),
    ];
    await addHost(id, HOST, 'saas-1');
    await addHost(bare, 'bare.example');
    await addOffer(id, owner.id, other.id);
    await addOffer(foreign, other.id, owner.id);
    await addClaim(owner.id, 'claimed.example');
    for (const statement of Object.values(removeDomainsOf(owner.id, NOW, sql`true`)))
      await db.run(statement);
    expect(await rows('domain_removals')).toMatchObject([{ saas_id: 'saas-1', host: HOST }]);
    const emptied = ['hosts', 'transfers', 'claims'].map((table) => rows(`domain_${table}`));
    expect(await Promise.all(emptied)).toEqual([[], [], []]);
    const left = await db.all(sql`select distinct status, version, root_url, not_found_url
      from domains where owner_id = 'deleted'`);
    expect(left).toEqual([{ status: 'deleted', version: 5, root_url: '', not_found_url: '' }]);
  });
});

describe('proveHost', () => {
  const prove = async (ownerId: string, max = 9) => {
    const tools = makeTools();
    const records = [proofValue(tools.secret, ownerId, HOST)];
    const lookUp: LookUp = async () => [records, records];
    const settings = { ...tools.settings, max };
    return proveHost({ ...tools, lookUp, settings }, { ownerId, host: HOST }, NOW);
  };

  it('ends the claim, the faults of the former owner, and the deletion at the platform', async () => {
    const [old, next] = [await makePerson(), await makePerson()];
    await addHost(await addDomain(old.id), HOST, 'saas-1');
    await run("UPDATE domain_hosts SET active_at = 1, checks = 9, fault = 'blocked', seen = '{}'");
    await run("INSERT INTO domain_removals VALUES ('saas-1', ?, 0, 1)", HOST);
    await addClaim(next.id);
    expect(await prove(next.id)).toMatchObject({ state: 'proven', formerOwner: old.id });
    const reset = {
      active_at: null,
      failing_since: null,
      mails: 0,
      checks: 0,
      fault: '',
      seen: '',
    };
    expect(await rows('domain_hosts')).toMatchObject([{ ...reset, saas_id: 'saas-1' }]);
    expect([await rows('domain_claims'), await rows('domain_removals')]).toEqual([[], []]);
  });

  it('gives nobody a host of the operator, or one above the limit of the installation', async () => {
    const { id } = await makePerson();
    await addClaim(id);
    expect(await prove(id, 0)).toMatchObject({ seen: { fault: 'quota_reached' } });
    await addHost(await addDomain(''));
    expect(await prove(id)).toMatchObject({ seen: { fault: 'held_by_another' } });
  });
});

describe('checkMemberHost', () => {
  const lookUp: LookUp = async (_, type) =>
    type === 'CNAME' ? [['in.saas.test'], ['in.saas.test']] : [[], []];
  /** Checks the host while its hostname has a status. Returns which requests change it. */
  const check = async (host: MemberHost, status: string, isAsked = false) => {
    const asked: string[] = [];
    const answer = (name: string) => async (): Promise<PlatformResult<Hostname>> => {
      asked.push(name);
      return { ok: true, value: { id: 'saas-1', status, sslStatus: '' } };
    };
    const tools = makeTools();
    const fakes = { create: answer('create'), read: answer('read'), refresh: answer('refresh') };
    const platform = { ...tools.platform, ...fakes };
    await checkMemberHost({ ...tools, platform, lookUp }, host, NOW, isAsked);
    return asked.join(' ');
  };
  const readHost = async (): Promise<MemberHost> => {
    const [host] = await db.all<MemberHost>(
      sql`select ${MEMBER_HOST} from domain_hosts join domains on domains.id = domain_id`,
    );
    if (host === undefined) throw new Error('There is no host.');
    return host;
  };

  it('starts the validation of a waiting hostname again, once when its record is back', async () => {
    await addHost(await addDomain('owner'), HOST, 'saas-1');
    const host = await readHost();
    for (const status of ['pending', 'moved', 'blocked'])
      expect(await check(host, status), status).toBe('read refresh');
    expect(await check(host, 'active')).toBe('read');
    expect(await check(await readHost(), 'pending')).toBe('read');
    expect(await check(await readHost(), 'pending', true)).toBe('read refresh');
  });

  it('queues a hostname for deletion if its host has left meanwhile', async () => {
    await addHost(await addDomain('owner'));
    const host = await readHost();
    await run('UPDATE domain_hosts SET domain_id = ?', await addDomain('other', 'b.example'));
    await check(host, 'pending');
    expect(await rows('domain_hosts')).toMatchObject([{ saas_id: '', checked_at: null }]);
    expect(await rows('domain_removals')).toEqual([]);
    await run('DELETE FROM domain_hosts');
    await check(host, 'pending');
    expect(await rows('domain_removals')).toMatchObject([{ saas_id: 'saas-1', host: HOST }]);
  });

  it('no mail about a failing host is sent twice, or to a suspended owner', async () => {
    const owner = await makePerson();
    await addHost(await addDomain(owner.id));
    await run('UPDATE domain_hosts SET mails = 0');
    const host = await readHost();
    const local: Env = { ...env, DEV_MAILBOX: 'on' };
    const send = () => mailFailing(local, db, host, NOW);
    expect([await send(), await send()]).toEqual([true, false]);
    await run('UPDATE domain_hosts SET mails = 0');
    await run('UPDATE users SET suspended_at = 1 WHERE id = ?', owner.id);
    expect(await send()).toBe(false);
    const [mail] = await mailsTo(owner.email);
    expect(mail?.text).toContain('/settings/domains');
  });
});

describe('storeQuota', () => {
  it('counts proven hosts each hour, and keeps what the platform said last', async () => {
    await run('DELETE FROM system_facts WHERE name = ?', SAAS_QUOTA);
    const id = await addDomain('owner');
    await addHost(id);
    await addHost(id, 'unproven.example');
    await run("UPDATE domain_hosts SET proven_at = NULL WHERE host = 'unproven.example'");
    const tools = makeTools();
    const store = async (value: Quota | null, now: number) => {
      const answer: PlatformResult<Quota> =
        value === null ? { ok: false, reason: 'unavailable' } : { ok: true, value };
      const platform = { ...tools.platform, readQuota: () => Promise.resolve(answer) };
      await storeQuota({ ...tools, platform }, now);
      const [fact] = await db.all<{ value: string }>(
        sql`select value from system_facts where name = ${SAAS_QUOTA}`,
      );
      return JSON.parse(fact?.value ?? '{}');
    };
    const quota = { allocated: 9, used: 1 };
    const first = { hosts: 1, quota, silentSince: null };
    expect(await store(quota, NOW)).toEqual(first);
    expect(await store(null, NOW + HOUR_MS - 1)).toEqual(first);
    const silent = { hosts: 1, quota, silentSince: NOW + HOUR_MS };
    expect(await store(null, NOW + HOUR_MS)).toEqual(silent);
    expect(await store(null, NOW + 2 * HOUR_MS)).toEqual(silent);
    expect(await store(quota, NOW + 3 * HOUR_MS)).toEqual(first);
  });
});
