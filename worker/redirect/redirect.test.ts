import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishLinks } from '#worker/links/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { withMethods } from '#worker/testing/faults.ts';
import worker from '#worker/index.ts';
import type { ClickWindow } from './click-event.ts';
import { encodeEdgeRecord } from './edge-record.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const NOW = Date.now();
let sent: ClickWindow[] = [];
const CLICKS = withMethods(env.CLICKS, { send: (window: ClickWindow) => (sent.push(window), Promise.resolve()) });
const QUICK = { CLICKS, CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };
const UNTOUCHABLE = withMethods(env.DB, {
  prepare: () => {
    throw new Error('D1 was touched');
  },
});
let serial = 0;

type Given = { target?: string; status?: string; reason?: string; expires?: number; publish?: boolean; changed?: number };

async function makeLink({ target, status = 'active', reason, expires, publish = true, changed = NOW }: Given = {}): Promise<{
  code: string;
  id: number;
  target: string;
}> {
  const code = `code-${++serial}`;
  const href = target ?? `https://example.com/${code}?a=1&b=%C3%BC#part`;
  const row = await env.DB.prepare(
    `INSERT INTO links (code, target, target_host, status, disabled_reason, expires_at, created_at, updated_at)
     VALUES (?1, ?2, 'example.com', ?3, ?4, ?5, ?6, ?6) RETURNING id`,
  )
    .bind(code, href, status, reason ?? null, expires ?? null, changed)
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  if (publish) await publishLinks(env, [id], NOW);
  return { code, id, target: href };
}

beforeEach(() => {
  sent = [];
});

describe('GET /{code}', () => {
  it('answers as decision 15 says, from KV alone', async () => {
    const { code, target } = await makeLink();
    const response = await call(
      `/${code}?ignored=1`,
      { headers: { 'Sec-Fetch-Mode': 'navigate' } },
      { ...QUICK, DB: UNTOUCHABLE, LINKS: env.LINKS },
    );
    expect(response.status).toBe(302);
    expect(Object.fromEntries(response.headers)).toEqual({
      location: target,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': SECURITY_HEADERS['Permissions-Policy'],
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe('');
  });

  it('says HSTS over https', async () => {
    const { code } = await makeLink();
    const response = await call(`https://hop.example/${code}`, {}, QUICK);
    expect(response.headers.get('Strict-Transport-Security')).toMatch(/max-age=31536000/);
  });

  it('gives the kept answer again, whole and each link its own, in turn over both schemes', async () => {
    const [one, two] = [await makeLink(), await makeLink()];
    const { default: running } = exports;
    for (let time = 0; time < 3; time++)
      for (const { code, target } of [one, two])
        for (const origin of [ORIGIN, 'https://hop.example']) {
          // HEAD, because a click would open a window that belongs to no test.
          const response = await running.fetch(`${origin}/${code}`, { method: 'HEAD', redirect: 'manual' });
          expect([response.status, response.headers.get('Location')]).toEqual([302, target]);
          expect(response.headers.has('Strict-Transport-Security')).toBe(origin.startsWith('https:'));
          expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
        }
  });

  it('gives the new answer after the target has changed', async () => {
    const { code, id } = await makeLink();
    await call(`/${code}`, {}, QUICK);
    await env.DB.prepare("UPDATE links SET target = 'https://example.com/new', version = version + 1 WHERE id = ?")
      .bind(id)
      .run();
    await publishLinks(env, [id], NOW);
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe('https://example.com/new');
  });

  it('sends the click as bounded plain facts', async () => {
    const { code, id } = await makeLink();
    const headers = {
      'User-Agent': `Mozilla/5.0 "quoted" ${'x'.repeat(1000)}`,
      Referer: 'https://News.Example.com:8443/path?secret=1',
      'CF-Connecting-IP': '2001:db8:1:2:3:4:5:6',
      'Sec-Purpose': 'prefetch;prerender',
    };
    await call(`/${code}`, { headers, cf: { country: 'IN', region: 'Karnataka', city: 'Bengaluru' } }, QUICK);
    expect(sent).toHaveLength(1);
    const [window] = sent;
    expect(window?.e).toHaveLength(1);
    expect(window?.e[0]).toMatchObject({ l: id, p: 1, r: 'news.example.com', c: 'IN', g: 'Karnataka', y: 'Bengaluru' });
    expect(window?.e[0]?.ua).toHaveLength(400);
    expect(window?.e[0]?.k).toMatch(/^[\w+/]{16}$/);
    expect(JSON.stringify(window)).not.toContain('2001');
  });

  it.each([{ 'Sec-GPC': '1' }, { DNT: '1' }])('keeps no visitor key where the visitor asks so: %o', async (asked) => {
    const { code } = await makeLink();
    await call(`/${code}`, { headers: { 'CF-Connecting-IP': '203.0.113.9', ...asked } }, QUICK);
    expect(sent[0]?.e[0]?.k).toBe('');
  });

  it('gives one visitor of one link one key a day, and other links others', async () => {
    const [one, two] = [await makeLink(), await makeLink()];
    const visit = async (code: string, ip: string) => {
      await call(`/${code}`, { headers: { 'CF-Connecting-IP': ip, 'User-Agent': 'A' } }, QUICK);
      return sent.at(-1)?.e[0]?.k;
    };
    const key = await visit(one.code, '2001:db8:1:2::1');
    expect(await visit(one.code, '2001:db8:1:2:ffff::1')).toBe(key);
    expect(await visit(one.code, '2001:db8:1:3::1')).not.toBe(key);
    expect(await visit(two.code, '2001:db8:1:2::1')).not.toBe(key);
  });

  it('answers HEAD the same and does not count it', async () => {
    const { code, target } = await makeLink();
    const response = await call(`/${code}`, { method: 'HEAD' }, QUICK);
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toBe(target);
    expect(sent).toHaveLength(0);
  });

  it('asks D1 where KV has nothing, and puts the copy back', async () => {
    const { code, id, target } = await makeLink({ publish: false, changed: NOW - 600_000 });
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe(target);
    expect(await env.LINKS.get(code)).toBe(encodeEdgeRecord({ v: 1, i: id, s: 'a', u: target, e: 0 }));
    expect((await call(`/${code}`, {}, { ...QUICK, DB: UNTOUCHABLE })).status).toBe(302);
  });

  it('leaves the copy of a link that has just changed to the outbox', async () => {
    const { code } = await makeLink({ publish: false });
    expect((await call(`/${code}`, {}, QUICK)).status).toBe(302);
    expect(await env.LINKS.get(code)).toBeNull();
  });

  it.each([
    '',
    'garbage',
    '{"v":1}',
    '[]',
    '{"v":9,"i":1,"s":"a","u":"javascript:alert(1)","e":0}',
    '{"v":9,"i":1,"s":"a","u":"https://e.com/\\r\\nX: y","e":0}',
  ])('believes no copy that it did not write: %s', async (copy) => {
    const { code, target } = await makeLink({ publish: false });
    await env.LINKS.put(code, copy);
    expect((await call(`/${code}`, {}, QUICK)).headers.get('Location')).toBe(target);
  });

  it('answers 405 to other methods, with what is allowed', async () => {
    const { code } = await makeLink();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await call(`/${code}`, { method }, { ...QUICK, LINK_MEMORY_MS: '5000' });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('GET, HEAD');
    }
    expect(sent).toHaveLength(0);
  });
});

describe('where there is no redirect', () => {
  const json = { headers: { Accept: 'application/json' } };

  it('is 404 for an unknown code, and without asking storage for what can be none', async () => {
    const response = await call('/nothing-here', {}, QUICK);
    expect(response.status).toBe(404);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'; style-src 'nonce-[\w-]+'/);
    expect(await response.text()).toContain('<h1>There is no link here</h1>');
    const none = withMethods(env.LINKS, { get: () => Promise.reject(new Error('KV was touched')) });
    for (const path of ['/a/b', '/%00', '/code.php', '/ünï', `/${'a'.repeat(21)}`, '/<script>', '/a%2Fb'])
      expect((await call(path, {}, { ...QUICK, LINKS: none, DB: UNTOUCHABLE })).status, path).toBe(404);
  });

  it('is 410 for what was disabled, with the reason and the way to complain', async () => {
    const { code } = await makeLink({ status: 'disabled', reason: 'Reported as <b>phishing</b>.' });
    const page = await call(`/${code}`, {}, QUICK);
    expect(page.status).toBe(410);
    const html = await page.text();
    expect(html).toContain('Reported as &lt;b&gt;phishing&lt;/b&gt;.');
    expect(html).toContain(`href="/report?code=${code}"`);
    const data = await call(`/${code}`, json, QUICK);
    expect(data.status).toBe(410);
    expect(await data.json()).toMatchObject({ code: 'gone', error: 'This link is switched off: Reported as <b>phishing</b>.' });
    expect(sent).toHaveLength(0);
  });

  it('is 410 for what was deleted or has ended, in KV and in D1', async () => {
    for (const publish of [true, false]) {
      const deleted = await makeLink({ status: 'deleted', publish });
      expect((await call(`/${deleted.code}`, {}, QUICK)).status).toBe(410);
      const ended = await makeLink({ expires: NOW - 1, publish });
      expect((await call(`/${ended.code}`, {}, QUICK)).status).toBe(410);
      const later = await makeLink({ expires: NOW + 600_000, publish });
      expect((await call(`/${later.code}`, {}, QUICK)).status).toBe(302);
    }
  });

  it('speaks the one error shape to clients that ask for JSON', async () => {
    const response = await call('/nothing-here', json, QUICK);
    expect(response.headers.get('Content-Type')).toMatch('application/json');
    expect(await response.json()).toEqual({ error: 'There is no link here.', code: 'not_found', requestId: expect.any(String) });
  });

  it('limits the misses of one network, and asks D1 nothing more for it', async () => {
    const from = (ip: string) => ({ headers: { 'CF-Connecting-IP': ip } });
    let asked = 0;
    const LIMIT_MISSES = {
      limit: ({ key }: { key: string }) => Promise.resolve({ success: key !== 'miss:203.0.113.77' || ++asked <= 3 }),
    };
    const seen: number[] = [];
    for (let i = 0; i < 5; i++) seen.push((await call(`/miss-${i}`, from('203.0.113.77'), { ...QUICK, LIMIT_MISSES })).status);
    expect(seen).toEqual([404, 404, 404, 429, 429]);
    expect(asked).toBe(4);
    const limited = await call('/miss-9', from('203.0.113.77'), { ...QUICK, LIMIT_MISSES, DB: UNTOUCHABLE });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await call('/miss-9', from('203.0.113.78'), { ...QUICK, LIMIT_MISSES })).status).toBe(404);
  });
});

describe('the memory of an isolate', () => {
  const counting = () => {
    let reads = 0;
    const LINKS = withMethods(env.LINKS, {
      get: (...given: Parameters<KVNamespace['get']>) => (reads++, env.LINKS.get(...given)),
    });
    return { LINKS, reads: () => reads };
  };

  it('answers without storage, and counts', async () => {
    const { code, target } = await makeLink();
    const { LINKS, reads } = counting();
    const on = { ...QUICK, LINKS, LINK_MEMORY_MS: '5000' };
    for (let i = 0; i < 3; i++) expect((await call(`/${code}`, {}, on)).headers.get('Location')).toBe(target);
    expect(reads()).toBe(1);
    expect(sent.flatMap((window) => window.e)).toHaveLength(3);
    expect((await call(`/${code}`, { method: 'HEAD' }, on)).status).toBe(302);
    expect(sent.flatMap((window) => window.e)).toHaveLength(3);
  });

  it('is off at 0', async () => {
    const { code } = await makeLink();
    const { LINKS, reads } = counting();
    for (let i = 0; i < 3; i++) await call(`/${code}`, {}, { ...QUICK, LINKS });
    expect(reads()).toBe(3);
  });

  it('learns at once of a change made through the same isolate', async () => {
    const { code, id } = await makeLink();
    const on = { ...QUICK, LINK_MEMORY_MS: '5000' };
    await call(`/${code}`, {}, on);
    await env.DB.prepare(`UPDATE links SET status = 'disabled', version = version + 1 WHERE id = ?`).bind(id).run();
    await publishLinks(env, [id], NOW);
    expect((await call(`/${code}`, {}, on)).status).toBe(410);
  });

  it('asks D1 once for a code that is not there, and forgets the miss when the code is made here', async () => {
    const on = { ...QUICK, LINK_MEMORY_MS: '5000' };
    const next = `code-${serial + 1}`;
    expect((await call(`/${next}`, {}, on)).status).toBe(404);
    expect((await call(`/${next}`, {}, { ...on, DB: UNTOUCHABLE })).status).toBe(404);
    await makeLink();
    expect((await call(`/${next}`, {}, on)).status).toBe(302);
  });
});

it('answers before anything of the click happens', async () => {
  const { code } = await makeLink();
  let answered = false;
  let sentAfterAnswer: boolean | null = null;
  const slow = withMethods(env.CLICKS, { send: () => ((sentAfterAnswer = answered), Promise.resolve()) });
  const ctx = createExecutionContext();
  const response = await worker.fetch(new Request(`${ORIGIN}/${code}`), { ...env, ...QUICK, CLICKS: slow }, ctx);
  answered = true;
  expect(response.status).toBe(302);
  expect(sentAfterAnswer).toBeNull();
  await waitOnExecutionContext(ctx);
  expect(sentAfterAnswer).toBe(true);
});
