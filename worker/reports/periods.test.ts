import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import type { FullReport } from '#contract/reports/analytics.ts';
import { startOfDay, utcDate } from '#contract/reports/periods.ts';
import { periodOf, type RangeQuery } from '#contract/reports/ranges.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { readTimes } from './read-times.ts';
import { buildReport, findVisibleLink, limitToPlan, type VisibleLink } from './report.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const TODAY = startOfDay(NOW);
/** Link 1 was clicked at 10:00 and at 20:00 of each day, today only until now. */
const DAYS = 120;
const db = openDb(env.DB);
const daysAgo = (days: number): string => utcDate(TODAY - days * DAY_MS);

async function find(code: string): Promise<VisibleLink> {
  const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
  if (found === undefined) throw new Error('no link');
  return found;
}

async function reportOf(code: string, query: RangeQuery, now = NOW): Promise<FullReport> {
  const options = { period: periodOf(query, now), origins: HOP, now };
  return (await buildReport(db, await find(code), options)).report;
}
const own = (from: number, to: number): RangeQuery => ({
  range: 'all',
  from: daysAgo(from),
  to: daysAgo(to),
});

beforeAll(async () => {
  const [premium, free] = [await makePerson({ plan: 'premium' }), await makePerson()];
  await makeLinks([1], premium.id);
  await makeLinks([2], free.id, NOW - 10 * HOUR_MS);
  await makeLinks([3], premium.id);
  for (let day = DAYS - 1; day >= 0; day--) {
    const noon = TODAY - day * DAY_MS;
    const clicks = [10, 20].map((hour) =>
      makeClick(1, {
        t: noon + hour * HOUR_MS,
        c: day % 2 === 0 ? 'IN' : 'DE',
        k: `${day}-${hour}`,
      }),
    );
    const past = clicks.filter(({ t }) => t <= NOW);
    await foldWindows(env.DB, [makeWindow(past)], Math.min(NOW, noon + 23 * HOUR_MS));
  }
  await closeMonths(env, NOW);
  await foldWindows(env.DB, [makeWindow([makeClick(2, { t: NOW - HOUR_MS, k: 'a' })])], NOW);
  expect((await find('link1')).closed).toBeGreaterThan(0);
});

describe('periods of a report', () => {
  it('counts the days of an own period, also inside a month that is added up', async () => {
    const { analytics, range, period } = await reportOf('link1', own(40, 31));
    expect([range, period]).toEqual(['custom', { from: daysAgo(40), to: daysAgo(31) }]);
    expect(analytics).toMatchObject({
      totalClicks: 20,
      uniqueClicks: 20,
      activeDays: 10,
      clicksByCountry: { IN: 10, DE: 10 },
    });
    const dates = Object.keys(analytics.clicksByDate);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([10, daysAgo(40), daysAgo(31)]);
  });

  it('an own period is as the range that it equals', async () => {
    const { analytics: ofRange } = await reportOf('link1', { range: '30d' });
    const { analytics: ofDays } = await reportOf('link1', own(29, 0));
    expect(ofDays).toEqual(ofRange);
    expect((await reportOf('link1', { range: 'today' })).analytics.totalClicks).toBe(1);
    expect((await reportOf('link1', { range: '12m' })).analytics.totalClicks).toBe(2 * DAYS - 1);
  });

  it('returns the figures of the whole life of the link beside those of a period', async () => {
    const lifetime = {
      totalClicks: 2 * DAYS - 1,
      uniqueClicks: 2 * DAYS - 1,
      activeDays: DAYS,
    };
    for (const query of [
      { range: 'today' },
      { range: '7d' },
      { range: '90d' },
      { range: 'all' },
      own(40, 31),
    ] as const)
      expect((await reportOf('link1', query)).lifetime).toEqual(lifetime);
    // A day with bots only is no active day.
    const visits = [20, 9].map((day) => makeClick(3, { t: TODAY - day * DAY_MS, ua: UA_BOT }));
    await foldWindows(env.DB, [makeWindow(visits)], NOW);
    expect((await reportOf('link3', { range: '7d' })).lifetime.activeDays).toBe(0);
  });

  it.each([
    ['today', 1],
    ['7d', 7],
    // The day that ends the earlier period is in a month that is added up.
    ['30d', 30],
  ] as const)('compares %s with the earlier time until the same hour', async (range, days) => {
    const { analytics } = await reportOf('link1', { range });
    expect(analytics.totalClicks).toBe(2 * days - 1);
    const { previousPeriod } = analytics;
    const until = NOW - 30 * 60_000 - days * DAY_MS;
    expect(previousPeriod).toMatchObject({
      from: daysAgo(2 * days - 1),
      to: daysAgo(days),
      until: new Date(until).toISOString(),
      totalClicks: 2 * days - 1,
      uniqueClicks: 2 * days - 1,
      activeDays: days,
      current: { totalClicks: 2 * days - 1, uniqueClicks: 2 * days - 1, activeDays: days },
    });
    expect(previousPeriod?.clicksByDate[daysAgo(days)]).toBe(1);
    // Hours are compared in the chart of a day only.
    expect(previousPeriod?.clicksByHour !== undefined).toBe(days === 1);
    const atNine = await reportOf('link1', { range }, TODAY + 9 * HOUR_MS);
    expect(atNine.analytics.previousPeriod).toMatchObject({
      totalClicks: 2 * days - 2,
      current: { totalClicks: 2 * days - 2 },
    });
  });

  it('compares an own period that is over with all of the same number of days before', async () => {
    const { analytics } = await reportOf('link1', own(40, 31));
    expect(analytics.previousPeriod).toMatchObject({
      from: daysAgo(50),
      to: daysAgo(41),
      totalClicks: 20,
      current: { totalClicks: 20, activeDays: 10 },
    });
  });

  it('a Free link shows hours for 48 hours', async () => {
    const young = limitToPlan(await reportOf('link2', { range: 'all' }));
    expect(young.advanced).toBe(false);
    const hour = NOW - 30 * 60_000 - HOUR_MS;
    expect(young.analytics).toMatchObject({
      clicksByHour: { [hour]: 1 },
      visitorsByHour: { [hour]: 1 },
    });
    expect(young.analytics).not.toHaveProperty('clicksByBrowser');
    const later = limitToPlan(await reportOf('link2', { range: 'all' }, NOW + 2 * DAY_MS));
    expect(later.analytics).not.toHaveProperty('clicksByHour');
  });
});

describe('readTimes', () => {
  const timesOf = async (code: string, query: RangeQuery, timeZone = 'UTC') => {
    const options = { timeZone, now: NOW };
    const times = await readTimes(db, await find(code), periodOf(query, NOW), options);
    const hours = times.clicksByWeekHour.flatMap((n, hour): [number, number][] =>
      n > 0 ? [[hour, n]] : [],
    );
    return { ...times, hours: Object.fromEntries(hours) };
  };

  it('counts the hours of the whole range, also of days in months', async () => {
    const week = await timesOf('link1', own(40, 34));
    expect(week.totalClicks).toBe(14);
    expect(week.clicksByWeekHour).toHaveLength(168);
    expect(Object.values(week.hours)).toEqual(Array.from({ length: 14 }, () => 1));
    const all = await timesOf('link1', { range: 'all' });
    expect([all.totalClicks, all.hoursSince]).toEqual([2 * DAYS - 1, '2025-06-01']);
    const shortened = { range: 'all', from: '2020-01-01', to: daysAgo(0) } as const;
    expect([all.shortenedBy, (await timesOf('link1', shortened)).shortenedBy]).toEqual([
      null,
      'retention',
    ]);
    expect((await timesOf('link1', { range: '7d' })).hoursSince).toBeNull();
    // A link that is younger than the days whose hours are kept lacks none.
    expect((await timesOf('link2', { range: 'all' })).hoursSince).toBeNull();
  });

  it('counts in the time zone of the reader, also on the day on which clocks change', async () => {
    await makeLinks([4]);
    const sunday = Date.UTC(2026, 9, 25);
    const clicks = [0, 1, 20].map((hour) => makeClick(4, { t: sunday + hour * HOUR_MS }));
    clicks.push(makeClick(4, { t: sunday, ua: UA_BOT }), makeClick(4, { t: sunday, p: 1 }));
    await foldWindows(env.DB, [makeWindow(clicks)], sunday + 21 * HOUR_MS);
    const [sundayHour, mondayHour] = [6 * 24, 0];
    expect((await timesOf('link4', { range: '90d' })).hours).toEqual({
      [sundayHour]: 1,
      [sundayHour + 1]: 1,
      [sundayHour + 20]: 1,
    });
    expect((await timesOf('link4', { range: '90d' }, 'Asia/Kolkata')).hours).toEqual({
      [sundayHour + 5]: 1,
      [sundayHour + 6]: 1,
      [mondayHour + 1]: 1,
    });
    const west = await timesOf('link4', { range: '90d' }, 'America/St_Johns');
    expect([west.totalClicks, west.hours]).toEqual([
      3,
      { [sundayHour - 3]: 1, [sundayHour - 2]: 1, [sundayHour + 17]: 1 },
    ]);
    // 0:00 and 1:00 UTC are both 2:00 in Berlin, before and after the change.
    expect((await timesOf('link4', { range: '90d' }, 'Europe/Berlin')).hours).toEqual({
      [sundayHour + 2]: 2,
      [sundayHour + 21]: 1,
    });
  });
});
