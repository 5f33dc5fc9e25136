import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makeKey } from '#worker/testing/api-key.ts';
import { check, codesOf, importRows } from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

/** Codes that other services allow and that no alias can have. */
const LONGEST = `${'a1_-'.repeat(47)}Zz`;
const DEEPEST = Array.from({ length: 94 }, (_, n) => (n % 10).toString(16)).join('/');
const STRANGEST = ['_x/-/--_', 'promo/2024/Summer_Sale', '0/0', 'a-very-long-custom-code', DEEPEST];
const CODES = [LONGEST, ...STRANGEST.map((code) => `z/${code}`)];

let me: Person;
beforeAll(async () => {
  me = await makePerson({ plan: 'premium' });
  const rows = CODES.map((code, at) => ({ line: at + 1, url: `https://example.com/${at}`, code }));
  expect(LONGEST).toHaveLength(190);
  expect(codesOf(await importRows(me, rows, { format: 'dub' }))).toEqual(CODES);
});

describe('codes of imported links', () => {
  it.each(CODES)('redirects, previews and draws /%s', async (code) => {
    const target = `https://example.com/${CODES.indexOf(code)}`;
    for (const path of [code, `${code}/`]) {
      const { status, headers } = await call(`/${path}`, {
        headers: { 'Sec-Fetch-Mode': 'navigate' },
      });
      expect([status, headers.get('Location')]).toEqual([302, target]);
    }
    expect(await (await call(`/${code}+`)).text()).toContain(target);
    expect((await call(`/api/qr/${encodeURIComponent(code)}`)).status).toBe(200);
    expect(
      (await call(`/api/links/${encodeURIComponent(code)}`, { headers: me.headers })).status,
    ).toBe(200);
    expect(
      (await call(`/api/analytics/${encodeURIComponent(code)}`, { headers: me.headers })).status,
    ).toBe(200);
  });

  it('the public API finds, changes and publishes a link by such a code', async () => {
    const { headers } = await makeKey({ person: me });
    const code = 'z/promo/2024/Summer_Sale';
    const path = `/api/v1/links/by-code/${encodeURIComponent(code)}`;
    const link = await (await call(path, { headers })).json<{ id: string; code: string }>();
    expect(link.code).toBe(code);
    const changed = await call(`/api/v1/links/${link.id}`, {
      method: 'PATCH',
      headers,
      json: { enabled: false },
    });
    expect(changed.status).toBe(200);
    expect(JSON.parse((await env.LINKS.get(code)) ?? '{}')).toMatchObject({ s: 'd' });
    expect((await call(`/${code}`)).status).toBe(410);
  });

  it.each([
    ['191 characters', 'x'.repeat(191)],
    ['a dot', 'v1.2/notes'],
    ['an empty segment', 'a//b'],
    ['a letter outside of ASCII', 'café'],
    ['a page of the site', 'dashboard/mine'],
    ['a path of the API', 'api/v1'],
    ['a first segment that is reserved', 'login/here'],
    ['a segment that asks for a password', 'shop/reset-password'],
  ])('a code with %s is not available', async (_name, code) => {
    const { lines } = await check(me, [{ line: 1, url: 'https://example.com/x', code }]);
    expect(lines).toMatchObject([{ verdict: 'taken', code }]);
  });

  it('a number is added to a long code within 190 characters', async () => {
    const rows = [{ line: 1, url: 'https://example.com/other', code: LONGEST }];
    const { lines } = await check(me, rows);
    expect(lines).toMatchObject([{ suffixed: `${LONGEST.slice(0, 188)}-2` }]);
  });

  it('a report is about the link of such a short URL', async () => {
    const code = 'z/promo/2024/Summer_Sale';
    const url = `https://hop.example/${code}?utm_source=mail`;
    const json = { code: url, reason: 'spam' };
    expect((await call('/api/reports', { json })).status).toBe(201);
    const found = await env.DB.prepare(
      'SELECT count(*) AS n FROM abuse_reports JOIN links ON links.id = link_id WHERE links.code = ?1',
    )
      .bind(code)
      .first<number>('n');
    expect(found).toBe(1);
  });

  it('a new alias has no more characters than before', async () => {
    for (const customCode of ['a'.repeat(21), 'a/b']) {
      const json = { longUrl: 'https://example.com/', customCode };
      const made = await call('/api/shorten', { json, headers: me.headers });
      expect(made.status).toBe(400);
    }
  });
});
