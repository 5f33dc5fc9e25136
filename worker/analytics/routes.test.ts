import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { RANGES, type AnalyticsResponse } from '#contract/analytics.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const now = Date.now();
let owner: Person;
let other: Person;
let admin: Person;

beforeAll(async () => {
  [owner, other, admin] = await Promise.all([makePerson(), makePerson(), makePerson({ role: 'admin' })]);
  await makeLinks([1, 4], owner.id);
  await makeLinks([2], other.id);
  await makeLinks([3]);
  const clicks = [
    makeClick(1, { t: now - 2 * DAY_MS, k: 'a', r: 'news.example' }),
    makeClick(1, { t: now - 2 * DAY_MS, k: 'a', c: '', g: '', y: '' }),
    makeClick(1, { t: now, k: 'a', c: 'DE', g: 'BE', y: 'Berlin', ua: UA_IPHONE }),
    makeClick(1, { t: now - 40 * DAY_MS, k: 'b' }),
    makeClick(1, { t: now - 40 * DAY_MS, p: 1 }),
    makeClick(1, { t: now, ua: UA_BOT }),
  ];
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

const get = (code: string, person: Person | null, query = '', headers: Record<string, string> = {}) =>
  call(`/api/analytics/${code}${query}`, { headers: { ...person?.headers, ...headers } });

async function report(query = ''): Promise<AnalyticsResponse> {
  const response = await get('link1', owner, query);
  expect(response.status).toBe(200);
  return response.json();
}

describe('GET /api/analytics/:code, access', () => {
  it('answers the owner and an administrator, and 401 without a token', async () => {
    expect((await get('link1', null)).status).toBe(401);
    expect((await get('link1', owner)).status).toBe(200);
    expect((await get('link1', admin)).status).toBe(200);
  });

  it('returns the same 404 for a link of another user, of a visitor and of nobody', async () => {
    const bodies = await Promise.all(
      ['link2', 'link3', 'nothere', '%00'].map(async (code) => {
        const response = await get(code, owner, '', { 'x-user-id': other.id });
        expect(response.status).toBe(404);
        const { error, code: word }: ErrorBody = await response.json();
        return `${word}: ${error}`;
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it('returns 404 for a deleted link to its owner', async () => {
    await env.DB.prepare(`UPDATE links SET status = 'deleted' WHERE id = 4`).run();
    expect((await get('link4', owner)).status).toBe(404);
    expect((await get('link4', admin)).status).toBe(200);
  });
});

describe('GET /api/analytics/:code, report', () => {
  it('counts everything since the link was created by default', async () => {
    const { url, analytics, setAside, range } = await report();
    const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(range).toBe('all');
    expect(url).toMatchObject({
      short_code: 'link1',
      short_url: 'http://localhost:8787/link1',
      long_url: 'https://example.com/1',
    });
    expect(setAside).toEqual({ bots: 1, prefetches: 1 });
    expect(analytics).toMatchObject({ totalClicks: 4, uniqueClicks: 3, activeDays: 3 });
    expect(Object.entries(analytics.clicksByDate)).toEqual([
      [date(now - 40 * DAY_MS), 1],
      [date(now - 2 * DAY_MS), 2],
      [date(now), 1],
    ]);
    expect(Object.entries(analytics.clicksByCountry)).toEqual([
      ['IN', 2],
      ['DE', 1],
      ['Unknown', 1],
    ]);
    expect(analytics.clicksByCity[0]).toEqual({ country: 'IN', region: 'KA', city: 'Bengaluru', clicks: 2 });
    expect(analytics.clicksByDevice).toEqual({ Desktop: 3, Mobile: 1 });
    expect(analytics.clicksByBrowser).toEqual({ Chrome: 3, 'Mobile Safari': 1 });
    expect(analytics.clicksByOs).toEqual({ Windows: 3, iOS: 1 });
    expect(analytics.clicksByReferrer).toEqual({ Direct: 3, 'news.example': 1 });
    expect(Object.values(analytics.clicksByHour)).toEqual([2, 1]);
    expect(analytics.recentClicks[0]).toEqual({
      clicked_at: new Date(now).toISOString(),
      country: 'DE',
      city: 'Berlin',
      device_type: 'Mobile',
      browser: 'Mobile Safari',
      os: 'iOS',
      referrer: 'Direct',
    });
    expect(analytics.recentClicks.length).toBe(3);
  });

  it('counts only the days of a range, today included', async () => {
    expect((await report('?range=30d')).analytics).toMatchObject({ totalClicks: 3, uniqueClicks: 2, activeDays: 2 });
    expect((await report('?range=7d')).analytics.clicksByReferrer).toEqual({ Direct: 2, 'news.example': 1 });
    expect((await report('?range=90d')).setAside).toEqual({ bots: 1, prefetches: 1 });
    expect((await get('link1', owner, '?range=1y')).status).toBe(400);
  });

  it('returns a report for a link without clicks', async () => {
    await makeLinks([5], owner.id);
    const body: AnalyticsResponse = await (await get('link5', owner)).json();
    expect(body.analytics).toMatchObject({ totalClicks: 0, uniqueClicks: 0, activeDays: 0, clicksByDate: {}, recentClicks: [] });
  });

  it('returns 304 for a known ETag until there is a click', async () => {
    for (const range of RANGES) {
      const tag = (await get('link1', owner, `?range=${range}`)).headers.get('ETag') ?? '';
      const again = await get('link1', owner, `?range=${range}`, { 'If-None-Match': `"other", W/${tag}` });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
      expect(again.headers.get('Cache-Control')).toBe('no-store');
      expect((await get('link1', other, `?range=${range}`, { 'If-None-Match': tag })).status).toBe(404);
      await foldWindows(env.DB, [makeWindow([makeClick(1, { t: now, ua: UA_BOT })])], now);
      expect((await get('link1', owner, `?range=${range}`, { 'If-None-Match': tag })).status).toBe(200);
    }
  });
});
