import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { hasRoomInQueue } from '#worker/auth/password/hash-queue.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';

const TARGET = 'https://secret.example/page';
const sent: { e: { l: number }[] }[] = [];
const OVER = {
  CLICKS: withMethods(env.CLICKS, {
    send: (message: { e: { l: number }[] }) => {
      sent.push(message);
      return Promise.resolve();
    },
  }),
  CLICK_WINDOW_MS: '1',
  LINK_MEMORY_MS: '0',
};
const clicksOn = (id: number): number =>
  sent.flatMap(({ e }) => e).filter(({ l }) => l === id).length;

const store = async (password = 'open sesame', more = {}) =>
  storeLink({ target: TARGET, password: (await hashPassword(null, password)) ?? '', ...more });

type Sent = {
  address?: string;
  headers?: Record<string, string>;
  query?: string;
  over?: Partial<Env>;
};
const enter = (code: string, password: string, { address, headers, query = '', over }: Sent = {}) =>
  call(
    `/${code}${query}`,
    {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'CF-Connecting-IP': address ?? '203.0.113.1',
        ...headers,
      },
      body: new URLSearchParams({ password }).toString(),
    },
    { ...OVER, ...over },
  );
const cookieOf = (response: Response): string =>
  (response.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
const everything = async (response: Response): Promise<string> =>
  (await response.text()) + JSON.stringify([...response.headers]);

describe('a link with a password', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it('[T73] shows no destination before the password, from D1, KV and memory', async () => {
    const { code } = await store('pass', {
      rules: [{ if: { country: ['BR'] }, to: 'https://secret.example/br' }],
      fallbackUrl: 'https://secret.example/after',
      variants: [{ url: 'https://secret.example/b', weight: 30 }],
      isPublished: false,
    });
    const requests: [string, RequestInit][] = ['', '+'].flatMap((end) =>
      [
        { headers: { Accept: 'text/html' } },
        { headers: { Accept: 'application/json' } },
        { method: 'HEAD' },
        { headers: { 'User-Agent': 'Twitterbot/1.0' } },
        { headers: { 'Sec-Purpose': 'prefetch' } },
      ].map((init): [string, RequestInit] => [`/${code}${end}`, init]),
    );
    for (const memory of ['0', '5000', '5000'])
      for (const [path, init] of [
        ...requests,
        [`/api/qr/${code}`, {}] as const,
        [`/api/public/links/${code}`, {}] as const,
      ]) {
        const response = await call(path, init, { ...OVER, LINK_MEMORY_MS: memory });
        expect(await everything(response), path).not.toContain('secret.example');
        expect(response.headers.has('Location'), path).toBe(false);
      }
  });

  it('asks with a page that is neither cached nor indexed', async () => {
    const { code } = await store();
    const response = await call(`/${code}?x=1`, {}, OVER);
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(response.headers.get('Content-Security-Policy')).toContain('form-action http: https:;');
    expect(await response.text()).toMatch(/<form method="post">.*<label for="password">/s);
  });

  it('a wrong password gets the page again, a right one a counted 303 by the rules', async () => {
    const rules = [{ if: { query: ['ref'] }, to: 'https://secret.example/rule' }];
    const { code, id } = await store('Ünïcode pass', { rules, redirectStatus: 301 });
    const wrong = await enter(code, 'unicode pass');
    expect(wrong.status).toBe(403);
    expect(await everything(wrong)).toContain('That is not the password.');
    expect((await enter(code, '')).status).toBe(403);
    expect(clicksOn(id)).toBe(0);
    const right = await enter(code, 'U\u0308n\u0131\u0308code pass'.replace('\u0131', 'i'), {
      query: '?ref=1',
    });
    expect([right.status, right.headers.get('Location')]).toEqual([
      303,
      'https://secret.example/rule',
    ]);
    expect(clicksOn(id)).toBe(1);
    expect(right.headers.get('Set-Cookie')).toMatch(
      new RegExp(`; Path=/${code}; Max-Age=3600; HttpOnly; SameSite=Lax(; Secure)?$`),
    );
    const again = await call(
      `/${code}`,
      { headers: { Cookie: `a=b; ${cookieOf(right)}` } },
      { ...OVER, DB: UNTOUCHABLE_DB },
    );
    expect([again.status, again.headers.get('Location')]).toEqual([301, TARGET]);
    expect(clicksOn(id)).toBe(2);
  });

  it('a cookie is of one link, one password and one hour, and passes no prefetch', async () => {
    const { code, id } = await store('first');
    const other = await store('first');
    const Cookie = cookieOf(await enter(code, 'first'));
    const statusOf = async (
      path: string,
      init: { method?: string; headers?: Record<string, string> } = {},
    ) => (await call(path, { ...init, headers: { Cookie, ...init.headers } }, OVER)).status;
    expect(await statusOf(`/${code}`)).toBe(302);
    expect(await statusOf(`/${code}`, { method: 'HEAD' })).toBe(200);
    expect(await statusOf(`/${code}`, { headers: { 'Sec-Purpose': 'prefetch' } })).toBe(200);
    expect(await statusOf(`/${other.code}`)).toBe(200);
    expect(await statusOf(`/${code}`, { headers: { Cookie: Cookie.replace(/.$/, '_') } })).toBe(
      200,
    );
    const later = Date.now() + HOUR_MS;
    const longer = Cookie.replace(/=\d+/, `=${later + 1}`);
    expect(await statusOf(`/${code}`, { headers: { Cookie: longer } })).toBe(200);
    vi.setSystemTime(later - 1);
    expect(await statusOf(`/${code}`)).toBe(302);
    vi.setSystemTime(later);
    expect(await statusOf(`/${code}`)).toBe(200);
    vi.setSystemTime(later - 1);
    await env.DB.prepare('UPDATE links SET password_hash = ?, version = version + 1 WHERE id = ?')
      .bind(await hashPassword(null, 'first'), id)
      .run();
    await env.LINKS.delete(code);
    expect(await statusOf(`/${code}`)).toBe(200);
  });

  it('ten wrong passwords of a network stop it for that link, and nobody else', async () => {
    const { code } = await store('right');
    const other = await store('right');
    for (let at = 0; at < 10; at += 1)
      expect((await enter(code, `wrong ${at}`, { address: '2001:db8:1::1' })).status).toBe(403);
    const limited = await enter(code, 'right', { address: '2001:db8:1:2::1' });
    expect(limited.status).toBe(429);
    expect(limited.headers.get('Retry-After')).toBe('900');
    expect(await everything(limited)).toContain('Try again in 15 minutes.');
    expect((await enter(code, 'right', { address: '203.0.113.9' })).status).toBe(303);
    expect((await enter(other.code, 'right', { address: '2001:db8:1::1' })).status).toBe(303);
    vi.setSystemTime(Date.now() + 15 * MINUTE_MS);
    expect((await enter(code, 'right', { address: '2001:db8:1::1' })).status).toBe(303);
    const LIMIT_MISSES = { limit: () => Promise.resolve({ success: false }) };
    const busy = await enter(code, 'right', { over: { LIMIT_MISSES } });
    expect([busy.status, busy.headers.get('Retry-After')]).toEqual([429, '60']);
  });

  it('[T73] a flood from many networks leaves sign-ins and visitors their place', async () => {
    const { code } = await store('right');
    const flood = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          enter(code, `wrong ${at}`, { address: `198.51.100.${at}` }),
        ),
      );
    const statuses = (all: Response[]) =>
      [403, 503].filter((one) => all.some(({ status }) => status === one));
    let isCrowded = false;
    const watch = setInterval(() => (isCrowded ||= !hasRoomInQueue(4)), 1);
    expect(statuses(await flood())).toEqual([403, 503]);
    clearInterval(watch);
    expect(isCrowded).toBe(false);
    expect((await enter(code, 'right')).status).toBe(303);
    const [answers, visitor] = await Promise.all([flood(), enter(code, 'right')]);
    expect([visitor.status, statuses(answers)]).toEqual([303, [403]]);
    for (let at = 0; at < 10; at += 1) await enter(code, 'wrong', { address: '198.51.100.1' });
    expect((await enter(code, 'right', { address: '198.51.100.1' })).status).toBe(429);
  });

  it('refuses a foreign form, a long body and a form for any other link', async () => {
    const { code } = await store('right');
    for (const Origin of ['https://evil.example', 'null'])
      expect((await enter(code, 'right', { headers: { Origin } })).status).toBe(403);
    expect((await enter(code, `right${' '.repeat(3_000)}`)).status).toBe(403);
    expect((await enter(code, 'right', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(
      405,
    );
    const open = await storeLink();
    expect((await enter(open.code, 'right')).status).toBe(405);
    const long = '東'.repeat(100);
    expect((await enter((await store(long)).code, long)).status).toBe(303);
  });
});
