import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import type { AnalyticsResponse, FullReport } from '#contract/reports/analytics.ts';
import { ADVANCED_ANALYTICS } from '#contract/plans/plan-features.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { startOfDay, startOfHour } from '#contract/reports/periods.ts';
import { openDb } from '#worker/db/client.ts';
import { setPlan } from '#worker/plans/subscription.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { buildReport, findVisibleLink, limitToPlan } from './report.ts';

const now = Date.now();
const today = startOfDay(now);
const date = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const db = openDb(env.DB);
let free: Person;
let premium: Person;
let admin: Person;

beforeAll(async () => {
  [free, premium, admin] = await Promise.all([
    makePerson(),
    makePerson({ plan: 'premium' }),
    makePerson({ role: 'admin' }),
  ]);
  await makeLinks([1, 4], free.id);
  await makeLinks([2], premium.id);
  await makeLinks([3]);
  const clicks = [1, 2, 3, 4].flatMap((link) => [
    makeClick(link, { t: now, k: 'a', r: 'news.example', y: '=1+1' }),
    makeClick(link, { t: today - 6 * DAY_MS, k: 'b', g: '' }),
    // Two days of the seven before the last seven.
    makeClick(link, { t: today - 7 * DAY_MS, k: 'a' }),
    makeClick(link, { t: today - 7 * DAY_MS, k: 'a' }),
    makeClick(link, { t: today - 13 * DAY_MS, k: 'a' }),
    makeClick(link, { t: today - 8 * DAY_MS, ua: UA_BOT }),
    makeClick(link, { t: today - 13 * DAY_MS - 1, k: 'a' }),
  ]);
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

const get = (path: string, person: Person, headers: Record<string, string> = {}) =>
  call(`/api/analytics/${path}`, { headers: { ...person.headers, ...headers } });

async function reportOf(path: string, person: Person): Promise<AnalyticsResponse> {
  const response = await get(path, person);
  expect(response.status).toBe(200);
  return response.json();
}

async function fullReportOf(path: string, person: Person): Promise<FullReport> {
  const report = await reportOf(path, person);
  if (!report.advanced) throw new Error('The report is a basic one.');
  return report;
}

describe('analytics of a plan', () => {
  it('a Free report leaves out every advanced member, and nothing else', async () => {
    const basic = await reportOf('link1', free);
    const full = await fullReportOf('link2', premium);
    expect(basic).toMatchObject({ plan: 'free', advanced: false, viewer: 'owner' });
    expect(full).toMatchObject({ plan: 'premium', advanced: true, viewer: 'owner' });
    const advanced = Object.keys(ADVANCED_ANALYTICS).filter((name) => name !== 'export');
    expect(Object.keys(full.analytics).toSorted()).toEqual(
      [...Object.keys(basic.analytics), ...advanced].toSorted(),
    );
    for (const figure of [
      'totalClicks',
      'uniqueClicks',
      'activeDays',
      'clicksByDate',
      'visitorsByDate',
      'clicksByCountry',
      'clicksByDevice',
    ] as const)
      expect(basic.analytics[figure]).toEqual(full.analytics[figure]);
    expect(basic.analytics.totalClicks).toBe(6);
    expect(basic.analytics.recentClicks[0]).toEqual({
      clicked_at: new Date(now).toISOString(),
      country: 'IN',
      device_type: 'Desktop',
      browser: 'Chrome',
    });
    expect(full.analytics.recentClicks[0]).toMatchObject({
      city: '=1+1',
      os: 'Windows',
      referrer: 'news.example',
    });
  });

  it('a plan shows the whole past after an upgrade, and the basics after a downgrade', async () => {
    const etag = (await get('link4', free)).headers.get('ETag') ?? '';
    expect((await get('link4', free, { 'If-None-Match': etag })).status).toBe(304);
    await setPlan(db, free.id, 'premium', now);
    expect((await get('link4', free, { 'If-None-Match': etag })).status).toBe(200);
    expect((await fullReportOf('link4', free)).analytics.clicksByBrowser).toEqual({ Chrome: 6 });
    await setPlan(db, free.id, 'free', now);
    expect((await reportOf('link4', free)).advanced).toBe(false);
    expect((await get('link4/export', free)).status).toBe(402);
  });

  it('shows an administrator what the plan of the owner includes', async () => {
    expect(await reportOf('link1', admin)).toMatchObject({
      plan: 'free',
      advanced: false,
      viewer: 'admin',
    });
    expect(await reportOf('link2', admin)).toMatchObject({
      plan: 'premium',
      advanced: true,
      viewer: 'admin',
    });
    expect(await reportOf('link3', admin)).toMatchObject({
      plan: 'free',
      advanced: false,
      viewer: 'admin',
    });
    const etags = await Promise.all(
      [premium, admin].map(async (person) => (await get('link2', person)).headers.get('ETag')),
    );
    expect(etags[0]).not.toBe(etags[1]);
  });
});

describe('comparison with the previous period', () => {
  it('sums the days before the range, without bots', async () => {
    const found = await findVisibleLink(db, 'link2', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const evening = today + 23 * HOUR_MS;
    const { report } = await buildReport(db, found, {
      period: periodOf({ range: '7d' }, evening),
      origins: HOP,
      now: evening,
    });
    const { analytics } = report;
    expect(analytics).toMatchObject({ totalClicks: 2, uniqueClicks: 2, activeDays: 2 });
    expect(analytics.previousPeriod).toMatchObject({
      from: date(today - 13 * DAY_MS),
      to: date(today - 7 * DAY_MS),
      until: new Date(evening - 7 * DAY_MS).toISOString(),
      totalClicks: 3,
      uniqueClicks: 2,
      activeDays: 2,
      clicksByDate: { [date(today - 13 * DAY_MS)]: 1, [date(today - 7 * DAY_MS)]: 2 },
      visitorsByDate: { [date(today - 13 * DAY_MS)]: 1, [date(today - 7 * DAY_MS)]: 1 },
    });
    expect(Object.keys(analytics.clicksByDate)).toEqual([date(today - 6 * DAY_MS), date(today)]);
  });

  it('a comparison is null for the range all, and for a link that is too young', async () => {
    expect((await fullReportOf('link2', premium)).analytics.previousPeriod).toBeNull();
    await makeLinks([6], premium.id, today - 13 * DAY_MS + 1);
    await makeLinks([7], premium.id, today - 12 * DAY_MS);
    expect((await fullReportOf('link6?range=7d', premium)).analytics.previousPeriod).toMatchObject({
      totalClicks: 0,
    });
    expect((await fullReportOf('link7?range=7d', premium)).analytics.previousPeriod).toBeNull();
  });

  it('a comparison is null for a link that was imported later, however old it is', async () => {
    await makeLinks([8], premium.id, today - 400 * DAY_MS);
    await env.DB.prepare('UPDATE links SET imported_at = ? WHERE id = 8')
      .bind(today - 12 * DAY_MS)
      .run();
    expect((await fullReportOf('link8?range=7d', premium)).analytics.previousPeriod).toBeNull();
  });

  it('a comparison costs a Free report no rows', async () => {
    const [basic, full] = await Promise.all(
      ['link1', 'link2'].map(async (code) => {
        const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
        if (found === undefined) throw new Error('no link');
        return (
          await buildReport(db, found, {
            period: periodOf({ range: '7d' }, now),
            origins: HOP,
            now,
          })
        ).rowsRead;
      }),
    );
    // Both read every day of the link for the active days of its whole life.
    expect(basic).toBeLessThanOrEqual(full ?? 0);
  });
});

describe('the last 24 hours', () => {
  const hour = startOfHour(now);
  const from = hour - 23 * HOUR_MS;

  beforeAll(async () => {
    await makeLinks([20], premium.id, hour - 47 * HOUR_MS);
    await makeLinks([21], premium.id, hour - 46 * HOUR_MS);
    await makeLinks([22], free.id);
    const clicks = [20, 22].flatMap((link) => [
      makeClick(link, { t: now, k: 'a' }),
      makeClick(link, { t: now, k: 'a' }),
      makeClick(link, { t: from, k: 'b' }),
      makeClick(link, { t: from - 1, k: 'c' }),
      makeClick(link, { t: from - DAY_MS, k: 'd' }),
      makeClick(link, { t: from - DAY_MS - 1, k: 'e' }),
    ]);
    await foldWindows(env.DB, [makeWindow(clicks)], now);
  });

  /** At `now`, because the hour may change while the test runs. */
  async function last24Hours(code: string): Promise<FullReport> {
    const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    return (
      await buildReport(db, found, {
        period: periodOf({ range: '24h' }, now),
        origins: HOP,
        now,
      })
    ).report;
  }

  it('the last 24 hours end with the current hour and are compared with the 24 before', async () => {
    const { analytics, lifetime } = await last24Hours('link20');
    expect(lifetime.totalClicks).toBe(6);
    expect(analytics).toMatchObject({ totalClicks: 3, uniqueClicks: 2 });
    expect(analytics.clicksByHour).toEqual({ [from]: 1, [hour]: 2 });
    expect(analytics.visitorsByHour).toEqual({ [from]: 1, [hour]: 1 });
    expect(analytics.recentClicks.length).toBe(3);
    // Both sides are without the current hour.
    expect(analytics.previousPeriod).toMatchObject({
      from: date(from - DAY_MS),
      until: new Date(from - HOUR_MS).toISOString(),
      totalClicks: 1,
      uniqueClicks: 1,
      clicksByHour: { [from - DAY_MS]: 1 },
      visitorsByHour: { [from - DAY_MS]: 1 },
      current: { totalClicks: 1, uniqueClicks: 1, activeDays: 1 },
    });
  });

  it('the last 24 hours count places and devices over the days that they touch', async () => {
    const { analytics } = await last24Hours('link20');
    const since = startOfDay(from);
    const touched = [now, now, from, from - 1, from - DAY_MS, from - DAY_MS - 1].filter(
      (at) => at >= since,
    ).length;
    expect(analytics.clicksByCountry).toEqual({ IN: touched });
    expect(analytics.clicksByDevice).toEqual({ Desktop: touched });
  });

  it('a link that did not exist 48 hours ago has no comparison', async () => {
    expect((await last24Hours('link21')).analytics.previousPeriod).toBeNull();
  });

  it('the last 24 hours without advanced analytics are two UTC days with their total', async () => {
    const { analytics } = limitToPlan(await last24Hours('link22'));
    expect(analytics.totalClicks).toBe(3);
    expect(Object.values(analytics.clicksByDate).reduce((sum, n) => sum + n)).toBe(3);
    expect(analytics).not.toHaveProperty('clicksByHour');
  });
});

describe('GET /api/analytics/:code/export', () => {
  it('answers 402 on the Free plan, to an administrator too', async () => {
    for (const person of [free, admin]) {
      const response = await get('link1/export?format=csv', person);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ code: 'payment_required' });
    }
  });

  it('[T23] answers 404 for the link of another member', async () => {
    expect((await get('link2/export', free)).status).toBe(404);
    expect((await get('link1/export', premium)).status).toBe(404);
    expect((await get('link2/export?format=pdf', premium)).status).toBe(400);
  });

  it('answers 429 to an export beyond the limit', async () => {
    const LIMIT_VISITOR_LINKS = { limit: async () => ({ success: false }) };
    const request = { headers: premium.headers };
    const response = await call('/api/analytics/link2/export', request, { LIMIT_VISITOR_LINKS });
    expect(response.status).toBe(429);
  });

  it('returns the whole report as JSON', async () => {
    const response = await get('link2/export?range=30d', premium);
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="analytics.json"',
    );
    const { generatedAt, ...exported } = await response.json<FullReport>();
    expect(generatedAt).toMatch(/Z$/);
    expect(await fullReportOf('link2?range=30d', premium)).toMatchObject(exported);
    expect(exported.analytics.recentClicks.length).toBe(6);
  });

  it('[T19] returns figures and counts as CSV without formulas', async () => {
    const response = await get('link2/export?format=csv&range=7d', premium);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="analytics.csv"',
    );
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toBe('"link","dimension","value","clicks","visitors"');
    for (const row of [
      '"total","","2"',
      '"bots","","0"',
      `"date","${date(now)}","1","1"`,
      `"date","${date(now - 5 * DAY_MS)}","0","0"`,
      '"country","IN","2",""',
      `"city","'=1+1, KA, IN","1",""`,
      '"city","Bengaluru, IN","1",""',
      '"device","Desktop","2",""',
      '"browser","Chrome","2",""',
      '"system","Windows","2",""',
      '"referrer","news.example","1",""',
    ])
      expect(lines.some((line) => line.startsWith(`"http://localhost:8787/link2",${row}`))).toBe(
        true,
      );
    expect(lines.some((line) => line.includes(',"hour","20'))).toBe(true);
    expect(lines.some((line) => line.includes(',"previous_period","20'))).toBe(true);
  });
});
