import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { inOneMinute } from '#worker/testing/minute.ts';

type Page = { urls: Record<string, unknown>[]; next_cursor: string | null; totals: Record<string, number> };

const make = async (person: Person, customCode: string, longUrl = 'https://example.com/'): Promise<void> => {
  const response = await call('/api/shorten', { json: { longUrl, customCode }, headers: person.headers });
  expect(response.status).toBe(201);
};
const list = async (person: Person, query = ''): Promise<Page> =>
  (await call(`/api/my-urls${query}`, { headers: person.headers })).json();
const patch = (person: Person, code: string, json: unknown): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers });
const remove = (person: Person, code: string): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'DELETE', headers: person.headers });
const copyOf = (code: string): Promise<unknown> => env.LINKS.get(code, 'json');

/** Links straight into the table: making them one by one would take the test's time. */
async function bulk(userId: string, n: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
     INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
     SELECT substr(?1, 1, 8) || i, 'https://example.com/bulk/' || i, 'example.com', ?1, i, i FROM seq`,
  )
    .bind(userId, n)
    .run();
}

test('lists my links and nobody else’s, newest first, with the spec’s fields', async () => {
  const [me, other] = [await makePerson(), await makePerson()];
  await make(me, 'first');
  await make(other, 'theirs');
  await make(me, 'second', 'https://example.org/x');
  const page = await list(me);
  expect(page.urls.map((link) => link['short_code'])).toEqual(['second', 'first']);
  expect(page.urls[0]).toEqual({
    id: expect.any(Number),
    short_code: 'second',
    short_url: 'http://localhost:8787/second',
    long_url: 'https://example.org/x',
    click_count: 0,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    status: 'active',
    status_reason: null,
    expires_at: null,
  });
  expect(page).toMatchObject({ next_cursor: null, totals: { links: 2, clicks: 0, active: 0 } });
});

test('pages hold 50; every link comes exactly once; totals and clicks cover all pages', async () => {
  const me = await makePerson();
  await bulk(me.id, 120);
  await env.DB.prepare(
    'INSERT INTO link_totals (link_id, human, bot) SELECT id, 3, 9 FROM links WHERE user_id = ?1 AND created_at IN (1, 120)',
  )
    .bind(me.id)
    .run();
  const seen: unknown[] = [];
  let cursor: string | null = '';
  const sizes: number[] = [];
  while (cursor !== null) {
    const page: Page = await list(me, `?cursor=${cursor}`);
    expect(page.totals).toEqual({ links: 120, clicks: 6, active: 2 });
    sizes.push(page.urls.length);
    seen.push(...page.urls.map((link) => link['id']));
    if (sizes.length === 1) expect(page.urls[0]).toMatchObject({ click_count: 3 });
    cursor = page.next_cursor;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(seen).size).toBe(120);
  expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
});

test('search finds code or target, without case, and takes % and _ as themselves', async () => {
  const me = await makePerson();
  await make(me, 'Alpha_1', 'https://example.com/100%25');
  await make(me, 'beta', 'https://EXAMPLE.com/ALPHA');
  await make(me, 'gamma', 'https://example.com/');
  const codes = async (q: string): Promise<unknown[]> =>
    (await list(me, `?q=${encodeURIComponent(q)}`)).urls.map((link) => link['short_code']);
  expect(await codes('alpha')).toEqual(['beta', 'Alpha_1']);
  expect(await codes('%')).toEqual(['Alpha_1']);
  expect(await codes('_')).toEqual(['Alpha_1']);
  expect(await codes("' OR 1=1 --")).toEqual([]);
  expect((await call(`/api/my-urls?q=${'a'.repeat(100)}`, { headers: me.headers })).status).toBe(200);
  expect((await call(`/api/my-urls?q=${'a'.repeat(101)}`, { headers: me.headers })).status).toBe(400);
  expect((await call('/api/my-urls?cursor=x', { headers: me.headers })).status).toBe(400);
});

test('the owner edits target and end; version, outbox and the KV copy follow', async () => {
  const me = await makePerson();
  await make(me, 'edit-me');
  const end = Date.now() + 86_400_000;
  const response = await patch(me, 'edit-me', { longUrl: 'example.org/new', expiresAt: end });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ long_url: 'https://example.org/new', expires_at: new Date(end).toISOString() });
  expect(await copyOf('edit-me')).toMatchObject({ v: 2, u: 'https://example.org/new', e: end, s: 'a' });
  const row = await env.DB.prepare(
    "SELECT l.version, l.target_host, o.version AS queued FROM links l JOIN link_outbox o ON o.link_id = l.id WHERE code = 'edit-me'",
  ).first();
  expect(row).toEqual({ version: 2, target_host: 'example.org', queued: 2 });
  expect(await (await patch(me, 'edit-me', { expiresAt: null })).json()).toMatchObject({ expires_at: null });
});

test.each([
  ['nothing', {}, 'invalid_body', undefined],
  ['a script', { longUrl: 'javascript:1' }, 'invalid_target', 'longUrl'],
  ['an end in the past', { expiresAt: 1000 }, 'invalid_body', 'expiresAt'],
])('an edit to %s is refused and changes nothing', async (name, change, code, field) => {
  const me = await makePerson();
  const alias = `keep-${name.replaceAll(' ', '-')}`.slice(0, 20);
  await make(me, alias);
  const response = await patch(me, alias, change);
  expect(response.status).toBe(400);
  const body = await response.json<Record<string, unknown>>();
  expect(body).toMatchObject({ code });
  expect(body['field']).toBe(field);
  expect(await (await call(`/api/links/${alias}`, { headers: me.headers })).json()).toMatchObject({
    long_url: 'https://example.com/',
  });
});

test('the owner switches a link off and on', async () => {
  const me = await makePerson();
  await make(me, 'on-off');
  expect(await (await patch(me, 'on-off', { enabled: false })).json()).toMatchObject({
    status: 'disabled',
    status_reason: expect.any(String),
  });
  expect(await copyOf('on-off')).toMatchObject({ s: 'd', v: 2 });
  expect(await (await patch(me, 'on-off', { enabled: true })).json()).toMatchObject({ status: 'active', status_reason: null });
  expect(await copyOf('on-off')).toMatchObject({ s: 'a', v: 3 });
});

test.each(['admin', 'blocklist', 'reputation'])(
  'what the %s disabled, the owner cannot enable or edit, but may delete',
  async (by) => {
    const me = await makePerson();
    const alias = `held-${by}`;
    await make(me, alias);
    await env.DB.prepare("UPDATE links SET status = 'disabled', disabled_by = ?2, disabled_reason = 'Phishing.' WHERE code = ?1")
      .bind(alias, by)
      .run();
    for (const change of [{ enabled: true }, { enabled: false }, { longUrl: 'https://example.org' }]) {
      const response = await patch(me, alias, change);
      expect(response.status).toBe(403);
    }
    expect((await list(me)).urls[0]).toMatchObject({ status: 'disabled', status_reason: 'Phishing.' });
    expect((await remove(me, alias)).status).toBe(200);
  },
);

test('a target that came on the blocklist cannot be enabled again, nor be edited to', async () => {
  const me = await makePerson();
  await make(me, 'turned-bad', 'https://www.bad.example.net/x');
  expect((await patch(me, 'turned-bad', { enabled: false })).status).toBe(200);
  await env.DB.prepare("INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad.example.net', 1)").run();
  expect((await patch(me, 'turned-bad', { enabled: true })).status).toBe(400);
  expect((await patch(me, 'turned-bad', { longUrl: 'https://bad.example.net./' })).status).toBe(400);
  const refused = await call('/api/shorten', { json: { longUrl: 'https://deep.www.bad.example.net' }, headers: me.headers });
  expect(await refused.json()).toMatchObject({ code: 'invalid_target', field: 'longUrl' });
  expect((await call('/api/shorten', { json: { longUrl: 'https://notbad.example.net' }, headers: me.headers })).status).toBe(201);
});

test('a deleted link is gone from the list, a tombstone in KV, and its code is given to nobody again', async () => {
  const [me, other] = [await makePerson(), await makePerson()];
  await make(me, 'gone-1');
  expect((await remove(me, 'gone-1')).status).toBe(200);
  expect((await list(me)).urls).toEqual([]);
  expect(await copyOf('gone-1')).toMatchObject({ s: 'x', v: 2, u: '' });
  for (const person of [me, other])
    expect(
      (await call('/api/shorten', { json: { longUrl: 'https://example.com', customCode: 'GONE-1' }, headers: person.headers }))
        .status,
    ).toBe(409);
  expect((await remove(me, 'gone-1')).status).toBe(404);
  expect((await call('/api/qr/gone-1')).status).toBe(404);
});

test('another’s link and an unknown code get the same 404 for reading, editing and deleting', async () => {
  const [me, other] = [await makePerson(), await makePerson()];
  await make(other, 'not-mine');
  const shape = async (response: Response): Promise<unknown> => {
    const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
    return { status: response.status, body };
  };
  const ask = (code: string): Promise<unknown[]> =>
    Promise.all([
      call(`/api/links/${code}`, { headers: me.headers }).then(shape),
      patch(me, code, { enabled: false }).then(shape),
      remove(me, code).then(shape),
    ]);
  const theirs = await ask('not-mine');
  expect(theirs).toEqual(await ask('no-such'));
  expect(theirs).toMatchObject([{ status: 404 }, { status: 404 }, { status: 404 }]);
  expect(await copyOf('not-mine')).toMatchObject({ s: 'a', v: 1 });
});

test('a member may write 300 times a minute; then waiting helps, a bigger plan would not', { timeout: 120_000 }, async () => {
  await inOneMinute(async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const statuses: number[] = [];
    for (let i = 0; i < 300; i += 1) statuses.push((await remove(me, 'no-such')).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const refused = await remove(me, 'no-such');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect((await remove(other, 'no-such')).status).toBe(404);
  });
});
