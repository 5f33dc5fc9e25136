import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FilteredReport, FullReport } from '#contract/reports/analytics.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { oldestDayKept, startOfDay, startOfMonth } from '#contract/reports/periods.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { readRecentClicks } from './panels.ts';

const now = Date.now();
const date = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const yesterday = now - DAY_MS;
/** Shown as a month, whether or not the job has rolled it up. */
const old = oldestDayKept(now) - DAY_MS;
let premium: Person;
let free: Person;

beforeAll(async () => {
  [premium, free] = await Promise.all([makePerson({ plan: 'premium' }), makePerson()]);
  await makeLinks([1], premium.id);
  await makeLinks([2], free.id);
  const clicks = [1, 2].flatMap((link) => [
    makeClick(link, { t: now, r: 'news.example', k: 'a' }),
    makeClick(link, { t: now, y: 'Mysuru', ua: UA_IPHONE, k: 'b' }),
    makeClick(link, { t: yesterday }),
    makeClick(link, {
      t: yesterday,
      c: 'DE',
      g: 'BE',
      y: 'Berlin',
      ua: UA_IPHONE,
      r: 'news.example',
    }),
    makeClick(link, { t: yesterday, c: '', g: '', y: '' }),
    makeClick(link, { t: yesterday, ua: UA_BOT }),
    makeClick(link, { t: old, c: 'DE', g: 'BE', y: 'Berlin', r: 'old.example' }),
  ]);
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

const get = (code: string, person: Person, filter: string, range = 'all') =>
  call(`/api/analytics/${code}?range=${range}&filter=${encodeURIComponent(filter)}`, {
    headers: person.headers,
  });

const analyticsOf = async (filter: string, range?: string) =>
  (await reportOf(filter, range)).analytics;

async function reportOf(filter: string, range?: string): Promise<FilteredReport> {
  const response = await get('link1', premium, filter, range);
  expect(response.status).toBe(200);
  const report: FilteredReport = await response.json();
  expect(report).toMatchObject({ filters: [filter], advanced: true, plan: 'premium' });
  return report;
}

describe('a report filtered by place', () => {
  it('counts the clicks of a country by date and city', async () => {
    const analytics = await analyticsOf('country:IN', '30d');
    expect(analytics).toMatchObject({ totalClicks: 3, activeDays: 2, clicksByCountry: { IN: 3 } });
    expect(Object.entries(analytics.clicksByDate ?? {})).toEqual([
      [date(yesterday), 1],
      [date(now), 2],
    ]);
    expect(analytics.clicksByCity).toEqual([
      { country: 'IN', region: 'KA', city: 'Bengaluru', clicks: 2 },
      { country: 'IN', region: 'KA', city: 'Mysuru', clicks: 1 },
    ]);
  });

  it('a report by country has devices and sources, and null for what is counted apart', async () => {
    const report = await reportOf('country:IN', '30d');
    expect(report.analytics).toMatchObject({
      clicksByDevice: { Desktop: 2, Mobile: 1 },
      clicksByReferrer: { Direct: 2, 'news.example': 1 },
    });
    expect(report).toMatchObject({ pairsSince: null, unlisted: 0, recent: { matching: 3, of: 5 } });
    expect(report.lifetime).toEqual({ totalClicks: 6, uniqueClicks: 2, activeDays: 3 });
    const { clicksByBrowser, clicksByOs, clicksByHour, previousPeriod, uniqueClicks } =
      report.analytics;
    const unknown = { clicksByBrowser, clicksByOs, clicksByHour, previousPeriod, uniqueClicks };
    for (const [name, value] of Object.entries(unknown)) {
      expect(value).toBeNull();
      expect(report.reasons).toHaveProperty(name, 'counted_apart');
    }
  });

  it('counts the clicks of one city, and of places that are not known', async () => {
    expect(await analyticsOf('city:IN|KA|Mysuru')).toMatchObject({
      totalClicks: 1,
      clicksByCountry: { IN: 1 },
    });
    expect(await analyticsOf('country:Unknown')).toMatchObject({
      totalClicks: 1,
      clicksByCountry: { Unknown: 1 },
    });
    expect((await analyticsOf('country:Unknown')).clicksByCity).toEqual([
      { country: 'Unknown', region: '', city: 'Unknown', clicks: 1 },
    ]);
  });

  it('shows old days as months, whose active days are not known', async () => {
    const analytics = await analyticsOf('country:DE');
    expect(analytics).toMatchObject({ totalClicks: 2, activeDays: null });
    expect(analytics.clicksByDate).toEqual({ [date(startOfMonth(old))]: 1, [date(yesterday)]: 1 });
  });

  it('lists the recent clicks that match', async () => {
    const { recentClicks } = await analyticsOf('country:DE');
    expect(recentClicks.map(({ city, referrer }) => [city, referrer])).toEqual([
      ['Berlin', 'news.example'],
    ]);
  });

  it('lists no match that is older than the recent clicks of the whole report', () => {
    const stored = Array.from({ length: RECENT_CLICKS_MAX + 1 }, (_, i) => [
      now - i,
      i < RECENT_CLICKS_MAX ? 'IN||' : 'DE||',
      '',
      '',
    ]);
    const listed = (country: string) =>
      readRecentClicks(JSON.stringify(stored), { from: 0, to: Infinity }, now, ({ place }) =>
        place.startsWith(country),
      );
    expect([listed('IN').length, listed('DE').length]).toEqual([RECENT_CLICKS_MAX, 0]);
  });
});

describe('a report filtered by agent or referrer', () => {
  it('counts the clicks of a browser by date, device and system', async () => {
    const analytics = await analyticsOf('browser:Mobile Safari');
    expect(analytics).toMatchObject({
      totalClicks: 2,
      clicksByDevice: { Mobile: 2 },
      clicksByBrowser: { 'Mobile Safari': 2 },
      clicksByOs: { iOS: 2 },
      clicksByCountry: null,
      clicksByReferrer: null,
    });
    expect((await analyticsOf('os:Windows', '7d')).totalClicks).toBe(3);
  });

  it('counts the clicks of a referrer by date', async () => {
    expect(await analyticsOf('referrer:news.example')).toMatchObject({
      totalClicks: 2,
      clicksByReferrer: { 'news.example': 2 },
      clicksByDevice: null,
      clicksByCountry: { DE: 1, IN: 1 },
    });
    expect((await analyticsOf('referrer:Direct')).totalClicks).toBe(3);
  });

  it('finds as many clicks as the whole report lists for each value', async () => {
    const { analytics }: FullReport = await (
      await call('/api/analytics/link1', { headers: premium.headers })
    ).json();
    for (const [dimension, counts] of [
      ['country', analytics.clicksByCountry],
      ['device', analytics.clicksByDevice],
      ['browser', analytics.clicksByBrowser],
      ['os', analytics.clicksByOs],
      ['referrer', analytics.clicksByReferrer],
    ] as const)
      for (const [value, clicks] of Object.entries(counts))
        expect(
          (await analyticsOf(`${dimension}:${value}`)).totalClicks,
          `${dimension}:${value}`,
        ).toBe(clicks);
  });

  it('a report for a value without clicks is empty', async () => {
    expect(await analyticsOf('device:TV')).toMatchObject({
      totalClicks: 0,
      activeDays: 0,
      clicksByDate: {},
      clicksByDevice: {},
    });
  });
});

describe('a filter of GET /api/analytics/:code', () => {
  it('a filter is limited to what the owner’s plan shows', async () => {
    const response = await get('link2', free, 'country:IN');
    const { advanced, analytics }: FilteredReport = await response.json();
    expect(advanced).toBe(false);
    expect(Object.keys(analytics).toSorted()).toEqual([
      'activeDays',
      'clicksByCountry',
      'clicksByDate',
      'clicksByDevice',
      'destinations',
      'qrScans',
      'recentClicks',
      'totalClicks',
      'uniqueClicks',
      'visitorsByDate',
    ]);
    expect(analytics.recentClicks[0]).not.toHaveProperty('city');
    for (const filter of ['city:IN|KA|Mysuru', 'browser:Chrome', 'os:iOS', 'referrer:Direct']) {
      const refused = await get('link2', free, filter);
      expect(refused.status, filter).toBe(402);
      const body: ErrorBody = await refused.json();
      expect(body.code).toBe('payment_required');
    }
    expect((await get('link2', free, 'device:Mobile')).status).toBe(200);
  });

  it('[T23] returns 404 for another member’s link, before anything about the plan', async () => {
    expect((await get('link2', premium, 'city:IN|KA|Mysuru')).status).toBe(404);
  });

  it.each([
    '',
    'IN',
    'country:',
    'planet:Mars',
    'city:Berlin',
    'referrer:Other',
    'city:IN||Other',
    `referrer:${'x'.repeat(200)}`,
  ])('an invalid filter is rejected: %s', async (filter) => {
    const response = await get('link1', premium, filter);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_query', field: 'filter' });
  });

  it('each filter has its own ETag, which changes with every click', async () => {
    const tagOf = async (filter: string) =>
      (await get('link1', premium, filter)).headers.get('ETag') ?? '';
    const tag = await tagOf('country:IN');
    expect(await tagOf('country:DE')).not.toBe(tag);
    const again = () =>
      call('/api/analytics/link1?filter=country:IN', {
        headers: { ...premium.headers, 'If-None-Match': tag },
      }).then((r) => r.status);
    expect(await again()).toBe(304);
    await foldWindows(env.DB, [makeWindow([makeClick(1, { t: startOfDay(now) })])], now);
    expect(await again()).toBe(200);
  });
});
