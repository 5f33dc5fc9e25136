import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DomainsResponse } from '#contract/domains.ts';
import { DAY_MS } from '#contract/time.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';
import { SAAS_TARGET, startSaas } from '#worker/testing/member-domains.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

/** Moves the clock, and gives the person a token that is valid then. */
async function wait(person: Person, ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  const token = await makeToken({ sub: person.id, email: person.email });
  person.headers = { Authorization: `Bearer ${token}` };
}

beforeEach(stopClock);

describe('a claim', () => {
  it('a claim ends after 7 days: nobody can check or delete it, and another can follow', async () => {
    const { add, ask } = startSaas();
    const person = await makePerson();
    const host = 'go.late-claim.com';
    expect((await add(person, host)).status).toBe(201);
    const statuses = async () => [
      (await (await ask(person, 'GET', '')).json<DomainsResponse>()).domains.length,
      (await ask(person, 'POST', `/${host}/check`)).status,
      (await add(person, 'go.next-claim.com')).status,
    ];
    await wait(person, 7 * DAY_MS - 1);
    expect(await statuses()).toEqual([1, 200, 429]);
    await wait(person, 1);
    expect((await ask(person, 'DELETE', `/${host}`, { name: host })).status).toBe(404);
    expect(await statuses()).toEqual([0, 404, 201]);
  });

  it('a claim that is made again ends 7 days after that', async () => {
    const { add, ask } = startSaas();
    const person = await makePerson();
    const host = 'go.again-claim.com';
    await add(person, host);
    await wait(person, DAY_MS);
    expect((await add(person, host)).status).toBe(201);
    await wait(person, 7 * DAY_MS - 1);
    expect((await ask(person, 'POST', `/${host}/check`)).status).toBe(200);
  });

  it('a deleted domain makes room once the platform has deleted its hostname', async () => {
    const { add, ask, connect, runJob } = startSaas({ DOMAINS_MAX: '1' });
    const [one, other] = [await makePerson(), await makePerson()];
    const [host, next] = ['go.only-room.com', 'go.next-room.com'];
    await connect(one, host);
    await ask(one, 'DELETE', `/${host}`, { name: host });
    expect((await add(other, next)).status).toBe(409);
    expect((await add(one, host)).status).toBe(201);
    await runJob(Date.now());
    expect((await add(other, next)).status).toBe(201);
  });

  it('asks first where a website or mail would stop', async () => {
    const { add, saas } = startSaas();
    const person = await makePerson();
    const host = 'go.in-use-claim.com';
    saas.setRecords(host, 'A', ['192.0.2.4']);
    saas.setRecords(host, 'AAAA', ['2001:db8::4']);
    saas.setRecords(host, 'MX', ['10 mail.acme.test']);
    const refused = await add(person, host, false);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { field: 'confirmed', error: expect.stringContaining('has a website and mail now') },
    ]);
    expect((await add(person, host, true)).status).toBe(201);
  });

  it('of a host of the deployment is rejected', async () => {
    const { add } = startSaas({
      APP_ORIGIN: 'https://app.hop-claim.com',
      SHORT_ORIGIN: 'https://s.hop-claim.com',
      SHORT_HOSTS: 'go.operator-claim.com',
    });
    const person = await makePerson();
    const hosts = ['app.hop-claim.com', 's.hop-claim.com', 'go.operator-claim.com', SAAS_TARGET];
    for (const host of hosts)
      expect(await (await add(person, `x.${host}`)).json()).toMatchObject({
        field: 'name',
        error: expect.stringContaining('a domain of this site'),
      });
  });
});
