import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import { parseFilter } from '#contract/reports/report-filter.ts';
import { utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { PAIR_CAPS } from '#worker/clicks/fold/counts.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { buildFilteredReport } from './filtered-report.ts';
import { findVisibleLink } from './report.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const db = openDb(env.DB);
const US = { c: 'US', g: 'CA', y: 'Oakland' };

async function reportOf(code: string, ...texts: string[]) {
  const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
  if (found === undefined) throw new Error('no link');
  const filters = texts.map(parseFilter).filter((filter) => filter !== null);
  expect(filters).toHaveLength(texts.length);
  const period = periodOf({ range: '7d' }, NOW);
  const options = { period, origins: HOP, now: NOW };
  return (await buildFilteredReport(db, found, filters, options)).report;
}

/** Removes the pairs of a day, as a release that does not know them does. */
const dropPairs = (link: number) =>
  env.DB.prepare(
    `UPDATE link_totals SET counts = json_remove(counts, '$[12]', '$[11]') WHERE link_id = ?`,
  )
    .bind(link)
    .run();

beforeAll(async () => {
  const owner = await makePerson({ plan: 'premium' });
  await makeLinks([1, 2, 3, 4], owner.id);
  const clicksOn = (link: number, t: number) => [
    makeClick(link, { t, r: 'news.example' }),
    makeClick(link, { t, ua: UA_IPHONE, r: 'www.news.example' }),
    makeClick(link, { t, ua: UA_IPHONE }),
    makeClick(link, { t, ...US, r: 'm.news.example' }),
  ];
  await foldWindows(env.DB, [makeWindow(clicksOn(1, NOW))], NOW);
  // An earlier release has counted the day before of link 2.
  await foldWindows(env.DB, [makeWindow(clicksOn(2, NOW - 2 * DAY_MS))], NOW - 2 * DAY_MS);
  await dropPairs(2);
  const german = makeClick(2, { t: NOW, c: 'DE', ua: UA_IPHONE });
  await foldWindows(env.DB, [makeWindow([...clicksOn(2, NOW), german])], NOW);
  // It has counted all clicks on link 3.
  await foldWindows(env.DB, [makeWindow(clicksOn(3, NOW))], NOW);
  await dropPairs(3);
});

describe('a report from pairs', () => {
  it('one filter answers the other side of its pairs', async () => {
    expect((await reportOf('link1', 'country:IN')).analytics).toMatchObject({
      totalClicks: 3,
      clicksByDevice: { Mobile: 2, Desktop: 1 },
      clicksByReferrer: { 'news.example': 2, Direct: 1 },
      clicksByBrowser: null,
    });
    const byDevice = await reportOf('link1', 'device:Desktop');
    expect(byDevice.analytics).toMatchObject({
      clicksByCountry: { IN: 1, US: 1 },
      clicksByReferrer: null,
    });
    expect(byDevice.reasons).toMatchObject({
      clicksByReferrer: 'counted_apart',
      clicksByCity: 'counted_apart',
    });
    expect((await reportOf('link1', 'referrer:news.example')).analytics).toMatchObject({
      clicksByCountry: { IN: 2, US: 1 },
      clicksByDevice: null,
    });
  });

  it('two filters that are a pair count both together, in either order', async () => {
    for (const filters of [
      ['country:IN', 'device:Mobile'],
      ['device:Mobile', 'country:IN'],
    ]) {
      const report = await reportOf('link1', ...filters);
      expect(report).toMatchObject({
        filters,
        unlisted: 0,
        pairsSince: null,
        recent: { matching: 2, of: 4 },
        analytics: {
          totalClicks: 2,
          activeDays: 1,
          clicksByDate: { [utcDate(NOW)]: 2 },
          clicksByCountry: { IN: 2 },
          clicksByDevice: { Mobile: 2 },
          clicksByReferrer: null,
        },
      });
      expect(report.analytics.recentClicks).toHaveLength(2);
    }
    const bySource = await reportOf('link1', 'country:US', 'referrer:news.example');
    expect(bySource.analytics).toMatchObject({
      totalClicks: 1,
      clicksByReferrer: { 'news.example': 1 },
    });
    const { analytics } = await reportOf('link1', 'country:US', 'device:Mobile');
    expect(analytics).toMatchObject({ totalClicks: 0, activeDays: 0 });
    expect([analytics.clicksByCountry, analytics.clicksByDevice]).toEqual([{}, {}]);
  });

  it('two filters of one group are answered by it, without pairs', async () => {
    expect((await reportOf('link1', 'device:Mobile', 'os:iOS')).analytics).toMatchObject({
      totalClicks: 2,
      clicksByOs: { iOS: 2 },
      clicksByCountry: null,
    });
    expect((await reportOf('link1', 'device:Desktop', 'os:iOS')).analytics.totalClicks).toBe(0);
  });

  it('two filters that are not counted together have only recent clicks', async () => {
    const report = await reportOf('link1', 'device:Mobile', 'referrer:news.example');
    expect(report).toMatchObject({
      recent: { matching: 1, of: 4 },
      reasons: { totalClicks: 'counted_apart', clicksByDevice: 'counted_apart' },
      analytics: { totalClicks: null, clicksByDate: null, clicksByCountry: null },
    });
    expect(report.analytics.recentClicks).toHaveLength(1);
  });

  it('pairs cover the days since they are counted, and say since when', async () => {
    const report = await reportOf('link2', 'country:IN');
    expect(report.pairsSince).toBe(utcDate(NOW - DAY_MS));
    expect(report.analytics).toMatchObject({ totalClicks: 6, clicksByDevice: { Mobile: 2 } });
    expect(await reportOf('link2', 'country:IN', 'device:Mobile')).toMatchObject({
      pairsSince: utcDate(NOW - DAY_MS),
      analytics: { totalClicks: 2, clicksByDate: { [utcDate(NOW)]: 2 } },
    });
    // The day without pairs has no such click, so nothing is missing.
    expect(await reportOf('link2', 'country:DE')).toMatchObject({
      pairsSince: null,
      analytics: { totalClicks: 1, clicksByDevice: { Mobile: 1 } },
    });
  });

  it('pairs that were not counted yet are null, not zero', async () => {
    const one = await reportOf('link3', 'country:IN');
    expect(one.analytics).toMatchObject({ totalClicks: 3, clicksByDevice: null });
    expect(one.reasons).toMatchObject({ clicksByDevice: 'not_counted_yet' });
    const two = await reportOf('link3', 'country:IN', 'device:Mobile');
    expect(two.analytics).toMatchObject({ totalClicks: null, clicksByCountry: null });
    expect(two.reasons).toMatchObject({
      totalClicks: 'not_counted_yet',
      activeDays: 'not_counted_yet',
      clicksByDate: 'not_counted_yet',
      clicksByCountry: 'not_counted_yet',
      clicksByDevice: 'not_counted_yet',
      clicksByReferrer: 'counted_apart',
    });
    expect(two.recent).toEqual({ matching: 2, of: 4 });
  });

  it('clicks beyond the listed pairs are Other, and may match two filters', async () => {
    const sources = PAIR_CAPS.sources / 2 + 5;
    const clicks = Array.from({ length: sources }, (_, i) =>
      [{}, US].map((place) => makeClick(4, { t: NOW, ...place, r: `s${i}.example` })),
    ).flat();
    await foldWindows(env.DB, [makeWindow(clicks)], NOW);
    const { analytics } = await reportOf('link4', 'country:IN');
    const listed = Object.entries(analytics.clicksByReferrer ?? {});
    expect(listed.reduce((sum, [, n]) => sum + n, 0)).toBe(sources);
    expect(analytics.clicksByReferrer?.['Other']).toBeGreaterThan(0);
    // Clicks are added in the order of their values, so the last pairs of s90 to s94 do not fit.
    const both = await Promise.all(
      ['country:IN', 'country:US'].map((country) =>
        reportOf('link4', country, 'referrer:s90.example'),
      ),
    );
    expect(both.map(({ analytics: found, unlisted }) => [found.totalClicks, unlisted])).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });
});
