import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { call } from '#worker/testing/call.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import type { ClickWindow } from './click-event.ts';
import { dailyKeyName } from './daily-key.ts';
import { destinationId } from './shares.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';
const VARIANTS = [{ url: B, weight: 50 }];
const NOON = Date.UTC(2031, 4, 5, 12);

let sent: ClickWindow[] = [];
const CLICKS = withMethods(env.CLICKS, {
  send: (window: ClickWindow) => (sent.push(window), Promise.resolve()),
});
const QUICK = { CLICKS, CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '5000' };

const storeKey = (at: number, fill: number): Promise<void> =>
  env.LINKS.put(dailyKeyName(dayNumber(at)), btoa(String.fromCharCode(fill).repeat(32)));

/** Follows a link as the visitor `n`, without D1. */
const follow = (code: string, n: number, init: RequestInit = {}): Promise<Response> => {
  const headers = { 'CF-Connecting-IP': `203.0.113.${n}`, 'User-Agent': 'Mozilla/5.0' };
  return call(
    `/${code}`,
    { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } },
    { ...QUICK, DB: UNTOUCHABLE_DB },
  );
};
const destination = async (...args: Parameters<typeof follow>): Promise<string | null> =>
  (await follow(...args)).headers.get('Location');

const VISITORS = Array.from({ length: 24 }, (_, n) => n);
const destinationsOf = (code: string, init?: RequestInit): Promise<(string | null)[]> =>
  VISITORS.reduce(
    async (before, n) => [...(await before), await destination(code, n, init)],
    Promise.resolve<(string | null)[]>([]),
  );

describe('a link with variants', () => {
  beforeEach(async () => {
    sent = [];
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(NOON);
    await storeKey(NOON, 3);
    await storeKey(NOON + DAY_MS, 4);
    return () => vi.useRealTimers();
  });

  it('gives a visitor the same destination all day, and other visitors another', async () => {
    const { code } = await storeLink({ target: A, variants: VARIANTS });
    const first = await destinationsOf(code);
    expect(new Set(first)).toEqual(new Set([A, B]));
    vi.setSystemTime(NOON + 11 * 3_600_000);
    expect(await destinationsOf(code)).toEqual(first);
    expect(await destinationsOf(code, { method: 'HEAD' })).toEqual(first);
    vi.setSystemTime(NOON + DAY_MS);
    const nextDay = await destinationsOf(code);
    expect(new Set(nextDay)).toEqual(new Set([A, B]));
    expect(nextDay).not.toEqual(first);
  });

  it.each(['Sec-GPC', 'DNT'])('draws for each click of a visitor with %s', async (name) => {
    const { code } = await storeLink({ target: A, variants: VARIANTS });
    const init = { headers: { [name]: '1' } };
    const seen = new Set<string | null>();
    for (let time = 0; time < 40; time++) seen.add(await destination(code, 1, init));
    expect(seen).toEqual(new Set([A, B]));
  });

  it('sends each click with its destination, and that of a plain link without', async () => {
    const { code } = await storeLink({ target: A, variants: VARIANTS });
    const led = await destinationsOf(code);
    const plain = await storeLink({ target: A });
    await follow(plain.code, 1);
    expect(sent.flatMap(({ e }) => e.map(({ d }) => d))).toEqual([
      ...led.map((url) => destinationId(url ?? '')),
      undefined,
    ]);
  });

  it('leads by a matching rule first, and shows cards the default', async () => {
    const rules = [{ if: { query: ['vip'] }, to: 'https://vip.example/' }];
    const { code } = await storeLink({ target: A, variants: [{ url: B, weight: 99 }], rules });
    expect(await destination(`${code}?vip`, 1)).toBe('https://vip.example/');
    const bot = { headers: { 'User-Agent': 'Twitterbot/1.0' } };
    for (const n of VISITORS.slice(0, 8)) expect(await destination(code, n, bot)).toBe(A);
    expect(sent.flatMap(({ e }) => e.map(({ d }) => d))).toEqual(Array(9).fill(undefined));
  });

  it('redirects without the key of the day', async () => {
    vi.setSystemTime(NOON + 400 * DAY_MS);
    const { code } = await storeLink({ target: A, variants: VARIANTS });
    const keyReads: string[] = [];
    const LINKS = withMethods(env.LINKS, {
      get: (key: string, options: KVNamespaceGetOptions<'text'>) => {
        if (key.startsWith('visitor-key:')) keyReads.push(key);
        return env.LINKS.get(key, options);
      },
    });
    const reads: number[] = [];
    for (const ms of [0, 9_999, 1]) {
      vi.setSystemTime(Date.now() + ms);
      const response = await call(`/${code}`, {}, { ...QUICK, LINKS, DB: UNTOUCHABLE_DB });
      expect([A, B]).toContain(response.headers.get('Location'));
      reads.push(keyReads.length);
    }
    expect(reads).toEqual([1, 1, 2]);
  });

  it('loses its variants when its target is cleared', async () => {
    const { id } = await storeLink({ variants: VARIANTS });
    await env.DB.prepare(`UPDATE links SET target = '' WHERE id = ?`).bind(id).run();
    expect(
      await env.DB.prepare('SELECT variants FROM links WHERE id = ?').bind(id).first(),
    ).toEqual({ variants: '' });
  });
});
