import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalyticsResponse, FullReport } from '#contract/reports/analytics.ts';
import { periodOf, RANGES, type Range } from '#contract/reports/ranges.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findVisibleLink, type VisibleLink } from './report.ts';
import { reportETag } from './report-etag.ts';

const now = Date.now();
const tagOf = (found: VisibleLink, range: Range, at: number): string =>
  reportETag(found, periodOf({ range }, at), [], at);
const city = { dimension: 'city', value: 'IN|KA|Bengalūru' } as const;
let owner: Person;
let other: Person;
let admin: Person;

beforeAll(async () => {
  [owner, other, admin] = await Promise.all([
    makePerson({ plan: 'premium' }),
    makePerson(),
    makePerson({ role: 'admin' }),
  ]);
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

const get = (
  code: string,
  person: Person | null,
  query = '',
  headers: Record<string, string> = {},
) => call(`/api/analytics/${code}${query}`, { headers: { ...person?.headers, ...headers } });

/** The owner is on Premium, so the report is a full one. */
async function report(query = ''): Promise<FullReport> {
  const response = await get('link1', owner, query);
  expect(response.status).toBe(200);
  return response.json();
}

describe('GET /api/analytics/:code, access', () => {
  it('[T23] answers the owner and an administrator, and 401 without a token', async () => {
    expect((await get('link1', null)).status).toBe(401);
    expect((await get('link1', owner)).status).toBe(200);
    expect((await get('link1', admin)).status).toBe(200);
    const ownerAsAdmin = { id: owner.id, role: 'admin' } as const;
    const own = await findVisibleLink(openDb(env.DB), 'link1', ownerAsAdmin);
    expect(own?.viewer).toBe('owner');
  });

  it('[T23] returns the same 404 for a link of another user, a visitor or nobody', async () => {
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

  it('returns 404 for a code that exists on another host only', async () => {
    await env.DB.prepare(
      `INSERT INTO links (id, code, target, target_host, created_at, updated_at) VALUES (900, 'other.example/elsewhere', 'https://example.com/', 'example.com', 0, 0)`,
    ).run();
    expect((await get('elsewhere', admin)).status).toBe(404);
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
    expect(Object.entries(analytics.visitorsByDate)).toEqual([
      [date(now - 40 * DAY_MS), 1],
      [date(now - 2 * DAY_MS), 1],
      [date(now), 1],
    ]);
    expect(Object.entries(analytics.clicksByCountry)).toEqual([
      ['IN', 2],
      ['DE', 1],
      ['Unknown', 1],
    ]);
    expect(analytics.clicksByCity[0]).toEqual({
      country: 'IN',
      region: 'KA',
      city: 'Bengaluru',
      clicks: 2,
    });
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

  it('an imported link has the date of its file, and its clicks from elsewhere', async () => {
    await makeLinks([5], owner.id, Date.UTC(2020, 0, 2));
    await env.DB.prepare(
      `UPDATE links SET imported_at = ?1, imported_clicks = 0, imported_from = 'bitly'
       WHERE id = 5`,
    )
      .bind(now)
      .run();
    const { url, imported } = await (await get('link5', owner)).json<FullReport>();
    expect(url.created_at).toBe('2020-01-02T00:00:00.000Z');
    expect(imported).toEqual({ clicks: 0, from: 'Bitly' });
  });

  it('counts only the days of a range, today included', async () => {
    expect((await report('?range=30d')).analytics).toMatchObject({
      totalClicks: 3,
      uniqueClicks: 2,
      activeDays: 2,
    });
    const week = await report('?range=7d');
    expect(week.analytics.clicksByReferrer).toEqual({ Direct: 2, 'news.example': 1 });
    expect([week.lifetime.totalClicks, week.setAside]).toEqual([4, { bots: 1, prefetches: 0 }]);
    expect((await report('?range=90d')).setAside).toEqual({ bots: 1, prefetches: 1 });
    expect((await get('link1', owner, '?range=1y')).status).toBe(400);
  });

  it('returns a report for a link without clicks', async () => {
    await makeLinks([5], owner.id);
    await env.DB.prepare(
      "UPDATE links SET imported_clicks = 7, imported_from = 'bitly' WHERE id = 5",
    ).run();
    const body: AnalyticsResponse = await (await get('link5', owner)).json();
    expect(body.analytics).toMatchObject({
      totalClicks: 0,
      uniqueClicks: 0,
      activeDays: 0,
      clicksByDate: {},
      recentClicks: [],
    });
    expect(body.imported).toEqual({ clicks: 7, from: 'Bitly' });
    expect((await report()).imported).toBeNull();
  });

  it('returns 304 for a known ETag until there is a click', async () => {
    for (const [i, range] of RANGES.entries()) {
      const tag = (await get('link1', owner, `?range=${range}`)).headers.get('ETag') ?? '';
      const again = await get('link1', owner, `?range=${range}`, {
        'If-None-Match': `"other", W/${tag}`,
      });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
      expect(again.headers.get('Cache-Control')).toBe('no-store');
      expect((await get('link1', other, `?range=${range}`, { 'If-None-Match': tag })).status).toBe(
        404,
      );
      // A click of each kind changes the report.
      const kinds = [{}, { ua: UA_BOT }, { p: 1 }] as const;
      await foldWindows(env.DB, [makeWindow([makeClick(1, { t: now, ...kinds[i % 3] })])], now);
      expect((await get('link1', owner, `?range=${range}`, { 'If-None-Match': tag })).status).toBe(
        200,
      );
    }
  });

  it('shows no day, hour or active day that has only bots', async () => {
    await makeLinks([6], owner.id);
    await foldWindows(env.DB, [makeWindow([makeClick(6, { t: now, ua: UA_BOT })])], now);
    const body: FullReport = await (await get('link6', owner)).json();
    expect(body.analytics).toMatchObject({
      totalClicks: 0,
      activeDays: 0,
      clicksByDate: {},
      clicksByHour: {},
    });
  });

  it('lists 100 referrers and sums the others', async () => {
    await makeLinks([7], owner.id);
    const refs = Array.from({ length: 100 }, (_, i) =>
      makeClick(7, { t: now - DAY_MS, r: `r${i}.example` }),
    );
    await foldWindows(
      env.DB,
      [makeWindow([...refs, ...refs, makeClick(7, { t: now, r: 'late.example' })])],
      now,
    );
    const body: FullReport = await (await get('link7', owner)).json();
    expect(Object.keys(body.analytics.clicksByReferrer).length).toBe(101);
    expect(body.analytics.clicksByReferrer).toMatchObject({
      'r0.example': 2,
      'r99.example': 2,
      Other: 1,
    });
  });

  it.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ])('starts the range %s at the beginning of its first day', async (range, days) => {
    const id = 100 + days;
    await makeLinks([id], owner.id);
    const start = startOfDay(now) - (days - 1) * DAY_MS;
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(id, { t: start }), makeClick(id, { t: start - 1 })])],
      now,
    );
    const body: AnalyticsResponse = await (await get(`link${id}`, owner, `?range=${range}`)).json();
    expect(body.analytics.totalClicks).toBe(1);
    expect(body.analytics.clicksByCountry).toEqual({ IN: 1 });
    expect(body.analytics.recentClicks.length).toBe(days === 90 ? 0 : 1);
  });

  it('changes the ETag with range, day, viewer, plan and version of the link', async () => {
    const found = await findVisibleLink(openDb(env.DB), 'link1', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const changed = { ...found, link: { ...found.link, version: found.link.version + 1 } };
    const etags = [
      tagOf(found, 'all', now),
      tagOf(found, '7d', now),
      tagOf(found, 'all', now + DAY_MS),
      tagOf(changed, 'all', now),
      tagOf({ ...found, viewer: 'owner' }, 'all', now),
      tagOf({ ...found, subscription: null }, 'all', now),
      reportETag(found, periodOf({ range: 'all' }, now), [city], now),
      ...[
        ['2026-01-01', '2026-01-02'],
        ['2026-01-01', '2026-01-03'],
        ['2026-01-02', '2026-01-03'],
      ].map(([from, to]) => reportETag(found, periodOf({ range: 'all', from, to }, now), [], now)),
    ];
    expect(new Set(etags).size).toBe(10);
    for (const etag of etags) expect(etag).toMatch(/^"[!#-~]+"$/);
    expect(tagOf(found, 'all', startOfDay(now))).toBe(tagOf(found, 'all', now));
  });

  it('changes the ETag with the hour where the chart shows hours', async () => {
    const found = await findVisibleLink(openDb(env.DB), 'link1', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const noon = startOfDay(now) + 12 * HOUR_MS;
    const young = { ...found, link: { ...found.link, created_at: noon - HOUR_MS } };
    expect(tagOf(found, '24h', noon)).not.toBe(tagOf(found, '24h', noon + HOUR_MS));
    expect(tagOf(young, 'all', noon)).not.toBe(tagOf(young, 'all', noon + HOUR_MS));
    expect(tagOf(found, 'all', noon)).toBe(tagOf(found, 'all', noon + HOUR_MS));
  });
});
