import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { makePerson } from '#worker/testing/make.ts';
import { describeOwnDomains, listOffers } from './describe-domains.ts';
import type { PlatformResult, Quota } from './platform.ts';
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
    const ends = async (now: number) => {
      await offerDomain(db, { ownerId: from.id, host: HOST, email: to.email }, now);
      return (await rows('domain_transfers'))[0]?.expires_at;
    };
    const first = Number(await ends(NOW));
    expect(await ends(NOW + 5)).toBe(first + 5);
  });

  it('an offer is listed and shown until it ends, while its domain is active', async () => {
    const [from, to] = [await makePerson(), await makePerson()];
    const id = await addDomain(from.id);
    await addHost(id);
    await addOffer(id, from.id, to.id);
    const listed = async () => (await listOffers(db, to.id, NOW)).map(({ name }) => name);
    const shown = async () => (await describeOf(from.id)).map((domain) => domain.offeredUntil);
    expect([await listed(), await shown()]).toEqual([[HOST], [new Date(NOW + 1).toISOString()]]);
    await run("UPDATE domains SET status = 'suspended'");
    expect(await listed()).toEqual([]);
    await run("UPDATE domains SET status = 'active'");
    await run('UPDATE domain_transfers SET expires_at = ?', NOW);
    expect([await listed(), await shown()]).toEqual([[], [null]]);
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
    await run("INSERT INTO domain_claims VALUES (?, ?, 1, ?, NULL, '')", HOST, to.id, NOW + 1);
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

  it('a domain is deleted by its name in any case', async () => {
    const { id } = await makePerson();
    await addDomain(id);
    const remove = (typed: string) => removeDomain(db, id, { host: HOST, typed }, NOW);
    expect(await remove('go.rows')).toEqual({ ok: false, reason: 'name_differs' });
    expect(await remove(' Go.Rows.Example ')).toEqual({ ok: true });
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
    for (const statement of Object.values(removeDomainsOf(owner.id, NOW, sql`true`)))
      await db.run(statement);
    expect(await rows('domain_removals')).toMatchObject([{ saas_id: 'saas-1', host: HOST }]);
    expect([await rows('domain_hosts'), await rows('domain_transfers')]).toEqual([[], []]);
    const left = await db.all(sql`select distinct status, root_url, not_found_url from domains
      where owner_id = 'deleted'`);
    expect(left).toEqual([{ status: 'deleted', root_url: '', not_found_url: '' }]);
  });
});

describe('storeQuota', () => {
  it('counts proven hosts each hour, and keeps what the platform said last', async () => {
    await run('DELETE FROM system_facts WHERE name = ?', SAAS_QUOTA);
    const id = await addDomain('owner');
    await addHost(id);
    await addHost(id, 'unproven.example');
    await run("UPDATE domain_hosts SET proven_at = NULL WHERE host = 'unproven.example'");
    const settings = { CF_SAAS_ZONE_ID: 'z', CF_SAAS_TOKEN: 't', CF_SAAS_TARGET: 'in.saas.test' };
    const tools = saasTools({ ...env, ...settings }, db);
    if (tools === null) throw new Error('The platform is off.');
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
