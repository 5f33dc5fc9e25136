import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { BulkResult, V1Link } from '#contract/v1/v1.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { aroundD1, type Around } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';

const post = (
  holder: KeyHolder,
  key: string,
  json: unknown,
  overrides: Partial<Env> = {},
  path = '/links',
) => send(holder, `POST ${path}`, { json, headers: { 'Idempotency-Key': key } }, overrides);
const usage = (holder: KeyHolder) =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(holder.person.id)
    .first<number>('n');
const countLinks = (holder: KeyHolder) =>
  env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?1')
    .bind(holder.person.id)
    .first<number>('n');
/** Lets another attempt take over at once, as if the lease of a dead one had ended. */
const endLeases = (holder: KeyHolder) =>
  env.DB.prepare('UPDATE idempotent_requests SET leased_until = 0 WHERE user_id = ?1')
    .bind(holder.person.id)
    .run();
const forgetMinute = (holder: KeyHolder) =>
  env.DB.prepare('DELETE FROM counters WHERE key = ?1').bind(`api-key:${holder.key.id}`).run();

describe('Idempotency-Key', () => {
  it('[T42] creates one link for 50 requests at once, and answers all repetitions alike', async () => {
    const holder = await makeKey();
    const json = { url: 'https://example.com/once' };
    const all = await Promise.all(Array.from({ length: 50 }, () => post(holder, 'k-50', json)));
    const statuses = all.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409).every((status) => status === 201)).toBe(
      true,
    );
    expect(statuses).toContain(201);
    for (const response of all)
      if (response.status === 409) {
        expect(response.headers.get('Retry-After')).toBe('1');
        expect(await response.json()).toMatchObject({ code: 'request_in_progress' });
      }
    const again = await post(holder, '"k-50"', json);
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
    const link = await again.json<V1Link>();
    expect(again.headers.get('Location')).toBe(`/api/v1/links/${link.id}`);
    const bodies = await Promise.all(
      all.filter(({ status }) => status === 201).map((response) => response.json()),
    );
    for (const body of bodies) expect(body).toEqual(link);
    expect([await countLinks(holder), await usage(holder)]).toEqual([1, 1]);
  });

  it('an idempotency key is tied to body and member, and free again after a rejection', async () => {
    const [holder, other] = [await makeKey(), await makeKey()];
    expect((await post(holder, 'k', { url: 'https://example.com/1' })).status).toBe(201);
    const reused = await post(holder, 'k', { url: 'https://example.com/2' });
    expect([reused.status, await reused.json()]).toMatchObject([
      422,
      { code: 'idempotency_key_reused' },
    ]);
    expect(
      (await post(holder, 'k', { links: [{ url: 'https://example.com/1' }] }, {}, '/links/bulk'))
        .status,
    ).toBe(422);
    expect((await post(other, 'k', { url: 'https://example.com/2' })).status).toBe(201);
    expect((await post(holder, 'k2', { url: 'ftp://example.com' })).status).toBe(400);
    expect((await post(holder, 'k2', { url: 'https://example.com/3' })).status).toBe(201);
    for (const key of ['', 'x'.repeat(256), 'with space', 'ü'])
      expect(await (await post(holder, key, { url: 'https://example.com' })).json()).toMatchObject({
        code: 'invalid_header',
        errors: [{ header: 'Idempotency-Key' }],
      });
  });

  it('forgets a request after 24 hours', async () => {
    const holder = await makeKey();
    await post(holder, 'old', { url: 'https://example.com/1' });
    await env.DB.prepare('UPDATE idempotent_requests SET expires_at = 1 WHERE user_id = ?1')
      .bind(holder.person.id)
      .run();
    const fresh = await post(holder, 'old', { url: 'https://example.com/2' });
    expect([fresh.status, fresh.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    expect(await usage(holder)).toBe(2);
  });

  it('creates nothing more once another attempt has taken over', async () => {
    const holder = await makeKey();
    let isFirst = true;
    // The second request runs completely between the claim and the batch of the first.
    const overtaken: Around = async (name, run) => {
      if (name === 'd1.batch' && calls++ === 2 && isFirst) {
        isFirst = false;
        await endLeases(holder);
        expect((await post(holder, 'k', { url: 'https://example.com/1' })).status).toBe(201);
      }
      return run();
    };
    let calls = 0;
    const late = await post(
      holder,
      'k',
      { url: 'https://example.com/1' },
      { DB: aroundD1(env.DB, overtaken) },
    );
    expect(isFirst).toBe(false);
    expect(late.status).toBe(503);
    expect([await countLinks(holder), await usage(holder)]).toEqual([1, 1]);
  });
});

describe('faults of D1', () => {
  it('a rejected request is answered with its reason although its lease stays', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const holder = await makeKey();
    const json = { url: 'https://example.com/taken', code: 'kept-lease' };
    expect((await post(holder, 'first', json)).status).toBe(201);
    let calls = 0;
    const statusOf = async (key: string, failsAt: number) => {
      calls = 0;
      const around: Around = (_, run) =>
        calls++ === failsAt
          ? Promise.reject(new Error('D1_ERROR: Network connection lost.'))
          : run();
      return (await post(holder, key, json, { DB: aroundD1(env.DB, around) })).status;
    };
    expect(await statusOf('second', -1)).toBe(409);
    expect(await statusOf('third', calls - 1)).toBe(409);
    vi.restoreAllMocks();
  });

  it('[T42] faults of D1 never create a link twice or lose one, wherever a request ends', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(9), after: fc.boolean() }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('one', 'many'),
        async (faults, kind) => {
          const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
          const items = Array.from({ length: 101 }, (_, i) => ({
            url: `https://example.com/${i}`,
          }));
          const [path, json, expected] =
            kind === 'one' ? ['/links', items[0], 1] : ['/links/bulk', { links: items }, 101];
          for (const { at, after } of faults) {
            let calls = 0;
            const failing: Around = async (_, run) => {
              const isDue = calls++ === at;
              if (isDue && !after) throw new Error('D1_ERROR: Network connection lost.');
              const result = await run();
              if (isDue) throw new Error('D1_ERROR: Network connection lost.');
              return result;
            };
            const response = await post(holder, 'k', json, { DB: aroundD1(env.DB, failing) }, path);
            expect([200, 201, 503]).toContain(response.status);
            await endLeases(holder);
            await forgetMinute(holder);
          }
          const last = await post(holder, 'k', json, {}, path);
          expect(last.status).toBe(kind === 'one' ? 201 : 200);
          if (kind === 'many')
            expect(await last.json<BulkResult>()).toMatchObject({ created: 101, failed: 0 });
          expect([await countLinks(holder), await usage(holder)]).toEqual([expected, expected]);
        },
      ),
      { numRuns: 5, seed: 1 },
    );
    vi.restoreAllMocks();
  });
});
