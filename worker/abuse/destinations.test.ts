import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { applyBlocklist } from './apply-blocklist.ts';

let admin: Person;
let owner: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  owner = await makePerson();
});

const rulesTo = (to: string) => [
  { if: { device: ['desktop'] }, to: 'https://fine.example.org/' },
  { if: { country: ['BR'] }, to },
];

const variantsTo = (url: string) => [
  { url: 'https://fine.example.org/', weight: 10 },
  { url, weight: 20 },
];

async function shorten(settings: object): Promise<Response> {
  const json = { longUrl: 'https://example.com/', ...settings };
  return call('/api/shorten', { json, headers: owner.headers });
}

async function makeLink(settings: object): Promise<string> {
  const response = await shorten(settings);
  expect(response.status).toBe(201);
  return (await response.json<ShortenResponse>()).code;
}

const patch = (code: string, json: object): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: owner.headers });

const act = async (code: string, action: string): Promise<unknown> =>
  (
    await call('/api/links/actions', { json: { codes: [code], action }, headers: owner.headers })
  ).json();

const block = (hosts: string): Promise<Response> =>
  call('/api/admin/blocklist', { json: { hosts, reason: 'From a test' }, headers: admin.headers });

async function statusOf(code: string): Promise<string> {
  const response = await call(`/api/links/${code}`, { headers: owner.headers });
  return (await response.json<ListedLink>()).status;
}

describe('another destination of a link', () => {
  it.each([
    ['http://router.lan/', 'private'],
    ['https://bit.ly/x', 'shortener'],
    ['javascript:alert(1)', 'http://'],
    ['https://user:secret@example.org/', 'password'],
  ])('[T5] passes the link policy when it is set: %s', async (to, message) => {
    const code = await makeLink({});
    for (const send of [shorten, (settings: object) => patch(code, settings)]) {
      const rule = await send({ rules: rulesTo(to) });
      expect(rule.status).toBe(400);
      expect(await rule.json()).toMatchObject({
        field: 'rules.1.to',
        error: expect.stringMatching(new RegExp(`^Rule 2: .*${message}`)),
      });
      const variant = await send({ variants: variantsTo(to) });
      expect(variant.status).toBe(400);
      expect(await variant.json()).toMatchObject({
        field: 'variants.1.url',
        error: expect.stringMatching(new RegExp(`^Variant 2: .*${message}`)),
      });
      const fallback = await send({ fallbackUrl: to });
      expect(fallback.status).toBe(400);
      expect(await fallback.json()).toMatchObject({ field: 'fallbackUrl' });
    }
  });

  it('[T1] a listed host is rejected in a rule, in a variant and as the fallback', async () => {
    await block('listed-before.test-host.com');
    const to = 'https://www.listed-before.test-host.com/x';
    const each = [{ rules: rulesTo(to) }, { variants: variantsTo(to) }, { fallbackUrl: to }];
    for (const settings of each) {
      expect((await shorten(settings)).status).toBe(400);
      expect((await patch(await makeLink({}), settings)).status).toBe(400);
    }
  });

  it('[T6] no destination is on the host of a domain for short links', async () => {
    await makeDomain('go.looping.test-host.com');
    const to = 'https://go.looping.test-host.com./x';
    const own = expect.stringContaining('already short');
    const code = await makeLink({});
    for (const settings of [
      { rules: rulesTo(to) },
      { variants: variantsTo(to) },
      { fallbackUrl: to },
    ])
      for (const response of [await shorten(settings), await patch(code, settings)]) {
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: own });
      }
    const target = await shorten({ longUrl: to });
    expect(await target.json()).toMatchObject({ field: 'longUrl', error: own });
    // The owner of the domain has a website below it.
    await makeLink({ longUrl: 'https://www.go.looping.test-host.com/' });
  });

  it('[T6] lists, imports and enabling a link refuse the host of a domain, too', async () => {
    const to = 'https://go.looping-later.test-host.com/x';
    const code = await makeLink({ fallbackUrl: to });
    await act(code, 'disable');
    await makeDomain('go.looping-later.test-host.com');
    const own = expect.stringContaining('already short');
    expect(await act(code, 'enable')).toMatchObject({ lines: [{ ok: false, error: own }] });
    const premium = await makePerson({ plan: 'premium' });
    const list = await call('/api/shorten/bulk', {
      json: { longUrls: [to] },
      headers: premium.headers,
    });
    expect(await list.json()).toMatchObject({ lines: [{ error: own }] });
    const rows = await call('/api/links/import/check', {
      json: { format: 'csv', rows: [{ line: 1, url: to }] },
      headers: owner.headers,
    });
    expect(await rows.json()).toMatchObject({ lines: [{ verdict: 'rejected', error: own }] });
  });

  it('[T1] a later entry of the blocklist disables the whole link, its removal opens it', async () => {
    const to = 'https://a.listed-later.test-host.com/x';
    const exact = 'https://exact.test-host.com/only/this';
    const codes = [
      await makeLink({ rules: rulesTo(to) }),
      await makeLink({ fallbackUrl: to }),
      await makeLink({ variants: variantsTo(to) }),
      await makeLink({ rules: rulesTo(exact) }),
    ];
    const changed = await makeLink({ rules: rulesTo(to) });
    expect((await patch(changed, { rules: [] })).status).toBe(200);
    await block(`listed-later.test-host.com\n${exact}`);
    await applyBlocklist(env, Date.now());
    for (const code of codes) {
      expect(await statusOf(code)).toBe('disabled');
      expect((await call(`/${code}`)).status).toBe(410);
      expect((await patch(code, { rules: [] })).status).toBe(403);
    }
    expect(await statusOf(changed)).toBe('active');
    for (const value of ['listed-later.test-host.com', exact])
      await call(`/api/admin/blocklist/${encodeURIComponent(value)}`, {
        method: 'DELETE',
        headers: admin.headers,
      });
    await applyBlocklist(env, Date.now());
    for (const code of codes) {
      expect(await statusOf(code)).toBe('active');
      expect((await call(`/${code}`)).status).toBe(302);
    }
  });

  it('disabling a host disables links that lead there by a rule', async () => {
    const code = await makeLink({ rules: rulesTo('https://sub.held.test-host.com/') });
    const response = await call('/api/admin/moderation', {
      json: {
        action: 'disable',
        scope: { kind: 'host', host: 'held.test-host.com' },
        reason: 'From a test',
      },
      headers: admin.headers,
    });
    expect(await response.json()).toMatchObject({ links: 1 });
    expect(await statusOf(code)).toBe('disabled');
  });
});
