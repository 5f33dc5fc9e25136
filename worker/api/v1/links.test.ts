import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { link as linkSchema, linkList, type V1Link, type V1LinkList } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { rankLinks } from '#worker/links/list/rank-links.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

const create = async (holder: KeyHolder, json: unknown): Promise<V1Link> => {
  const response = await send(holder, 'POST /links', { json });
  expect(response.status).toBe(201);
  return response.json();
};
const problemOf = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  return response.json();
};
const NO_DETAILS = {
  title: '',
  note: '',
  tags: [],
  favorite: false,
  archived: false,
  startsAt: null,
  fallbackUrl: '',
  redirectStatus: 302,
  clickLimit: null,
  clickLimitOpen: false,
  clickLimitUsed: 0,
  rules: [],
  variants: [],
  hasPassword: false,
  watch: 'off',
  watchFallback: '',
  health: null,
  card: null,
  forwardParams: 'none',
  suggestOnTypo: false,
};
const usage = (id: string) =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(id)
    .first<number>('n');

describe('POST /api/v1/links', () => {
  it('creates a link that redirects, and answers with its one shape', async () => {
    const holder = await makeKey();
    const response = await send(holder, 'POST /links', {
      json: {
        url: 'example.com/a',
        code: 'V1-first',
        externalId: 'crm/7',
        expiresAt: '2099-01-01T01:00:00+01:00',
      },
    });
    expect(response.status).toBe(201);
    const link = await response.json<V1Link>();
    expect(response.headers.get('Location')).toBe(`/api/v1/links/${link.id}`);
    expect(link).toEqual({
      id: expect.stringMatching(/^lnk_\w{22}$/),
      code: 'V1-first',
      earlierCodes: [],
      domain: '',
      shortUrl: 'http://localhost:8787/V1-first',
      url: 'https://example.com/a',
      externalId: 'crm/7',
      status: 'active',
      state: 'active',
      statusReason: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: link.createdAt,
      clicks: 0,
      ...NO_DETAILS,
      importedClicks: null,
    });
    for (const route of [`GET /links/${link.id}`, 'GET /links/by-code/V1-first'])
      expect(await (await send(holder, route)).json()).toEqual(link);
    expect((await (await send(holder, 'GET /links')).json<V1LinkList>()).data).toEqual([link]);
    expect((await call('/V1-first')).headers.get('Location')).toBe('https://example.com/a');
  });

  it('names every member at fault with a JSON pointer', async () => {
    const holder = await makeKey();
    const response = await send(holder, 'POST /links', {
      json: { code: 7, expiresAt: 'tomorrow', externalId: '' },
    });
    expect(response.status).toBe(400);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({
      type: 'http://localhost:8787/api/v1/errors#invalid_body',
      title: 'The body is not valid',
      status: 400,
      code: 'invalid_body',
      requestId: response.headers.get('X-Request-Id'),
    });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([
      '/url',
      '/code',
      '/expiresAt',
      '/externalId',
    ]);
  });

  it.each([
    [{ url: 'javascript:alert(1)' }, 400, 'invalid_target', '/url'],
    [{ url: 'https://example.com', code: 'no spaces' }, 400, 'invalid_alias', '/code'],
    [{ url: 'https://example.com', code: 'Docs' }, 400, 'reserved_alias', '/code'],
    [{ url: 'https://example.com', code: 'TAKEN-v1' }, 409, 'alias_taken', '/code'],
    [{ url: 'https://example.com', externalId: 'taken' }, 409, 'external_id_taken', '/externalId'],
    [
      { url: 'https://example.com', expiresAt: '2020-01-01T00:00:00Z' },
      400,
      'invalid_body',
      '/expiresAt',
    ],
  ])('rejects %j with %i %s', async (json, status, code, pointer) => {
    const holder = await makeKey();
    await env.DB.prepare("DELETE FROM links WHERE code = 'taken-V1'").run();
    await create(holder, { url: 'https://example.com', code: 'taken-V1', externalId: 'taken' });
    const response = await send(holder, 'POST /links', { json });
    expect(await problemOf(response)).toMatchObject({ status, code, errors: [{ pointer }] });
    expect(response.status).toBe(status);
    expect(await usage(holder.person.id)).toBe(1);
  });

  it('acts on the quota of the owner', async () => {
    const person = await makePerson({ usage: 24 });
    const holder = await makeKey({ person });
    await create(holder, { url: 'https://example.com' });
    const problem = await problemOf(
      await send(holder, 'POST /links', { json: { url: 'https://example.com' } }),
    );
    expect(problem).toMatchObject({ status: 429, code: 'quota_reached', upgradeRequired: true });
  });

  it('an external id of a deleted link is free, and members can share an id', async () => {
    const [holder, other] = [await makeKey(), await makeKey()];
    const { id } = await create(holder, { url: 'https://example.com/1', externalId: 'again' });
    await create(other, { url: 'https://example.com/2', externalId: 'again' });
    expect((await send(holder, `DELETE /links/${id}`)).status).toBe(204);
    await create(holder, { url: 'https://example.com/3', externalId: 'again' });
  });
});

describe('a key with a code prefix', () => {
  it('a key with a code prefix creates and sees only links whose code starts with it', async () => {
    const all = await makeKey();
    const holder = await makeKey({ person: all.person, codePrefix: 'pre-' });
    const outside = await create(all, {
      url: 'https://example.com/outside',
      externalId: 'outside',
    });
    const inside = await create(holder, { url: 'https://example.com/inside' });
    expect(inside.code).toMatch(/^pre-[0-9A-Za-z]{7}$/);
    const rejected = await send(holder, 'POST /links', {
      json: { url: 'https://example.com', code: 'other' },
    });
    expect(await problemOf(rejected)).toMatchObject({
      code: 'invalid_alias',
      errors: [{ pointer: '/code' }],
    });
    const { data } = await (await send(holder, 'GET /links')).json<V1LinkList>();
    expect(data.map(({ id }) => id)).toEqual([inside.id]);
    for (const route of [
      `GET /links/${outside.id}`,
      `DELETE /links/${outside.id}`,
      `GET /links/${outside.id}/analytics`,
      `GET /links/${outside.id}/qr.svg`,
      `GET /links/by-code/${outside.code}`,
    ])
      expect((await send(holder, route)).status, route).toBe(404);
    const upsert = await send(holder, 'PUT /links/by-external-id/outside', {
      json: { url: 'https://example.com/own' },
    });
    expect(upsert.status).toBe(201);
    expect(await (await send(all, `GET /links/${outside.id}`)).json()).toEqual(outside);
  });
});

/** The job runs once an hour. */
let runs = 0;

describe('GET /api/v1/links', () => {
  it('finds links by their host in any case', async () => {
    const holder = await makeKey();
    await create(holder, { url: 'https://HOST.example/a' });
    await create(holder, { url: 'https://other.example/b' });
    const response = await send(holder, 'GET /links?host=Host.EXAMPLE');
    const { data } = await response.json<V1LinkList>();
    expect(data.map(({ url }) => url)).toEqual(['https://host.example/a']);
  });

  it.each(['-createdAt', 'createdAt', '-clicks', 'clicks'])(
    'pages both ways, sorted by %s',
    async (sort) => {
      const holder = await makeKey();
      await env.DB.batch([
        env.DB.prepare(
          `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < 25)
         INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
         SELECT ?2 || i, 'https://example.com/' || i, 'example.com', ?1, i, i FROM seq`,
        ).bind(holder.person.id, `${holder.key.id.slice(0, 8)}${sort.length}-`),
        env.DB.prepare(
          'INSERT INTO link_totals (link_id, human) SELECT id, id % 3 FROM links WHERE user_id = ?1 AND id % 4 > 0',
        ).bind(holder.person.id),
      ]);
      await rankLinks(env, Date.now() + ++runs * RANK_EVERY_HOURS * HOUR_MS);
      const read = async (query: string): Promise<V1LinkList> =>
        linkList.parse(
          await (await send(holder, `GET /links?limit=10&sort=${sort}${query}`)).json(),
        );
      const pages = [await read('')];
      for (
        let next = pages[0]?.nextCursor ?? null;
        next !== null;
        next = pages.at(-1)?.nextCursor ?? null
      )
        pages.push(await read(`&cursor=${next}`));
      expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 5]);
      const rows = pages.flatMap(({ data }) => data);
      const numbers = new Map<string, number>();
      for (const { id } of rows) numbers.set(id, await numberOf(id));
      const valueOf = ({ id, clicks }: V1Link) =>
        (sort.endsWith('clicks') ? clicks * 1e9 : 0) + (numbers.get(id) ?? 0);
      const sorted = rows.toSorted((a, b) =>
        sort.startsWith('-') ? valueOf(b) - valueOf(a) : valueOf(a) - valueOf(b),
      );
      expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(25);

      const middle = await read(`&cursor=${pages[2]?.previousCursor ?? ''}`);
      expect(middle.data).toEqual(pages[1]?.data);
      const first = await read(`&cursor=${middle.previousCursor ?? ''}`);
      expect(first).toEqual({ ...pages[0], previousCursor: null });
      const wrong = await send(
        holder,
        `GET /links?sort=${sort === 'clicks' ? '-clicks' : 'clicks'}&cursor=${middle.nextCursor ?? ''}`,
      );
      expect(await problemOf(wrong)).toMatchObject({
        code: 'invalid_query',
        errors: [{ parameter: 'cursor' }],
      });
      // A page whose links have gone still leads to those around it.
      await env.DB.prepare("UPDATE links SET status = 'deleted' WHERE user_id = ?1")
        .bind(holder.person.id)
        .run();
      const { nextCursor, previousCursor } = middle;
      expect(await read(`&cursor=${nextCursor ?? ''}`)).toMatchObject({
        data: [],
        previousCursor: expect.any(String),
      });
      expect(await read(`&cursor=${previousCursor ?? ''}`)).toMatchObject({
        data: [],
        nextCursor: expect.any(String),
      });
    },
  );

  it('a link with a number as id keeps it, and no other is found by its number', async () => {
    const holder = await makeKey();
    const link = await create(holder, { url: 'https://example.com/' });
    const number = await numberOf(link.id);
    const statusOf = async (id: string) => (await send(holder, `GET /links/${id}`)).status;
    expect([await statusOf(link.id), await statusOf(`${number}`)]).toEqual([200, 404]);
    const numberThrough = env.DB.prepare('UPDATE link_id_keys SET numbered_through = ?1');
    await numberThrough.bind(number).run();
    const numbered = await send(holder, `GET /links/${number}`);
    expect(await numbered.json()).toMatchObject({ id: `${number}`, code: link.code });
    expect(await statusOf(link.id)).toBe(404);
    const next = await create(holder, { url: 'https://example.com/' });
    expect(next.id).toMatch(/^lnk_/);
    await numberThrough.bind(0).run();
  });

  it('a cursor has no number of a link, and room for the longest code', async () => {
    const holder = await makeKey();
    const link = await create(holder, { url: 'https://example.com/' });
    await create(holder, { url: 'https://example.com/' });
    await env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2')
      .bind(`-${'x'.repeat(189)}`, await numberOf(link.id))
      .run();
    const read = async (query: string): Promise<V1LinkList> =>
      (await send(holder, `GET /links?limit=1&sort=code&${query}`)).json();
    const { nextCursor } = await read('');
    expect(atob((nextCursor ?? '').replaceAll('-', '+').replaceAll('_', '/'))).toContain(link.id);
    expect((await read(`cursor=${nextCursor}`)).data).toHaveLength(1);
  });

  it('filters by text, status and time', async () => {
    const holder = await makeKey();
    const [one, off, over] = [
      await create(holder, { url: 'https://example.com/needle' }),
      await create(holder, { url: 'https://example.org/x' }),
      await create(holder, { url: 'https://example.net/y' }),
    ];
    await send(holder, `PATCH /links/${off.id}`, { json: { enabled: false } });
    await env.DB.prepare('UPDATE links SET expires_at = 5, created_at = 1000 WHERE id = ?1')
      .bind(await numberOf(over.id))
      .run();
    const ids = async (query: string) =>
      (await (await send(holder, `GET /links?${query}`)).json<V1LinkList>()).data.map(
        ({ id }) => id,
      );
    expect(await ids('q=NEEDLE')).toEqual([one.id]);
    expect(await ids('status=active')).toEqual([one.id]);
    expect(await ids('status=disabled')).toEqual([off.id]);
    expect(await ids('status=expired')).toEqual([over.id]);
    expect(await ids('createdBefore=1970-01-01T00:00:02Z')).toEqual([over.id]);
    expect(await ids('createdAfter=1970-01-01T00:00:02Z&sort=createdAt')).toEqual([one.id, off.id]);
    await send(holder, `PATCH /links/${one.id}`, { json: { favorite: true } });
    expect(await ids('favorite=true')).toEqual([one.id]);
    expect(await ids('favorite=false&status=disabled')).toEqual([off.id]);
    expect(await ids('favorite=false&status=active')).toEqual([]);
    expect(await (await send(holder, `GET /links/${off.id}`)).json()).toMatchObject({
      status: 'disabled',
      statusReason: 'You disabled this link.',
    });
    for (const query of [
      'limit=101',
      'limit=0',
      'status=deleted',
      'createdAfter=yesterday',
      'cursor=zzz',
      'sort=name',
    ])
      expect(
        (await problemOf(await send(holder, `GET /links?${query}`))).errors?.[0]?.parameter,
      ).toBe(query.split('=')[0]);
  });
});

describe('PUT /api/v1/links/by-external-id/:externalId', () => {
  const put = (holder: KeyHolder, id: string, json: unknown) =>
    send(holder, `PUT /links/by-external-id/${encodeURIComponent(id)}`, { json });

  it('creates the link once and changes it afterwards, also when requests race', async () => {
    const holder = await makeKey();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => put(holder, 'a/b ü', { url: 'https://example.com/1' })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(7);
    const ids = await Promise.all(all.map(async (response) => (await response.json<V1Link>()).id));
    expect(new Set(ids).size).toBe(1);
    const located = all.find(({ status }) => status === 201)?.headers.get('Location');
    expect(located).toBe(`/api/v1/links/${ids[0]}`);
    expect(await usage(holder.person.id)).toBe(1);
    const changed = await put(holder, 'a/b ü', {
      url: 'https://example.com/2',
      expiresAt: '2099-01-01T00:00:00Z',
    });
    expect(changed.status).toBe(200);
    const link = linkSchema.parse(await changed.json());
    expect(link).toMatchObject({
      id: ids[0],
      externalId: 'a/b ü',
      url: 'https://example.com/2',
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect(
      await (await put(holder, 'a/b ü', { url: 'https://example.com/3' })).json(),
    ).toMatchObject({
      expiresAt: link.expiresAt,
    });
    const recoded = await put(holder, 'a/b ü', {
      url: 'https://example.com/4',
      code: 'another-code',
    });
    expect(await problemOf(recoded)).toMatchObject({
      status: 409,
      code: 'conflict',
      errors: [{ pointer: '/code' }],
    });
    for (const [code, problem] of [
      ['not a code', 'invalid_alias'],
      ['admin', 'reserved_alias'],
    ]) {
      const bad = await put(holder, 'a/b ü', { url: 'https://example.com/5', code });
      expect(await problemOf(bad)).toMatchObject({ status: 400, code: problem });
    }
  });

  it('accepts the present and earlier codes of the link as its code', async () => {
    const holder = await makeKey();
    const made = await put(holder, 'renamed', { url: 'https://example.com/1', code: 'code-one' });
    const { id } = await made.json<V1Link>();
    await send(holder, `PATCH /links/${id}`, { json: { code: 'code-two' } });
    for (const code of ['code-one', 'code-two']) {
      const again = await put(holder, 'renamed', { url: 'https://example.com/2', code });
      expect([again.status, (await again.json<V1Link>()).code]).toEqual([200, 'code-two']);
    }
  });
});
