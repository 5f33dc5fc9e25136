import { startOfDay, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { rankLinksIn } from './prefix-report.ts';

const shorten = async (
  { headers }: Person,
  path: string,
): Promise<{ code: string; id: number }> => {
  const made = await call('/api/shorten', {
    json: { longUrl: `https://example.com/${path}` },
    headers,
  });
  const { code } = await made.json<{ code: string }>();
  const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?')
    .bind(code)
    .first<number>('id');
  return { code, id: id ?? 0 };
};
const overview = async ({ headers }: Person, query = ''): Promise<OverviewResponse> =>
  (await call(`/api/analytics${query}`, { headers })).json();

describe('GET /api/analytics', () => {
  it('sums up the clicks on a member’s links as their plan includes them', async () => {
    const now = Date.now();
    const [me, other] = [await makePerson(), await makePerson()];
    expect(await overview(me)).toMatchObject({
      links: 0,
      hasClicks: false,
      analytics: { totalClicks: 0, topLinks: [] },
    });
    const [one, two, foreign] = [
      await shorten(me, 'one'),
      await shorten(me, 'two'),
      await shorten(other, 'three'),
    ];
    const clicks = [
      ...[0, 1, 2].map((day) =>
        makeClick(one.id, { t: now - day * DAY_MS, k: 'v', r: 'news.example' }),
      ),
      ...Array.from({ length: 2 }, () =>
        makeClick(two.id, { t: now, c: 'DE', y: 'Berlin', g: '' }),
      ),
      makeClick(two.id, { t: now - 40 * DAY_MS, c: 'DE' }),
      makeClick(one.id, { t: now, ua: UA_BOT }),
      makeClick(foreign.id, { t: now }),
    ];
    await foldWindows(env.DB, [makeWindow(clicks)], now);
    await env.DB.prepare("UPDATE links SET title = 'First' WHERE id = ?1").bind(one.id).run();
    const basic = await overview(me);
    expect(basic).toMatchObject({
      range: '30d',
      plan: 'free',
      advanced: false,
      links: 2,
      hasClicks: true,
      setAside: { bots: 1, prefetches: 0 },
    });
    expect(Date.parse(basic.countedAt ?? '')).toBe(Date.parse(basic.generatedAt));
    expect(basic.analytics).toEqual({
      totalClicks: 5,
      uniqueClicks: 3,
      activeDays: 3,
      clicksByDate: expect.any(Object),
      visitorsByDate: expect.any(Object),
      clicksByCountry: { IN: 3, DE: 2 },
      clicksByDevice: { Desktop: 5 },
      topLinks: [
        expect.objectContaining({
          code: one.code,
          title: 'First',
          longUrl: 'https://example.com/one',
          clicks: 3,
        }),
        expect.objectContaining({ code: two.code, clicks: 2 }),
      ],
    });
    expect(Object.values(basic.analytics.clicksByDate)).toEqual([1, 1, 3]);
    expect((await overview(me, '?range=90d')).analytics.totalClicks).toBe(6);

    await env.DB.prepare("UPDATE subscriptions SET plan = 'premium' WHERE user_id = ?")
      .bind(me.id)
      .run();
    const full = await overview(me, '?range=7d');
    expect(full.advanced).toBe(true);
    expect(full.analytics.clicksByReferrer).toEqual({ 'news.example': 3, Direct: 2 });
    expect(full.analytics.previousPeriod).toMatchObject({ totalClicks: 0, activeDays: 0 });
    expect((await overview(me, '?range=90d')).analytics.previousPeriod).toBeNull();

    expect(
      (await call(`/api/links/${two.code}`, { method: 'DELETE', headers: me.headers })).status,
    ).toBe(200);
    const after = await overview(me);
    expect(after).toMatchObject({
      links: 1,
      analytics: { totalClicks: 3, clicksByCountry: { IN: 3 } },
    });
    expect(after.analytics.topLinks.map(({ code }) => code)).toEqual([one.code]);
    expect((await overview(other)).analytics.totalClicks).toBe(1);
    expect((await call('/api/analytics?range=48h', { headers: me.headers })).status).toBe(400);
  });

  it('compares with a period whose first day is the first with clicks, and no later', async () => {
    // In the first hour of a day, the period before ends with the day before.
    const now = startOfDay(Date.now()) + DAY_MS / 2;
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const me = await makePerson({ plan: 'premium' });
    const [one, two] = [await shorten(me, 'later'), await shorten(me, 'first')];
    const previous = async () => (await overview(me, '?range=7d')).analytics.previousPeriod;
    const first = startOfDay(now) - 13 * DAY_MS;
    await foldWindows(env.DB, [makeWindow([makeClick(one.id, { t: first + DAY_MS })])], now);
    expect(await previous()).toBeNull();
    await foldWindows(env.DB, [makeWindow([makeClick(two.id, { t: first })])], now);
    expect(await previous()).toMatchObject({
      from: utcDate(first),
      to: utcDate(first + 6 * DAY_MS),
      totalClicks: 2,
    });
  });

  it('leaves deleted links out of the most clicked of the last 24 hours', async () => {
    const now = Date.now();
    const me = await makePerson();
    const [kept, gone] = [await shorten(me, 'kept'), await shorten(me, 'gone')];
    const clicks = [kept, gone].map(({ id }) => makeClick(id, { t: now }));
    await foldWindows(env.DB, [makeWindow(clicks)], now);
    await call(`/api/links/${gone.code}`, { method: 'DELETE', headers: me.headers });
    const top = await rankLinksIn(openDb(env.DB), [gone.id, kept.id], '24h', now);
    expect(top.map(({ code }) => code)).toEqual([kept.code]);
  });
});
