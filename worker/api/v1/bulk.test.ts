import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { BulkResult } from '#contract/v1/v1.ts';
import { TAGS_MAX } from '#contract/limits.ts';
import { problem } from '#contract/v1/v1-problem.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { openDb } from '#worker/db/client.ts';
import { TAG_MESSAGES } from '#worker/messages/features.ts';
import { ensureTags, listTags } from '#worker/tags/tags.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

const usage = (id: string) =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(id)
    .first<number>('n');

const VARIANTS = [{ url: 'https://example.com/b', weight: 30 }];
/** The values that remove settings. */
const REMOVED: Record<string, unknown> = {
  clickLimit: null,
  clickLimitOpen: false,
  password: null,
  variants: [],
  watch: 'off',
};

describe('POST /api/v1/links/bulk', () => {
  const bulk = async (holder: KeyHolder, links: unknown[]): Promise<BulkResult> =>
    (await send(holder, 'POST /links/bulk', { json: { links } })).json();

  it('every item gets a verdict, with all settings of a single link', async () => {
    const holder = await makeKey();
    const first = { url: 'https://example.com', code: 'bulk-taken', externalId: 'bulk-id' };
    expect((await send(holder, 'POST /links', { json: first })).status).toBe(201);
    const url = 'https://example.com/b';
    const items = [
      { url, code: 'Bulk-1', externalId: 'b1', expiresAt: '2099-01-01T00:00:00Z' },
      { url: 'ftp://example.com' },
      { url, code: 'bulk-TAKEN' },
      { url, externalId: 'bulk-id' },
      { url, code: 'bulk-1' },
      { url, externalId: 'b1' },
      { url, code: 'pricing' },
      { url },
    ];
    const { created, failed, results } = await bulk(holder, items);
    expect([created, failed]).toEqual([2, 6]);
    expect(
      results.map((result) => (result.ok ? 'ok' : [result.code, result.errors?.[0]?.pointer])),
    ).toEqual([
      'ok',
      ['invalid_target', '/links/1/url'],
      ['alias_taken', '/links/2/code'],
      ['external_id_taken', '/links/3/externalId'],
      ['alias_taken', '/links/4/code'],
      ['external_id_taken', '/links/5/externalId'],
      ['reserved_alias', '/links/6/code'],
      'ok',
    ]);
    const [made] = results;
    expect(made?.ok === true && made.link).toMatchObject({
      code: 'Bulk-1',
      externalId: 'b1',
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect(await usage(holder.person.id)).toBe(3);
  });

  it.each([
    ['clickLimit', 10, 'clickLimit', 10],
    ['clickLimitOpen', true, 'clickLimitOpen', true],
    ['password', 'open sesame', 'hasPassword', true],
    ['variants', VARIANTS, 'variants', VARIANTS],
    ['watch', 'always', 'watch', 'always'],
  ])('creates links with %s, which a change removes', async (name, given, shownAs, shown) => {
    const holder = await makeKey();
    const { results } = await bulk(holder, [{ url: 'https://example.com/', [name]: given }]);
    const [made] = results;
    if (made?.ok !== true) expect.fail();
    expect(made.link).toMatchObject({ [shownAs]: shown });
    const json = { [name]: REMOVED[name] };
    const changed = await send(holder, `PATCH /links/${made.link.id}`, { json });
    const plain = { clickLimit: null, clickLimitOpen: false, hasPassword: false, variants: [] };
    expect(await changed.json()).toMatchObject({ ...plain, watch: 'off', status: 'active' });
  });

  it('an item that is not valid fails alone, with the path of its fault', async () => {
    const url = 'https://example.com/i';
    const { created, results } = await bulk(await makeKey(), [
      { url },
      { url, title: 'x'.repeat(121) },
      { url: 42, tag: 'a' },
      7,
      { url, tags: ['a', 'a,b'] },
      { url, tags: ['a'] },
    ]);
    expect(created).toBe(2);
    const faults = results.map((result) =>
      result.ok ? 'ok' : [result.code, result.errors?.map(({ pointer }) => pointer).join(' ')],
    );
    expect(faults).toEqual([
      'ok',
      ['invalid_body', '/links/1/title'],
      ['invalid_body', '/links/2/url /links/2/tag'],
      ['invalid_body', '/links/3'],
      ['invalid_body', '/links/4/tags/1'],
      'ok',
    ]);
  });

  it('an item fails alone if its tags are too many for the account', async () => {
    const holder = await makeKey();
    const db = openDb(env.DB);
    const names = Array.from({ length: TAGS_MAX - 1 }, (_, at) => `t${at}`);
    await ensureTags(db, holder.person.id, names, Date.now());
    const item = (...tags: string[]) => ({ url: 'https://example.com/t', tags });
    const { results } = await bulk(holder, [
      item('T1'),
      item('new', 'newer'),
      item('last', 'LAST'),
      item('Last', 't2'),
      item('beyond'),
    ]);
    expect(
      results.map((result) => (result.ok ? result.link.tags : [result.code, result.errors])),
    ).toEqual([
      ['t1'],
      ['conflict', [{ pointer: '/links/1/tags', detail: TAG_MESSAGES.too_many_tags }]],
      ['last'],
      ['last', 't2'],
      ['conflict', [{ pointer: '/links/4/tags', detail: TAG_MESSAGES.too_many_tags }]],
    ]);
    expect(await listTags(db, holder.person.id)).toHaveLength(TAGS_MAX);
  });

  it('a key without links:write fails only items with settings that it may not give', async () => {
    const url = 'https://example.com/s';
    const holder = await makeKey({ scopes: ['links:create'] });
    expect((await bulk(holder, [{ url }, { url, note: 'x' }])).results).toMatchObject([
      { ok: true },
      { ok: false, code: 'insufficient_scope', errors: [{ pointer: '/links/1/note' }] },
    ]);
  });

  it('a repetition tries the failed items again, and creates the others once', async () => {
    const holder = await makeKey();
    const taken = { url: 'https://example.com/r', code: 'repeat-me' };
    const first = await send(holder, 'POST /links', { json: taken });
    const { id } = await first.json<{ id: string }>();
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const repeat = async () => {
      const links = [{ url: 'https://example.com/1' }, taken];
      const response = await send(holder, 'POST /links/bulk', { json: { links }, headers });
      const { results } = await response.json<BulkResult>();
      return [
        response.headers.get('Idempotency-Replayed'),
        ...results.map((result) => (result.ok ? result.link.id : result.code)),
      ];
    };
    const [, made, failed] = await repeat();
    expect(failed).toBe('alias_taken');
    await send(holder, `DELETE /links/${id}`);
    await env.DB.prepare("UPDATE links SET code = 'elsewhere' WHERE id = ?")
      .bind(await numberOf(id))
      .run();
    const [replayed, again, now] = await repeat();
    expect([replayed, again, now]).toEqual([null, made, expect.stringMatching(/^lnk_/)]);
    expect(await repeat()).toEqual(['true', made, now]);
  });

  it('creates as many links as the quota holds', async () => {
    const person = await makePerson({ plan: 'premium', usage: 850 });
    const { created, results } = await bulk(
      await makeKey({ person }),
      Array.from({ length: 260 }, (_, i) => ({ url: `https://example.com/${i}` })),
    );
    expect(created).toBe(150);
    expect(results.map(({ ok }) => ok)).toEqual([
      ...Array(150).fill(true),
      ...Array(110).fill(false),
    ]);
    expect(results[200]).toMatchObject({ code: 'quota_reached' });
    expect(await usage(person.id)).toBe(1000);
  });

  it('takes one D1 batch for each 100 links', async () => {
    const holder = await makeKey();
    let batches = 0;
    const counting = new Proxy(env.DB, {
      get(target, name) {
        if (name === 'batch') batches += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const links = Array.from({ length: 1000 }, (_, i) => ({
      url: `https://example.com/${i}`,
      externalId: `n${i}`,
    }));
    const start = performance.now();
    const response = await send(holder, 'POST /links/bulk', { json: { links } }, { DB: counting });
    console.log(`1,000 links: ${Math.round(performance.now() - start)} ms, ${batches} batches`);
    const { created, results } = await response.json<BulkResult>();
    expect(created).toBe(1000);
    expect(results.map((result) => result.ok && result.link.externalId)).toEqual(
      links.map(({ externalId }) => externalId),
    );
    // One batch counts the request. Publishing and indexing the links take some after the response.
    expect(batches).toBeLessThanOrEqual(19);
  });

  it('a bulk request needs Premium and takes 1 to 1,000 items', async () => {
    const free = await makeKey({ person: await makePerson() });
    const response = await send(free, 'POST /links/bulk', {
      json: { links: [{ url: 'https://example.com' }] },
    });
    expect(problem.parse(await response.json())).toMatchObject({
      status: 402,
      code: 'payment_required',
    });
    const holder = await makeKey();
    for (const links of [[], Array.from({ length: 1001 }, () => ({ url: 'https://example.com' }))])
      expect(
        problem.parse(await (await send(holder, 'POST /links/bulk', { json: { links } })).json()),
      ).toMatchObject({
        code: 'invalid_body',
        errors: [{ pointer: '/links' }],
      });
  });
});
