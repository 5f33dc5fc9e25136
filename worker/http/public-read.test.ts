import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

let person: Person;
beforeAll(async () => {
  person = await makePerson({ role: 'admin', plan: 'premium' });
  for (const slug of ['list', 'head', 'spent'])
    await openDb(env.DB)
      .insert(posts)
      .values({
        slug,
        title: `Post ${slug}`,
        content: 'Text.',
        published: true,
        created_at: 1,
        updated_at: 1,
        published_at: 1,
      });
  for (const code of ['read-qr', 'read-p', 'spent-qr', 'spent-p', 'lone-p'])
    await call('/api/shorten', {
      json: { longUrl: `https://example.com/${code}`, customCode: code },
      headers: person.headers,
    });
});

/** A database that counts the statements and batches it runs. */
function counted() {
  let reads = 0;
  const DB = aroundD1(env.DB, (_, run) => {
    reads += 1;
    return run();
  });
  return { DB, reads: () => reads };
}

const OVER_LIMIT = { limit: () => Promise.resolve({ success: false }) };
const from = (ip: string, more: Record<string, string> = {}) => ({
  headers: { 'CF-Connecting-IP': ip, ...more },
});

/** With the seconds for which the answer is cached. */
const PATHS = [
  ['/read-p+', 30],
  ['/api/qr/read-qr', 60],
  ['/api/blogs', 60],
  ['/api/blog/list', 60],
  ['/blog/head', 60],
  ['/feed.xml', 60],
  ['/sitemap.xml', 60],
] as const;

/** Returns how long the entries that are written until the end of the test are cached. */
function cachedFor(): Set<string | null> {
  const cache = caches.default;
  const headers = new Set<string | null>();
  const put = (key: string, entry: Response) => {
    headers.add(entry.headers.get('Cache-Control'));
    return cache.put(key, entry);
  };
  vi.stubGlobal('caches', { default: withMethods(cache, { put }) });
  onTestFinished(() => void vi.unstubAllGlobals());
  return headers;
}

describe('public reads', () => {
  it.each(PATHS)('[A13] reads D1 once for many visitors of %s in %i s', async (path, seconds) => {
    const { DB, reads } = counted();
    const headers = cachedFor();
    const first = await call(path, from('198.51.100.1'), { ...builtAssets, DB });
    expect(first.status).toBe(200);
    const cost = reads();
    expect(cost).toBeGreaterThan(0);
    expect(headers).toEqual(new Set([`public, max-age=${seconds}`]));
    const body = await first.text();
    for (const query of ['', '?utm=1', '?utm=2']) {
      const again = await call(path + query, from('198.51.100.2'), { ...builtAssets, DB });
      expect(again.status).toBe(200);
      const same = /"nonce|nonce="/.test(body) ? body.length : body;
      const text = await again.text();
      expect(typeof same === 'number' ? text.length : text).toBe(same);
    }
    expect(reads()).toBe(cost);
  });

  it.each([
    '/api/qr/spent-qr',
    '/api/blogs?before=99',
    '/api/blog/spent',
    '/blog/spent',
    '/spent-p+',
  ])('[A13] a network over its limit does not reach D1 for %s', async (path) => {
    const { DB, reads } = counted();
    const LINKS = withMethods(env.LINKS, { get: () => Promise.resolve(null) });
    const response = await call(path, from('198.51.100.4'), {
      ...builtAssets,
      DB,
      LINKS,
      LIMIT_READS: OVER_LIMIT,
    });
    expect([response.status, response.headers.get('Retry-After'), reads()]).toEqual([429, '60', 0]);
  });

  it('[A13] counts the networks of one IPv6 /48 together', async () => {
    const asked: string[] = [];
    const LIMIT_SITES = {
      limit: ({ key }: { key: string }) => (asked.push(key), Promise.resolve({ success: false })),
    };
    const { DB, reads } = counted();
    const response = await call('/api/blogs?before=98', from('2001:db8:13:1::1'), {
      DB,
      LIMIT_SITES,
    });
    expect([response.status, reads()]).toEqual([429, 0]);
    expect(asked).toEqual(['read:2001:db8:13::/48']);
  });

  it('[A13] answers a preview from KV for a network over its limit', async () => {
    const { DB, reads } = counted();
    const response = await call('/lone-p+', from('198.51.100.5'), { DB, LIMIT_READS: OVER_LIMIT });
    expect([response.status, reads()]).toEqual([200, 0]);
    expect(await response.text()).toContain('https://example.com/lone-p');
  });
});
