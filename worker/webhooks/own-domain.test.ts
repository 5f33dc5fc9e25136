import { env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { deliver, deliveriesOf, makeEndpoint, makeNetwork } from '#worker/testing/webhooks.ts';
import { findOwnDomain, ownDomains } from '#worker/safety/own-domain.ts';

const DEPLOYED = {
  APP_ORIGIN: 'https://hop.company.example',
  SHORT_ORIGIN: 'https://go.company.co.uk',
};
const APP = DEPLOYED.APP_ORIGIN;
const SIBLINGS = [
  'https://company.example/',
  'https://admin.company.example/',
  'https://a.b.company.example:8443/x',
  'https://admin.company.example./',
  'https://ADMIN.company.co.uk/',
];
const under = (host: string, origin: string, settings: Partial<Env> = {}): boolean =>
  findOwnDomain(
    host,
    ownDomains({ ...env, ...settings }, { app: origin, short: origin, domains: NO_DOMAINS }),
  ) !== null;

describe('the Worker', () => {
  it('[T48] requests to its own zone pass the firewall like those of others', () => {
    expect(Cloudflare.compatibilityFlags['global_fetch_strictly_public']).toBe(true);
  });
});

describe('findOwnDomain', () => {
  it.each([
    ['admin.company.example', 'https://hop.company.example'],
    ['company.example', 'https://company.example'],
    ['admin.go.de', 'https://hop.go.de'],
    ['admin.company.co.uk', 'https://hop.company.co.uk'],
    ['x.account.workers.dev', 'https://hop.account.workers.dev'],
    // A suffix that the list lacks makes the domain wider, never narrower.
    ['other.co.zz', 'https://hop.company.co.zz'],
    ['192.0.2.7', 'https://192.0.2.7'],
  ])('[T48] finds %s under the domain of %s', (host, origin) => {
    expect(under(host, origin)).toBe(true);
  });

  it.each([
    ['company.example.evil.example', 'https://hop.company.example'],
    ['notcompany.example', 'https://hop.company.example'],
    ['other.co.uk', 'https://hop.company.co.uk'],
    ['x.another.workers.dev', 'https://hop.account.workers.dev'],
    ['192.0.2.8', 'https://192.0.2.7'],
    ['hooks.example', 'http://localhost:8787'],
  ])('%s is not found under the domain of %s', (host, origin) => {
    expect(under(host, origin)).toBe(false);
  });

  it('[T48] finds hosts under the domains of SHORT_HOSTS', () => {
    const settings = { APP_ORIGIN: APP, SHORT_HOSTS: 'go.brand.example, l.brand.co.uk' };
    const hosts = ['admin.brand.example', 'brand.co.uk', 'other.co.uk'];
    expect(hosts.map((host) => under(host, APP, settings))).toEqual([true, true, false]);
  });

  it('[T48] exempts the listed hosts, but none of our own, and knows the extra hosts', () => {
    const settings = {
      ALLOWED_WEBHOOK_HOSTS: 'ci.company.example, hop.company.example',
      EXTRA_HOSTS: 'hop.old.example',
    };
    const hosts = [
      'ci.company.example',
      'x.ci.company.example',
      'hop.company.example',
      'admin.old.example',
    ];
    expect(hosts.map((host) => under(host, APP, settings))).toEqual([false, true, true, true]);
  });
});

describe('a webhook to the domain of this site', () => {
  it('[T48] a webhook to our domain is rejected, unless the operator lists its host', async () => {
    const person = await makePerson();
    const { headers } = person;
    const endpoint = await makeEndpoint(person);
    const requests = (url: string, settings: Partial<Env> = {}) => [
      call(
        `${APP}/api/webhooks`,
        { json: { url, events: ['link.created'] }, headers },
        { ...DEPLOYED, ...settings },
      ),
      call(
        `${APP}/api/webhooks/${endpoint.id}`,
        { method: 'PATCH', json: { url }, headers },
        { ...DEPLOYED, ...settings },
      ),
    ];
    for (const url of SIBLINGS)
      for (const response of await Promise.all(requests(url))) {
        expect([response.status, await response.json()], url).toEqual([
          400,
          expect.objectContaining({
            code: 'invalid_target',
            field: 'url',
            error: expect.stringContaining('the domain of this site'),
          }),
        ]);
      }
    const listed = { ALLOWED_WEBHOOK_HOSTS: 'admin.company.example' };
    const allowed = await Promise.all(requests('https://admin.company.example/', listed));
    expect(allowed.map(({ status }) => status)).toEqual([201, 200]);
  });

  it('[T48] a webhook to our domain gets no request, as an event, test or repetition', async () => {
    const person = await makePerson();
    const { headers } = person;
    const endpoint = await makeEndpoint(person, {
      events: ['link.created'],
      url: 'https://hooks.company.example/',
    });
    await call('/api/shorten', { json: { longUrl: 'https://example.com/' }, headers });
    const { fetcher, received } = makeNetwork(() => new Response('inside'));
    const [delivery] = await deliveriesOf(endpoint);
    await deliver([{ id: delivery?.id ?? 0, attempt: 0 }], fetcher, {
      own: { domains: ['company.example'], allowed: new Set() },
    });
    expect((await deliveriesOf(endpoint))[0]).toMatchObject({ attempts: 1, response_text: null });
    vi.stubGlobal('fetch', fetcher);
    const test = await call(
      `${APP}/api/webhooks/${endpoint.id}/test`,
      { method: 'POST', headers },
      DEPLOYED,
    );
    const sent = await test.json<{ id: string; error: string }>();
    expect(sent.error).toBe('The host of the endpoint belongs to the domain of this site.');
    const again = await call(
      `${APP}/api/webhooks/${endpoint.id}/deliveries/${sent.id}/replay`,
      { method: 'POST', headers },
      DEPLOYED,
    );
    expect((await again.json<{ error: string }>()).error).toBe(sent.error);
    vi.unstubAllGlobals();
    expect(received).toEqual([]);
  });
});
