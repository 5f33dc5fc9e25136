import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Domain, DomainsResponse } from '#contract/domains.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { mailsTo } from '#worker/testing/sign-in.ts';
import { makePerson } from '#worker/testing/make.ts';
import { call } from '#worker/testing/call.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { SAAS_TARGET, SAAS_TOKEN, startSaas } from '#worker/testing/member-domains.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

let count = 0;
const newHost = (): string => `go.acme-${(count += 1)}.com`;
const LOCAL = { DEV_MAILBOX: 'on' } as const;
const hostRow = (host: string) =>
  env.DB.prepare('SELECT * FROM domain_hosts WHERE host = ?').bind(host).first();
const published = (host: string) =>
  env.LINKS.get<{ v: number }>(hostKey(env.LINKS_EPOCH, host), 'json');
const versionOf = (record: { v: number } | null): number => record?.v ?? 0;
const faultOf = async (response: Response) => {
  const { code, error, field } = await response.json<Record<string, string>>();
  return { status: response.status, code, error, field };
};

beforeEach(stopClock);
beforeEach(async () => {
  await env.DB.exec('DELETE FROM domain_hosts; DELETE FROM domain_removals;');
});

describe('a domain of a member', () => {
  it('a domain is claimed, proven, created at the platform, connected, and then active', async () => {
    const { add, check, proofOf, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    const claim = await (await add(person, ` https://${host.toUpperCase()}/ `)).json();
    expect(claim).toMatchObject({ name: host, state: 'unproven', fault: 'record_missing' });
    expect(claim).toMatchObject({
      records: [{ type: 'TXT', name: `_hop.${host}`, state: 'unknown' }],
    });
    const first = await check(person, host.toUpperCase());
    expect(first.records).toMatchObject([{ type: 'TXT', state: 'missing', seen: [] }]);
    expect(saas.requests).toEqual([]);
    saas.setRecords(`_hop.${host}`, 'TXT', ['hop-domain=old']);
    expect(await check(person, host)).toMatchObject({
      fault: 'wrong_value',
      records: [{ state: 'wrong', seen: ['hop-domain=old'] }],
    });
    // One resolver alone proves nothing.
    saas.setRecords(`_hop.${host}`, 'TXT', [proofOf(first)], 0);
    expect(await check(person, host)).toMatchObject({ state: 'unproven' });
    expect(await hostRow(host)).toBeNull();
    saas.clearPartial();
    saas.setRecords(`_hop.${host}`, 'TXT', ['v=spf1', proofOf(first)]);
    const proven = await check(person, host);
    expect(proven).toMatchObject({ state: 'pending', fault: 'record_missing' });
    expect(proven.records[1]).toMatchObject({ type: 'CNAME', name: host, value: SAAS_TARGET });
    expect(saas.statusOf(host)).toBe('pending');
  });

  it('becomes active by a check once its CNAME record is there', async () => {
    const { connect, saas } = startSaas();
    const host = newHost();
    const active = await connect(await makePerson(), host);
    expect(active).toMatchObject({ state: 'active', fault: null });
    expect(active.records.map(({ state }) => state)).toEqual(['right', 'right']);
    expect(saas.statusOf(host)).toBe('active');
  });

  it.each([
    ['wrong_value', 'CNAME', ['other.saas.test']],
    ['wrong_value', 'A', ['192.0.2.4']],
    ['proxied_elsewhere', 'A', ['104.16.3.4']],
  ] as const)('says %s for a record of type %s', async (fault, type, values) => {
    const { prove, check, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await prove(person, host);
    saas.setRecords(host, type, [...values]);
    const checked = await check(person, host);
    expect(checked).toMatchObject({ state: 'pending', fault });
    expect(checked.records[1]).toMatchObject({ state: 'wrong', seen: values });
  });

  it('says that CAA records forbid the certificate', async () => {
    const { connect, saas } = startSaas();
    const host = newHost();
    saas.setRecords(host.slice(3), 'CAA', ['0 issue "other-ca.example"']);
    expect(await connect(await makePerson(), host)).toMatchObject({
      state: 'pending',
      fault: 'caa_forbids',
    });
  });

  it('says that the platform holds, forbids or cannot take the host', async () => {
    const { prove, check, saas } = startSaas();
    const person = await makePerson({ plan: 'premium' });
    const [foreign, full, down] = [newHost(), newHost(), newHost()];
    saas.foreign.add(foreign);
    expect(await prove(person, foreign)).toMatchObject({ fault: 'blocked' });
    saas.setQuota(0);
    expect(await prove(person, full)).toMatchObject({ fault: 'quota_reached' });
    saas.setQuota(100);
    saas.setDown(true);
    expect(await prove(person, down)).toMatchObject({ fault: 'platform_unavailable' });
    saas.setDown(false);
    expect(await check(person, down)).toMatchObject({ fault: 'record_missing' });
  });

  it('a domain has limits: of the plan, of the installation, of checks', async () => {
    const { add, ask, prove } = startSaas({ DOMAINS_MAX: '1' });
    const [one, other] = [await makePerson(), await makePerson()];
    const host = newHost();
    await prove(one, host);
    expect(await faultOf(await add(one, newHost()))).toMatchObject({ code: 'conflict' });
    expect(await faultOf(await add(other, newHost()))).toMatchObject({ status: 409 });
    await env.DB.exec('DELETE FROM domain_hosts');
    const claimed = newHost();
    expect((await add(other, claimed)).status).toBe(201);
    const refused = await (await add(other, newHost())).json();
    expect(refused).toMatchObject({ code: 'quota_reached', upgradeRequired: true });
    const rich = await makePerson({ plan: 'premium' });
    const claim = env.DB.prepare("INSERT INTO domain_claims VALUES (?1, ?2, 1, ?3, NULL, '')");
    for (let at = 0; at < 10; at += 1)
      await claim.bind(newHost(), rich.id, Date.now() + HOUR_MS).run();
    expect(await (await add(rich, newHost())).json()).toMatchObject({ upgradeRequired: false });
    const statuses = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await ask(other, 'POST', `/${claimed}/check`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('a domain cannot be added where the settings are missing', async () => {
    const { headers } = await makePerson();
    const answer = await call('/api/domains', { json: { name: newHost() }, headers });
    expect(await faultOf(answer)).toMatchObject({
      status: 403,
      error: 'This site does not offer own domains. Ask its operator.',
    });
  });

  it('never shows the token, whatever fails', async () => {
    const lines = logLines();
    const { add, ask, connect, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    const answers = [await (await add(person, host)).text()];
    saas.setDown(true);
    answers.push(JSON.stringify(await connect(person, host)));
    saas.setDown(false);
    answers.push(await (await ask(person, 'POST', `/${host}/check`)).text());
    expect(lines().length).toBeGreaterThan(0);
    expect(JSON.stringify([answers, lines()])).not.toContain(SAAS_TOKEN);
  });
});

describe('a host of two accounts', () => {
  it('moves only once the new record is there and the holder’s is gone', async () => {
    const { add, ask, check, connect, proofOf, saas, settings } = startSaas(LOCAL);
    const [old, next, third] = [await makePerson(), await makePerson(), await makePerson()];
    const host = newHost();
    const held = await connect(old, host);
    await add(third, host);
    const claim = await (await add(next, host)).json<typeof held>();
    expect(await check(next, host)).toMatchObject({ state: 'unproven', fault: 'wrong_value' });
    saas.setRecords(`_hop.${host}`, 'TXT', [proofOf(held), proofOf(claim)]);
    expect(await check(next, host)).toMatchObject({ fault: 'held_by_another' });
    // The former record is still visible at one resolver.
    saas.setRecords(`_hop.${host}`, 'TXT', [proofOf(claim)], 0);
    expect(await check(next, host)).toMatchObject({ fault: 'held_by_another' });
    saas.clearPartial();
    saas.setRecords(`_hop.${host}`, 'TXT', [proofOf(claim)]);
    expect(await check(next, host)).toMatchObject({ state: 'active' });
    expect(await check(old, host)).toMatchObject({
      state: 'unproven',
      fault: 'wrong_value',
      records: [{ state: 'wrong', seen: [proofOf(claim)] }],
      checkedAt: expect.any(String),
    });
    const { domains } = await (await ask(old, 'GET', '')).json<DomainsResponse>();
    expect(domains).toHaveLength(1);
    expect((await mailsTo(old.email)).map(({ subject }) => subject)).toEqual([
      `Another account now has ${host}`,
    ]);
    expect((await mailsTo(next.email)).map(({ subject }) => subject)).toEqual([
      `${host} is now in your Hop account`,
    ]);
    expect(saas.hostnames.size).toBe(1);
    expect(settings.CF_SAAS_ZONE_ID).toBe('zone');
  });

  it('returns to its former domain when the former owner proves it again', async () => {
    const { connect, prove } = startSaas();
    const [old, next] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(old, host);
    const before = await hostRow(host);
    expect(await prove(next, host)).toMatchObject({ state: 'active' });
    const between = await hostRow(host);
    expect(await published(host)).toMatchObject({ d: between?.domain_id, s: 'a' });
    expect(between?.domain_id).not.toBe(before?.domain_id);
    expect(await prove(old, host)).toMatchObject({ state: 'active' });
    expect((await hostRow(host))?.domain_id).toBe(before?.domain_id);
  });

  it('a host is not given to anybody while an administrator has suspended it', async () => {
    const { check, connect, prove, ask } = startSaas();
    const [old, next] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(old, host);
    await env.DB.prepare("UPDATE domains SET status = 'suspended' WHERE name = ?").bind(host).run();
    expect(await prove(next, host)).toMatchObject({ state: 'unproven', fault: 'held_by_another' });
    expect((await ask(old, 'DELETE', `/${host}`, { name: host })).status).toBe(403);
    // The suspension also outlives the account, with which the host leaves.
    const json = { confirm: 'delete my account', links: 'remove' };
    await call('/api/account', { method: 'DELETE', json, headers: old.headers });
    expect(await hostRow(host)).toBeNull();
    expect(await check(next, host)).toMatchObject({ state: 'unproven', fault: 'held_by_another' });
  });
});

describe('a domain that is given away or deleted', () => {
  it('a domain goes to another account that accepts it, with a new id', async () => {
    const { ask, check, connect, prove } = startSaas(LOCAL);
    const [from, to] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(from, host);
    const before = await hostRow(host);
    const accept = () => ask(to, 'POST', `/${host}/transfer/accept`);
    expect((await accept()).status).toBe(404);
    const offer = (email: string) => ask(from, 'POST', `/${host}/transfer`, { email });
    const unknown = await offer('nobody@acme.test');
    const known = await offer(to.email.toUpperCase());
    expect(await known.text()).toBe(await unknown.text());
    expect((await mailsTo(to.email))[0]?.subject).toBe(`${from.email} wants to give you ${host}`);
    const suspend = (at: number | null) =>
      env.DB.prepare('UPDATE users SET suspended_at = ?2 WHERE id = ?1').bind(from.id, at).run();
    await suspend(1);
    expect((await accept()).status).toBe(404);
    await suspend(null);
    expect(await (await accept()).json()).toMatchObject({ name: host, state: 'active' });
    expect((await check(to, host)).records[0]).toMatchObject({ type: 'TXT', state: 'right' });
    expect((await mailsTo(from.email))[0]?.subject).toBe(`${to.email} has accepted ${host}`);
    expect((await hostRow(host))?.domain_id).not.toBe(before?.domain_id);
    expect(await published(host)).toMatchObject({ d: (await hostRow(host))?.domain_id, s: 'a' });
    expect((await ask(from, 'POST', `/${host}/check`)).status).toBe(404);
    expect((await accept()).status).toBe(404);
    // The former owner's record still stands, and gives nothing back.
    expect(await prove(from, host)).toMatchObject({ fault: 'held_by_another' });
    // Once the receiver has entered theirs, the records decide again.
    await prove(to, host);
    expect(await prove(from, host)).toMatchObject({ state: 'active' });
  });

  it('an offer is made and withdrawn alike with and without an account', async () => {
    const { ask, connect } = startSaas();
    const [from, to] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(from, host);
    const offered = async () =>
      (await (await ask(from, 'GET', `/${host}`)).json<Domain>()).offeredUntil;
    for (const email of ['nobody@acme.test', to.email]) {
      await ask(from, 'POST', `/${host}/transfer`, { email });
      expect(Date.parse((await offered()) ?? ''), email).toBeGreaterThan(Date.now());
      expect((await ask(from, 'DELETE', `/${host}/transfer`)).status, email).toBe(200);
      expect(await offered()).toBeNull();
    }
  });

  it('returns to the former domain of an account that accepts it', async () => {
    const { ask, check, connect, prove } = startSaas();
    const [first, second] = [await makePerson(), await makePerson()];
    const host = newHost();
    await connect(first, host);
    const before = await hostRow(host);
    await prove(second, host);
    const between = await published(host);
    await ask(second, 'POST', `/${host}/transfer`, { email: first.email });
    expect((await ask(first, 'POST', `/${host}/transfer/accept`)).status).toBe(200);
    expect((await hostRow(host))?.domain_id).toBe(before?.domain_id);
    const after = await published(host);
    expect(after).toMatchObject({ d: before?.domain_id, s: 'a' });
    expect(versionOf(after)).toBeGreaterThan(versionOf(between));
    expect(await check(first, host)).toMatchObject({ state: 'active' });
  });

  it('counts open claims of an account that accepts a domain', async () => {
    const { add, ask, connect } = startSaas();
    const [from, to] = [await makePerson(), await makePerson()];
    const [host, claimed] = [newHost(), newHost()];
    await connect(from, host);
    await ask(from, 'POST', `/${host}/transfer`, { email: to.email });
    await add(to, claimed);
    const accept = () => ask(to, 'POST', `/${host}/transfer/accept`);
    expect(await faultOf(await accept())).toMatchObject({ code: 'quota_reached' });
    await ask(to, 'DELETE', `/${claimed}`, { name: claimed });
    expect((await add(to, host)).status).toBe(201);
    expect((await accept()).status).toBe(200);
    const claims = await env.DB.prepare('SELECT host FROM domain_claims WHERE owner_id = ?')
      .bind(to.id)
      .all();
    expect(claims.results).toEqual([]);
  });

  it('a domain is deleted by its name, and at the platform by the job, with retries', async () => {
    const { ask, connect, runJob, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await connect(person, host);
    const remove = (name: string) => ask(person, 'DELETE', `/${host}`, { name });
    expect((await remove('another.acme.com')).status).toBe(400);
    expect((await remove(host)).status).toBe(200);
    expect((await remove(host)).status).toBe(404);
    expect(await hostRow(host)).toBeNull();
    expect(await published(host)).toMatchObject({ d: '', s: 'x' });
    saas.setDown(true);
    const now = Date.now();
    await runJob(now);
    expect(saas.statusOf(host)).toBe('active');
    saas.setDown(false);
    await runJob(now + MINUTE_MS);
    expect(saas.statusOf(host)).toBe('active');
    await runJob(now + HOUR_MS);
    expect(saas.statusOf(host)).toBe('none');
  });

  it('leaves with its account', async () => {
    const { connect } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await connect(person, host);
    const json = { confirm: 'delete my account', links: 'remove' };
    const answer = await call('/api/account', { method: 'DELETE', json, headers: person.headers });
    expect(answer.status).toBe(200);
    expect(await hostRow(host)).toBeNull();
    const { n } = (await env.DB.prepare('SELECT count(*) AS n FROM domain_removals WHERE host = ?')
      .bind(host)
      .first<{ n: number }>()) ?? { n: 0 };
    expect(n).toBe(1);
  });
});

describe('the job', () => {
  it('follows a host until it is active', async () => {
    const { check, prove, runJob, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await prove(person, host);
    saas.setRecords(host, 'CNAME', [SAAS_TARGET]);
    const now = Date.now();
    await runJob(now + MINUTE_MS);
    expect(await hostRow(host)).toMatchObject({ active_at: null });
    await runJob(now + 3 * MINUTE_MS);
    expect(await hostRow(host)).toMatchObject({ active_at: now + 3 * MINUTE_MS, fault: '' });
    expect(await check(person, host)).toMatchObject({ state: 'active' });
  });

  it('a host without records is given up after 75 tries, and tried again when asked', async () => {
    const { check, prove, runJob, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await prove(person, host);
    await env.DB.prepare('UPDATE domain_hosts SET checks = 73 WHERE host = ?').bind(host).run();
    const now = Date.now();
    for (const hours of [4, 8, 12, 16]) await runJob(now + hours * HOUR_MS);
    expect(await hostRow(host)).toMatchObject({ fault: 'too_many_tries', next_check_at: null });
    expect(saas.statusOf(host)).toBe('none');
    expect(await check(person, host)).toMatchObject({ state: 'pending', fault: 'record_missing' });
    expect(saas.statusOf(host)).toBe('pending');
  });

  it('a hostname that was given up stays if it is used again before its deletion', async () => {
    const { check, prove, runJob, saas } = startSaas();
    const person = await makePerson();
    const host = newHost();
    await prove(person, host);
    await env.DB.prepare('UPDATE domain_hosts SET checks = 74 WHERE host = ?').bind(host).run();
    const now = Date.now();
    await runJob(now + 4 * HOUR_MS);
    expect(await hostRow(host)).toMatchObject({ fault: 'too_many_tries', saas_id: '' });
    expect(saas.statusOf(host)).toBe('pending');
    expect(await check(person, host)).toMatchObject({ state: 'pending', fault: 'record_missing' });
    await runJob(now + 5 * HOUR_MS);
    expect(saas.statusOf(host)).toBe('pending');
  });

  it('mails after 1, 3 and 6 days, keeps the links, and connects again', async () => {
    const { connect, runJob, saas } = startSaas(LOCAL);
    const person = await makePerson();
    const host = newHost();
    await connect(person, host);
    const { domain_id } = (await hostRow(host)) ?? {};
    const start = Date.now();
    saas.setRecords(host, 'CNAME', []);
    for (let hour = 6; hour <= 9 * 24; hour += 4) await runJob(start + hour * HOUR_MS);
    const subjects = (await mailsTo(person.email)).map(({ subject }) => subject).toReversed();
    expect(subjects).toEqual(
      [1, 3, 6].map((days) => `${host} has not worked for ${days} day${days === 1 ? '' : 's'}`),
    );
    expect(saas.statusOf(host)).toBe('none');
    expect(await hostRow(host)).toMatchObject({ domain_id, fault: 'deleted' });
    saas.setRecords(host, 'CNAME', [SAAS_TARGET]);
    for (let hour = 0; hour <= 30; hour += 6) await runJob(start + 10 * DAY_MS + hour * HOUR_MS);
    expect(saas.statusOf(host)).toBe('active');
    expect(await hostRow(host)).toMatchObject({
      domain_id,
      fault: '',
      failing_since: null,
      mails: 0,
    });
  });

  it('counts the mails that were sent', async () => {
    const sent: unknown[] = [];
    for (const send of [
      async () => ({ messageId: '1' }),
      () => Promise.reject(new Error('Not now.')),
    ]) {
      const { connect, runJob, saas } = startSaas({
        MAIL_FROM: 'hop@hop.example',
        EMAIL: { send },
        APP_ORIGIN: 'https://hop.example',
      });
      const host = newHost();
      await connect(await makePerson(), host);
      saas.setRecords(host, 'CNAME', []);
      const now = Date.now();
      await runJob(now + 7 * HOUR_MS);
      sent.push((await runJob(now + 33 * HOUR_MS)).done?.mails_sent);
      await env.DB.exec('DELETE FROM domain_hosts');
    }
    expect(sent).toEqual([1, 0]);
  });

  it('the job does not call a host failing while the platform cannot be asked', async () => {
    const { connect, runJob, saas } = startSaas();
    const host = newHost();
    await connect(await makePerson(), host);
    const now = Date.now() + 7 * HOUR_MS;
    saas.setDown(true);
    await runJob(now);
    expect(await hostRow(host)).toMatchObject({
      fault: 'platform_unavailable',
      failing_since: null,
    });
    saas.setDown(false);
    await runJob(now + 11 * MINUTE_MS);
    expect(await hostRow(host)).toMatchObject({ fault: '', failing_since: null });
  });
});
