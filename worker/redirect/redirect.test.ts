import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishLinks } from '#worker/edge/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundKv } from '#worker/testing/faults.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import worker from '#worker/index.ts';
import type { ClickWindow } from './click-event.ts';
import { encodeEdgeRecord } from './edge-record.ts';

let sent: ClickWindow[] = [];
const CLICKS = withMethods(env.CLICKS, {
  send: (window: ClickWindow) => (sent.push(window), Promise.resolve()),
});
const QUICK = { CLICKS, CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };

beforeEach(() => {
  sent = [];
  // A read of KV that takes a second on a busy machine would be followed by one of D1.
  stopClock();
});

describe('GET /{code}', () => {
  it('returns a 302 with exactly its headers, from KV alone', async () => {
    const { code, target } = await storeLink();
    const init = { headers: { 'Sec-Fetch-Mode': 'navigate' } };
    const response = await call(`/${code}?ignored=1`, init, {
      ...QUICK,
      DB: UNTOUCHABLE_DB,
      LINKS: env.LINKS,
    });
    expect(response.status).toBe(302);
    expect(Object.fromEntries(response.headers)).toEqual({
      location: target,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    });
    expect(await response.text()).toBe('');
  });

  it('adds HSTS over https, and nothing else', async () => {
    const { code, target } = await storeLink();
    for (const source of ['KV', 'memory']) {
      const response = await call(
        `https://localhost:8787/${code}`,
        {},
        { ...QUICK, LINK_MEMORY_MS: '5000' },
      );
      expect(Object.fromEntries(response.headers), source).toEqual({
        location: target,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        'strict-transport-security': 'max-age=31536000',
      });
    }
  });

  it('returns each link its own target, again and again over both schemes', async () => {
    const links = [await storeLink(), await storeLink()];
    const { default: running } = exports;
    for (let time = 0; time < 3; time++)
      for (const origin of [ORIGIN, 'https://localhost:8787']) {
        // Both at once. HEAD, because a click would open a window in the background of another
        // test.
        const asked = links.map(({ code }) =>
          running.fetch(`${origin}/${code}`, { method: 'HEAD', redirect: 'manual' }),
        );
        for (const [i, response] of (await Promise.all(asked)).entries()) {
          expect([response.status, response.headers.get('Location')]).toEqual([
            302,
            links[i]?.target,
          ]);
          expect(response.headers.has('Strict-Transport-Security')).toBe(
            origin.startsWith('https:'),
          );
        }
      }
  });

  it('answers /{code}/ like /{code}, and counts it once', async () => {
    const { code, target } = await storeLink();
    for (const path of [`/${code}/`, `/${code}//?q=1`]) {
      sent = [];
      const response = await call(path, {}, { ...QUICK, DB: UNTOUCHABLE_DB });
      expect([response.status, response.headers.get('Location'), sent.length], path).toEqual([
        302,
        target,
        1,
      ]);
    }
    expect((await call(`/${code}/x`, {}, QUICK)).status).toBe(404);
  });

  it('redirects to the new target after a change', async () => {
    const { code, id } = await storeLink();
    await call(`/${code}`, {}, QUICK);
    await env.DB.prepare(
      "UPDATE links SET target = 'https://example.com/new', version = version + 1 WHERE id = ?",
    )
      .bind(id)
      .run();
    await publishLinks(env, [id], Date.now());
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe(
      'https://example.com/new',
    );
  });

  it('sends the click to the queue as bounded plain facts', async () => {
    const { code, id } = await storeLink();
    const headers = {
      'User-Agent': `Mozilla/5.0 "quoted" ${'x'.repeat(1000)}`,
      Referer: 'https://News.Example.com:8443/path?secret=1',
      'CF-Connecting-IP': '2001:db8:1:2:3:4:5:6',
      'Sec-Purpose': 'prefetch;prerender',
    };
    await call(
      `/${code}`,
      { headers, cf: { country: 'IN', region: 'Karnataka', city: 'Bengaluru' } },
      QUICK,
    );
    expect(sent).toHaveLength(1);
    const [window] = sent;
    expect(window?.e).toHaveLength(1);
    expect(window?.e[0]).toMatchObject({
      l: id,
      p: 1,
      r: 'news.example.com',
      c: 'IN',
      g: 'Karnataka',
      y: 'Bengaluru',
    });
    expect(window?.e[0]?.ua).toHaveLength(400);
    expect(window?.e[0]?.k).toMatch(/^[\w+/]{16}$/);
    expect(JSON.stringify(window)).not.toContain('2001:');
  });

  it('marks a scan of the QR code, reads no D1 for it and does not pass the mark on', async () => {
    const { code, target } = await storeLink();
    const response = await call(
      `/${code}?qr=1`,
      {},
      { ...QUICK, DB: UNTOUCHABLE_DB, LINKS: env.LINKS },
    );
    expect(response.headers.get('Location')).toBe(target);
    await call(`/${code}`, {}, QUICK);
    expect(sent.map(({ e }) => e[0]?.q)).toEqual([1, undefined]);
  });

  it('adds the parameters that the link passes on, from KV and from memory', async () => {
    const { code } = await storeLink({
      target: 'https://example.com/p?a=1#x',
      forwardParams: 'utm_source,ref,a',
    });
    const over = { ...QUICK, LINK_MEMORY_MS: '5000', DB: UNTOUCHABLE_DB, LINKS: env.LINKS };
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await call(
        `/${code}?utm_source=mail&ref=b&a=2&other=3&qr=1`,
        { method },
        over,
      );
      expect(response.status).toBe(302);
      expect(response.headers.get('Location')).toBe(
        'https://example.com/p?a=1&utm_source=mail&ref=b#x',
      );
    }
    expect(sent.map(({ e }) => [e[0]?.q, e[0]?.u])).toEqual([
      [1, 'mail||'],
      [1, 'mail||'],
    ]);
  });

  it.each([{ 'Sec-GPC': '1' }, { DNT: '1' }])(
    '[T33] assigns no visitor id to a visitor who opts out: %o',
    async (optOut) => {
      const { code } = await storeLink();
      await call(`/${code}`, { headers: { 'CF-Connecting-IP': '203.0.113.9', ...optOut } }, QUICK);
      expect(sent[0]?.e[0]?.k).toBe('');
    },
  );

  it('assigns a visitor one id per link and day', async () => {
    const [one, two] = [await storeLink(), await storeLink()];
    const visit = async (code: string, ip: string) => {
      await call(`/${code}`, { headers: { 'CF-Connecting-IP': ip, 'User-Agent': 'A' } }, QUICK);
      return sent.at(-1)?.e[0]?.k;
    };
    const id = await visit(one.code, '2001:db8:1:2::1');
    expect(await visit(one.code, '2001:db8:1:2:ffff::1')).toBe(id);
    expect(await visit(one.code, '2001:db8:1:3::1')).not.toBe(id);
    expect(await visit(two.code, '2001:db8:1:2::1')).not.toBe(id);
  });

  it('responds before it sends the click', async () => {
    const { code } = await storeLink();
    let hasResponded = false;
    let wasSentAfterResponse: boolean | null = null;
    const noting = withMethods(env.CLICKS, {
      send: () => ((wasSentAfterResponse = hasResponded), Promise.resolve()),
    });
    const ctx = createExecutionContext();
    const response = await worker.fetch(
      new Request(`${ORIGIN}/${code}`),
      { ...env, ...QUICK, CLICKS: noting },
      ctx,
    );
    hasResponded = true;
    expect(response.status).toBe(302);
    expect(wasSentAfterResponse).toBeNull();
    await waitOnExecutionContext(ctx);
    expect(wasSentAfterResponse).toBe(true);
  });

  it('[T37] reads D1 if KV has no record, and backfills KV', async () => {
    const { code, id, target } = await storeLink({
      isPublished: false,
      updatedAt: Date.now() - 600_000,
    });
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe(target);
    expect(await env.LINKS.get(code)).toBe(
      encodeEdgeRecord({ v: 1, i: id, s: 'a', u: target, e: 0 }),
    );
    expect((await call(`/${code}`, {}, { ...QUICK, DB: UNTOUCHABLE_DB })).status).toBe(302);
  });

  it('writes nothing to KV after a read of KV that failed', async () => {
    const { code, target } = await storeLink({
      isPublished: false,
      updatedAt: Date.now() - 600_000,
    });
    const puts: string[] = [];
    const LINKS = aroundKv(env.LINKS, (name, run) => {
      if (name === 'kv.get') return Promise.reject(new Error('KV is down'));
      puts.push(name);
      return run();
    });
    const response = await call(`/${code}`, {}, { ...QUICK, LINKS });
    expect(response.headers.get('Location')).toBe(target);
    expect(puts).toEqual([]);
  });

  it.each([
    ['is left to the outbox', 120_000, false],
    ['is backfilled', 120_001, true],
  ])('a link that KV lacks %s %i ms after its change', async (_, age, isBackfilled) => {
    const { code } = await storeLink({ isPublished: false, updatedAt: Date.now() - age });
    expect((await call(`/${code}`, {}, QUICK)).status).toBe(302);
    expect((await env.LINKS.get(code)) !== null).toBe(isBackfilled);
  });

  it.each([
    '',
    'garbage',
    '{"v":1}',
    '[]',
    '{"v":9,"i":1,"s":"a","u":"javascript:alert(1)","e":0}',
    '{"v":9,"i":1,"s":"a","u":"https://e.com/\\r\\nX: y","e":0}',
  ])('[T12] replaces a KV value that Hop did not write: %s', async (value) => {
    const { code, target } = await storeLink({ isPublished: false, updatedAt: 1 });
    await env.LINKS.put(code, value);
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe(target);
    expect(await env.LINKS.get(code)).toContain(target);
  });
});

describe('other methods on /{code}', () => {
  it('[T36] HEAD returns the same redirect and is not counted', async () => {
    const { code, target } = await storeLink();
    const response = await call(`/${code}`, { method: 'HEAD' }, QUICK);
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toBe(target);
    expect(sent).toHaveLength(0);
  });

  it('returns 405 with Allow for any other method, remembered or not', async () => {
    const { code } = await storeLink();
    const remembering = { ...QUICK, LINK_MEMORY_MS: '5000' };
    await call(`/${code}`, { method: 'HEAD' }, remembering);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await call(`/${code}`, { method }, remembering);
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET, HEAD');
    }
    expect(sent).toHaveLength(0);
  });
});
