import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountAnalytics, LinkAnalytics } from '#contract/v1/v1-analytics.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makeClick, makeWindow, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

const DAY = 86_400_000;
const now = Date.now();

async function linkWithClicks(holder: KeyHolder): Promise<string> {
  const json = { url: 'https://example.com' };
  const { id } = await (await send(holder, 'POST /links', { json })).json<V1Link>();
  const link = await numberOf(id);
  const at = (t: number, facts = {}) => makeClick(link, { t, ...facts });
  const clicks = [at(now), at(now), at(now - DAY, { g: '', y: '' }), at(now, { p: 1 })];
  await foldWindows(env.DB, [makeWindow(clicks)], now);
  return id;
}

describe('GET /api/v1/links/:id/analytics', () => {
  let premium: KeyHolder;
  let free: KeyHolder;
  let ids: string[];
  beforeAll(async () => {
    premium = await makeKey();
    free = await makeKey({ person: await makePerson() });
    ids = [await linkWithClicks(premium), await linkWithClicks(free)];
  });
  const read = (query: string, holder = premium, id = ids[0]) =>
    send(holder, `GET /links/${id}/analytics?${query}`);

  it('names a city with its region and country, without an unknown region', async () => {
    const { dimensions } = await (await read('dimensions=city')).json<LinkAnalytics>();
    expect(dimensions).toEqual({
      city: expect.arrayContaining([
        { value: 'Bengaluru, KA, IN', clicks: 2 },
        { value: 'Unknown, IN', clicks: 1 },
      ]),
    });
  });

  it('counts by hour, by day and by month, which begins with its first day', async () => {
    const seriesOf = async (interval: string) =>
      (await (await read(`range=7d&interval=${interval}`)).json<LinkAnalytics>()).series;
    const startOf = (ms: number, length: number) =>
      `${new Date(ms).toISOString().slice(0, length)}${'-01T00:00:00.000Z'.slice(length - 7)}`;
    expect(await seriesOf('day')).toEqual(
      expect.arrayContaining([
        { start: startOf(now - DAY, 10), clicks: 1 },
        { start: startOf(now, 10), clicks: 2 },
      ]),
    );
    const months = await seriesOf('month');
    expect(months.map(({ start }) => start)).toContain(startOf(now, 7));
    expect(months.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(3);
    expect(await seriesOf('hour')).toContainEqual({
      start: `${new Date(now).toISOString().slice(0, 13)}:00:00.000Z`,
      clicks: 2,
    });
  });

  it('counts prefetches apart, and shows every dimension unless some are named', async () => {
    const report = await (await read('')).json<LinkAnalytics>();
    expect(report).toMatchObject({ range: '30d', interval: 'day', prefetches: 1, bots: 0 });
    expect(report.totals.clicks).toBe(3);
    expect(Object.keys(report.dimensions)).toHaveLength(9);
    expect(
      Object.keys((await (await read('', free, ids[1])).json<LinkAnalytics>()).dimensions),
    ).toEqual(['country', 'device']);
  });

  it('a report has each figure under its name, and compares with the period before', async () => {
    const holder = await makeKey();
    const json = { url: 'https://example.com' };
    const { id } = await (await send(holder, 'POST /links', { json })).json<V1Link>();
    const link = await numberOf(id);
    await env.DB.prepare('UPDATE links SET created_at = ?1 WHERE id = ?2')
      .bind(now - 100 * DAY, link)
      .run();
    const at = (daysAgo: number, facts = {}) =>
      makeClick(link, { t: now - daysAgo * DAY, ...facts });
    const clicks = [
      at(0, { k: 'a' }),
      at(1, { k: 'b' }),
      at(1, { k: 'b', ua: UA_IPHONE, r: 'news.example' }),
    ];
    const before = [at(10, { k: 'c' }), at(10, { k: 'c' }), at(11, { k: 'd' }), at(12, { k: 'e' })];
    const others = [at(0, { ua: UA_BOT }), at(0, { ua: UA_BOT }), at(0, { p: 1 })];
    await foldWindows(env.DB, [makeWindow([...clicks, ...before, ...others])], now);
    const report = await (await read('range=7d', holder, id)).json<LinkAnalytics>();
    expect(report).toMatchObject({
      totals: { clicks: 3, visitors: 2, activeDays: 2 },
      bots: 2,
      prefetches: 1,
      // The current hour is not compared.
      previousPeriod: {
        clicks: 4,
        visitors: 3,
        activeDays: 3,
        current: { clicks: 2, visitors: 1, activeDays: 1 },
      },
    });
    const { browser, os, referrer } = report.dimensions;
    expect([browser, os, referrer].map((some) => some?.map(({ value }) => value))).toEqual([
      ['Chrome', 'Mobile Safari'],
      ['Windows', 'iOS'],
      ['Direct', 'news.example'],
    ]);
    const account = await send(holder, 'GET /analytics?range=7d');
    const { countedAt, generatedAt, ...figures } = await account.json<AccountAnalytics>();
    expect(figures).toMatchObject({
      links: 1,
      totals: { clicks: 3, visitors: 2, bots: 2, prefetches: 1 },
      topLinks: [{ linkId: id, clicks: 3 }],
    });
    expect(countedAt).toBe(generatedAt);
  });

  it('rejects a list of dimensions of which one is unknown', async () => {
    for (const names of ['country,county', 'county,country', 'country,'])
      expect((await read(`dimensions=${names}`)).status, names).toBe(400);
  });

  it.each(['dimensions=city', 'dimensions=country,browser', 'interval=hour'])(
    'on the free plan %s needs an upgrade',
    async (query) => {
      const response = await read(query, free, ids[1]);
      const { code, detail } = await response.json<{ code: string; detail: string }>();
      expect([response.status, code]).toEqual([402, 'payment_required']);
      expect(detail).toContain(query.split('=')[0]);
    },
  );
});
