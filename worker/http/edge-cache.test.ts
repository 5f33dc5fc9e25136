import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { aroundD1, throwsBefore } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';
import { evict, readCached } from './edge-cache.ts';

const NOW = Date.now();
let serial = 0;
const newKey = () => `https://hop.example/.edge-cache/test/${++serial}`;
/** Reads `value` under `key` at `now`, waits for the cache write and counts the loads. */
async function read<T>(key: string, value: T | null, now = NOW, seconds = 30) {
  const work: Promise<unknown>[] = [];
  let loads = 0;
  const load = () => (loads++, Promise.resolve(value));
  const got = await readCached(key, seconds, now, (one) => work.push(one), load);
  await Promise.all(work);
  return { got, loads };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('readCached', () => {
  it('returns the cached value until it expires, to the millisecond', async () => {
    const key = newKey();
    expect(await read(key, { a: 1 })).toEqual({ got: { a: 1 }, loads: 1 });
    expect(await read(key, { a: 2 }, NOW + 29_999)).toEqual({ got: { a: 1 }, loads: 0 });
    expect(await read(key, { a: 3 }, NOW + 30_000)).toEqual({ got: { a: 3 }, loads: 1 });
  });

  it('caches neither null nor an error', async () => {
    const key = newKey();
    expect(await read(key, null)).toEqual({ got: null, loads: 1 });
    const failing = readCached(
      key,
      30,
      NOW,
      () => undefined,
      () => Promise.reject(new Error('D1_ERROR: down')),
    );
    await expect(failing).rejects.toThrow('D1_ERROR');
    expect(await read(key, 'there')).toEqual({ got: 'there', loads: 1 });
  });

  it('loads again after evict', async () => {
    const key = newKey();
    await read(key, 1);
    await evict([key, newKey()]);
    expect(await read(key, 2)).toEqual({ got: 2, loads: 1 });
  });

  it.each<[string, Partial<Cache>]>([
    ['has no methods', {}],
    [
      'fails',
      {
        match: () => Promise.reject(new Error('no cache')),
        put: () => Promise.reject(new Error('no cache')),
      },
    ],
    [
      'throws at once',
      {
        match: () => {
          throw new Error('no cache');
        },
      },
    ],
    ['returns something else', { match: () => Promise.resolve(new Response('<html>')) }],
  ])('loads from D1 when the cache %s', async (_, methods) => {
    vi.stubGlobal('caches', { default: methods });
    expect(await read(newKey(), 'from D1')).toEqual({ got: 'from D1', loads: 1 });
    await evict([newKey()]);
  });

  it('loads from D1 after a second when the cache hangs', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const match = () => new Promise(() => undefined);
    vi.stubGlobal('caches', { default: { match } });
    expect(await read(newKey(), 'from D1')).toEqual({ got: 'from D1', loads: 1 });
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_000);
    timers.mockRestore();
  });
});

describe('edge cache after a change', () => {
  it('shows a changed link in its preview at once in the same data centre', async () => {
    const { headers } = await makePerson();
    await call('/api/shorten', {
      json: { longUrl: 'https://example.com/old', customCode: 'changing' },
      headers,
    });
    const target = async () =>
      (
        await (
          await call('/changing+', { headers: { Accept: 'application/json' } })
        ).json<{ longUrl: string }>()
      ).longUrl;
    expect(await target()).toBe('https://example.com/old');
    await call('/api/links/changing', {
      method: 'PATCH',
      json: { longUrl: 'https://example.com/new' },
      headers,
    });
    expect(await target()).toBe('https://example.com/new');
    await call('/api/links/changing', { method: 'DELETE', headers });
    expect((await call('/changing+')).status).toBe(410);
    expect((await call('/api/qr/changing')).status).toBe(404);
  });

  it('shows a changed post in list, post and feed at once', async () => {
    const { headers } = await makePerson({ role: 'admin' });
    const json = { title: 'First title', slug: 'first', content: 'Text.', published: true };
    const { id } = await (await call('/api/blogs-admin', { json, headers })).json<{ id: number }>();
    const seen = async () =>
      Promise.all(
        ['/api/blogs', '/api/blog/first', '/feed.xml'].map(async (path) =>
          (await call(path)).text(),
        ),
      );
    for (const text of await seen()) expect(text).toContain('First title');
    await call(`/api/blogs-admin/${id}`, {
      method: 'PATCH',
      json: { title: 'Second title' },
      headers,
    });
    for (const text of await seen()) expect(text).toContain('Second title');
    await call(`/api/blogs-admin/${id}`, { method: 'PATCH', json: { slug: 'second' }, headers });
    expect((await call('/api/blog/first')).status).toBe(404);
    expect((await call('/api/blog/second')).status).toBe(200);
    await call(`/api/blogs-admin/${id}`, { method: 'DELETE', headers });
    expect((await call('/api/blog/second')).status).toBe(404);
    expect(await (await call('/sitemap.xml')).text()).not.toContain('second');
  });
});

describe('cached API responses', () => {
  it('a list that D1 failed to return is not cached', async () => {
    const down = { DB: aroundD1(env.DB, throwsBefore('D1_ERROR: Network connection lost')) };
    expect((await call('/api/blogs?before=7', {}, down)).status).toBe(503);
    expect((await call('/api/blogs?before=7')).status).toBe(200);
  });

  it('every cached answer gets a new request id and no-store', async () => {
    const ids = new Set<string | null>();
    for (let i = 0; i < 3; i++) {
      const { headers } = await call('/api/blogs');
      ids.add(headers.get('X-Request-Id'));
      expect(headers.get('Cache-Control')).toBe('no-store');
    }
    expect(ids.size).toBe(3);
  });
});
