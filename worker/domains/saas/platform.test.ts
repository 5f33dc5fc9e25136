import { describe, expect, it } from 'vitest';
import { createFakeSaas } from '#worker/testing/fake-saas.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { createPlatform } from './platform.ts';
import { readSaasSettings } from './settings.ts';

const TOKEN = 'recognizable-token-9f2c';

function start() {
  const fake = createFakeSaas({ zoneId: 'zone', token: TOKEN, target: 'in.saas.test' });
  const settings = readSaasSettings({ ...fake.settings, DOMAINS_MAX: '5' });
  if (settings === null) throw new Error('The settings are complete.');
  return { fake, settings, platform: createPlatform(settings, fake.respond) };
}

describe('createPlatform', () => {
  it('creates a hostname, and finds the one that exists already', async () => {
    const { fake, platform } = start();
    const first = await platform.create('go.acme.test');
    expect(first).toMatchObject({ ok: true, value: { status: 'pending' } });
    expect(await platform.create('go.acme.test')).toEqual(first);
    expect(fake.hostnames.size).toBe(1);
  });

  it('asks for a certificate that HTTP proves, with TLS 1.2 or newer', async () => {
    const sent: unknown[] = [];
    const platform = createPlatform(start().settings, async (_, init) => {
      sent.push([new Headers(init?.headers).get('Content-Type'), init?.body]);
      return Response.json({ success: true, result: { id: 'a', hostname: 'go.acme.test' } });
    });
    const value = { id: 'a', status: 'pending', sslStatus: '' };
    expect(await platform.create('go.acme.test')).toEqual({ ok: true, value });
    const ssl = { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } };
    const body = JSON.stringify({ hostname: 'go.acme.test', ssl });
    expect(sent).toEqual([['application/json', body]]);
  });

  it.each(['../../zones', 'a/b', '', 'a'.repeat(65)])('refuses the id %j', async (id) => {
    const result = { id, hostname: 'go.acme.test' };
    const platform = createPlatform(start().settings, async () =>
      Response.json({ success: true, result }),
    );
    expect(await platform.read('x')).toEqual({ ok: false, reason: 'unavailable' });
  });

  it('finds an existing hostname by its exact name', async () => {
    const { settings } = start();
    const found = [
      { id: 'a', hostname: 'go.acme.test.evil.test' },
      { id: 'b', hostname: 'go.acme.test' },
    ];
    const platform = createPlatform(settings, async (_, init) =>
      init?.method === 'POST'
        ? Response.json({ success: false, result: null, errors: [{ code: 1406 }] }, { status: 409 })
        : Response.json({ success: true, result: found }),
    );
    expect(await platform.create('go.acme.test')).toMatchObject({ ok: true, value: { id: 'b' } });
  });

  it.each([
    [401, 0, 'unavailable'],
    [403, 10_000, 'unavailable'],
    [403, 9_109, 'unavailable'],
    [403, 1_000, 'refused'],
    [500, 0, 'unavailable'],
  ])('logs an answer with the status %i and the code %i: %s', async (status, code, reason) => {
    const lines = logLines();
    const errors = [{ code }, { message: 'A text.' }];
    const platform = createPlatform(start().settings, async () =>
      Response.json({ success: false, result: null, errors }, { status }),
    );
    expect(await platform.refresh('x')).toEqual({ ok: false, reason });
    expect(lines()).toMatchObject([{ method: 'PATCH', status, codes: String(code) }]);
  });

  it('tells a host of another account, a full quota, a rate limit and a missing host', async () => {
    const { fake, platform } = start();
    fake.foreign.add('held.acme.test');
    expect(await platform.create('held.acme.test')).toEqual({ ok: false, reason: 'blocked' });
    fake.setQuota(0);
    expect(await platform.create('go.acme.test')).toEqual({ ok: false, reason: 'quota' });
    fake.setQuota(100);
    for (let at = 0; at < 15; at += 1) await platform.create(`${at}.acme.test`);
    expect(await platform.create('go.acme.test')).toEqual({ ok: false, reason: 'limited' });
    expect(await platform.read('no-such-id')).toEqual({ ok: false, reason: 'not_found' });
    expect(await platform.remove('no-such-id')).toEqual({ ok: true, value: null });
    expect(await platform.readQuota()).toEqual({ ok: true, value: { allocated: 100, used: 15 } });
  });

  it('says nothing of the token or the platform’s text when a request fails', async () => {
    const lines = logLines();
    const { fake, settings } = start();
    const wrong = createPlatform({ ...settings, token: `${TOKEN}-wrong` }, fake.respond);
    const broken = createPlatform(settings, () => Promise.reject(new Error(TOKEN)));
    const platform = createPlatform(settings, fake.respond);
    fake.setDown(true);
    const strange = createPlatform(settings, async () => Response.json({ result: [] }));
    const results = [await platform.read('x'), await broken.read('x'), await strange.read('x')];
    fake.setDown(false);
    results.push(await wrong.read('x'));
    for (const result of results) expect(result).toEqual({ ok: false, reason: 'unavailable' });
    expect(lines()).toHaveLength(3);
    expect(JSON.stringify([results, lines()])).not.toContain(TOKEN);
  });

  it.each([
    [{ DOMAINS_MAX: '' }, { max: 100 }],
    [{ DOMAINS_MAX: '0' }, { max: 0 }],
    [{ DOMAINS_MAX: '2.5' }, { max: 100 }],
    [{ DOMAINS_MAX: '-1' }, { max: 100 }],
    [{ CF_SAAS_TARGET: ' In.Saas.Test. ' }, { target: 'in.saas.test' }],
    [{ CF_SAAS_API_URL: 'https://api.test/v4/' }, { apiUrl: 'https://api.test/v4' }],
    [{ CF_SAAS_API_URL: '' }, { apiUrl: 'https://api.cloudflare.com/client/v4' }],
  ])('reads the settings %o', (given, read) => {
    const settings = { DOMAINS_MAX: '', ...start().fake.settings, ...given };
    expect(readSaasSettings(settings)).toMatchObject(read);
  });

  it('the platform is off unless zone, token and target are set', () => {
    const { fake } = start();
    for (const name of ['CF_SAAS_ZONE_ID', 'CF_SAAS_TOKEN', 'CF_SAAS_TARGET'])
      expect(readSaasSettings({ ...fake.settings, DOMAINS_MAX: '', [name]: ' ' })).toBeNull();
  });
});
