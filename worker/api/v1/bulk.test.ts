import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { BulkResult } from '#contract/v1.ts';
import { problem } from '#contract/v1-problem.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makePerson } from '#worker/testing/make.ts';

const usage = (id: string) =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(id)
    .first<number>('n');

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
