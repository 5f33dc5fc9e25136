import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { RANGES } from '#contract/analytics.ts';
import { findVisibleLink, buildReport } from '#worker/analytics/report.ts';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { startOfDay, oldestDayKept, oldestHourKept } from '#worker/clicks/periods.ts';
import { openDb } from '#worker/db/client.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { makeClick, makeLinks, makeWindow, rowsOf, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { deleteExpiredClickData } from '#worker/clicks/delete-expired-click-data.ts';
import { rollUpHours } from '#worker/clicks/roll-up-hours.ts';
import { rollUpDays } from '#worker/clicks/roll-up-days.ts';
import { verifyTotals, readLastVerification } from '#worker/clicks/verify-totals.ts';
import { pruneRecentClicks } from '#worker/clicks/prune-recent-clicks.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 20, 15, 30);
const TABLES = [
  'click_windows',
  'click_visitors',
  'click_counts',
  'click_dims',
  'link_totals',
  'job_runs',
  'counters',
  'click_faults',
];

/** Clicks on two links over 20 months, so many that some days and months exceed the caps of values. */
function history(): ClickEvent[] {
  const clicks: ClickEvent[] = [];
  for (let i = 0; i < 3_000; i++) {
    const t = NOW - Math.floor((i * 600 * DAY_MS) / 3_000) - (i % 7) * HOUR_MS;
    const facts = {
      t,
      k: i % 3 === 0 ? '' : `v${i % 40}`,
      r: `r${(i * i) % 450}.example`,
      y: `City ${i % 230}`,
      c: i % 5 ? 'IN' : 'DE',
    };
    clicks.push(
      makeClick(1 + (i % 2), i % 11 === 0 ? { ...facts, ua: UA_BOT } : i % 4 === 0 ? { ...facts, ua: UA_IPHONE } : facts),
    );
    if (i % 40 === 0) clicks.push(makeClick(1, { ...facts, p: 1 }));
  }
  // One busy day and one busy month, both long ago.
  for (let i = 0; i < 700; i++) {
    clicks.push(makeClick(1, { t: Date.UTC(2025, 6, 1 + (i % 4), i % 24), r: `busy${i % 350}.example`, y: `Busy ${i % 200}` }));
  }
  return clicks;
}

const chunks = (clicks: ClickEvent[]) =>
  Array.from({ length: Math.ceil(clicks.length / 500) }, (_, i) => makeWindow(clicks.slice(i * 500, i * 500 + 500)));

/** Reports of both links in every range, as the API would return them at `now`. */
async function readReports(now: number): Promise<string[]> {
  const all: string[] = [];
  for (const code of ['link1', 'link2'])
    for (const range of RANGES) {
      const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
      if (found === undefined) throw new Error('no link');
      all.push(JSON.stringify((await buildReport(db, found, range, 'https://hop.example', now)).report));
    }
  return all;
}

const count = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>('n');

beforeEach(async () => {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await makeLinks([1, 2, 3]);
  await foldWindows(env.DB, chunks(history()), NOW);
});

describe('a report does not change', () => {
  it('when hours are rolled up into days', async () => {
    const before = await readReports(NOW);
    const old = await count(`click_counts WHERE grain = 'h' AND at < ${oldestHourKept(NOW)}`);
    expect(old).toBeGreaterThan(300);
    expect(await rollUpHours(env, NOW)).toBe(`${old} hours rolled up`);
    expect(await count(`click_counts WHERE grain = 'h' AND at < ${oldestHourKept(NOW)}`)).toBe(0);
    expect(await count(`click_counts WHERE grain = 'h'`)).toBeGreaterThan(10);
    expect(await readReports(NOW)).toEqual(before);
  });

  it.each([
    ['after hours', [rollUpHours, rollUpDays]],
    ['before hours', [rollUpDays, rollUpHours]],
  ])('when days are rolled up into months, %s', async (_, jobs) => {
    const before = await readReports(NOW);
    const dims = (await count('click_dims')) ?? 0;
    for (const job of jobs) await job(env, NOW);
    const old = oldestDayKept(NOW);
    expect(await count(`click_counts WHERE grain IN ('h', 'd') AND at < ${old}`)).toBe(0);
    expect(await count(`click_dims WHERE grain = 'd' AND at < ${old}`)).toBe(0);
    expect(await count(`click_counts WHERE grain = 'm'`)).toBeGreaterThan(10);
    expect(await count('click_dims')).toBeLessThan(dims);
    const fullest = await env.DB.prepare(
      `SELECT max(n) AS n FROM (SELECT count(*) AS n FROM click_dims WHERE grain = 'm' AND dim = 'ref' GROUP BY link_id, at)`,
    ).first('n');
    expect(fullest).toBe(101);
    expect(await readReports(NOW)).toEqual(before);
  });

  it('when clicks arrive late for a month that is rolled up', async () => {
    await rollUpDays(env, NOW);
    const late = Array.from({ length: 300 }, (_, i) =>
      makeClick(1, { t: Date.UTC(2025, 6, 9), r: i % 3 ? `busy${i}.example` : `late${i % 30}.example` }),
    );
    await foldWindows(env.DB, chunks(late), NOW);
    const before = await readReports(NOW);
    await env.DB.prepare(`DELETE FROM job_runs`).run();
    await rollUpDays(env, NOW);
    expect(await count(`click_dims WHERE grain = 'd' AND at < ${oldestDayKept(NOW)}`)).toBe(0);
    expect(await readReports(NOW)).toEqual(before);
  });

  it('when old recent clicks are removed', async () => {
    await env.DB.prepare('DELETE FROM link_totals WHERE link_id = 2').run();
    await foldWindows(env.DB, [makeWindow([40, 35, 31, 30, 29, 3].map((days) => makeClick(2, { t: NOW - days * DAY_MS })))], NOW);
    const before = await readReports(NOW);
    const kept = () => env.DB.prepare('SELECT value->>0 AS t FROM link_totals, json_each(recent) WHERE link_id = 2').all();
    expect((await kept()).results.length).toBe(6);
    await pruneRecentClicks(env, NOW);
    expect((await kept()).results.map((row) => row['t'])).toEqual([3, 29, 30].map((days) => NOW - days * DAY_MS));
    expect(await readReports(NOW)).toEqual(before);
  });

  it('when window ids, visitor ids, counters and faults expire', async () => {
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO counters (key, count, expires_at) VALUES ('over', 1, ${NOW}), ('not yet', 1, ${NOW + 1})`),
      env.DB.prepare(`INSERT INTO click_faults (at, reason, body) VALUES (${NOW - 31 * DAY_MS}, 'old', ''), (${NOW}, 'new', '')`),
    ]);
    await foldWindows(
      env.DB,
      [16, 15, 14, 0].map((days) => makeWindow([makeClick(1, { t: NOW - days * DAY_MS })])),
      NOW,
    );
    const before = await readReports(NOW);
    await deleteExpiredClickData(env, NOW);
    const days = await env.DB.prepare('SELECT DISTINCT day FROM click_visitors ORDER BY day').all();
    expect(days.results.map((row) => row['day'])).toEqual([startOfDay(NOW) / DAY_MS - 1, startOfDay(NOW) / DAY_MS]);
    const windows = await rowsOf('click_windows');
    expect(windows.map((row) => Number(String(row['id']).split('.')[0]) - startOfDay(NOW) / DAY_MS)).toEqual([-15, -14, 0]);
    expect((await rowsOf('counters')).map((row) => row['key'])).toEqual(['not yet']);
    expect((await rowsOf('click_faults')).map((row) => row['reason'])).toEqual(['new']);
    expect(await readReports(NOW)).toEqual(before);
  });
});

describe('the edges of what is kept', () => {
  const analyticsOf = async (code: string) => {
    const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    return (await buildReport(db, found, 'all', 'https://hop.example', NOW)).report.analytics;
  };

  it('shows an hour that is exactly 14 days old, and does not roll it up', async () => {
    const oldest = oldestHourKept(NOW);
    await foldWindows(env.DB, [makeWindow([makeClick(3, { t: oldest }), makeClick(3, { t: oldest - 1 })])], NOW);
    expect((await analyticsOf('link3')).clicksByHour).toEqual({ [oldest]: 1 });
    await rollUpHours(env, NOW);
    const rows = await env.DB.prepare('SELECT grain, at FROM click_counts WHERE link_id = 3 ORDER BY at').all();
    expect(rows.results).toEqual([
      { grain: 'd', at: oldest - DAY_MS },
      { grain: 'h', at: oldest },
    ]);
    expect((await analyticsOf('link3')).clicksByHour).toEqual({ [oldest]: 1 });
  });

  it('shows and keeps a recent click of the first moment of the 30th day', async () => {
    const oldest = startOfDay(NOW) - 30 * DAY_MS;
    await foldWindows(env.DB, [makeWindow([makeClick(3, { t: oldest }), makeClick(3, { t: oldest - 1 })])], NOW);
    const before = (await analyticsOf('link3')).recentClicks;
    expect(before.map((click) => click.clicked_at)).toEqual([new Date(oldest).toISOString()]);
    await pruneRecentClicks(env, NOW);
    expect((await analyticsOf('link3')).recentClicks).toEqual(before);
  });

  it('does not count a day with only bots as an active day of a month', async () => {
    const old = (day: number, ua?: string) => makeClick(3, { t: Date.UTC(2025, 2, day), ...(ua === undefined ? {} : { ua }) });
    await foldWindows(env.DB, [makeWindow([old(3), old(3), old(4, UA_BOT), old(5)])], NOW);
    await rollUpDays(env, NOW);
    expect((await analyticsOf('link3')).activeDays).toBe(2);
  });

  it('lists 100 referrers of an old month before and after it is rolled up', async () => {
    const clicks = Array.from({ length: 100 }, (_, i) => makeClick(3, { t: Date.UTC(2025, 2, 3), r: `r${i}.example` }));
    await foldWindows(env.DB, [makeWindow(clicks)], NOW);
    const before = (await analyticsOf('link3')).clicksByReferrer;
    expect(Object.keys(before)).toHaveLength(100);
    expect(before).not.toHaveProperty('Other');
    await rollUpDays(env, NOW);
    expect((await analyticsOf('link3')).clicksByReferrer).toEqual(before);
  });
});

describe('missed, late and repeated runs', () => {
  it('catches up a year of missed runs, and a second run changes nothing', async () => {
    const later = NOW + 370 * DAY_MS;
    const before = await readReports(later);
    for (let i = 0; i < 2; i++) {
      for (const job of [rollUpHours, rollUpDays, pruneRecentClicks, deleteExpiredClickData]) await job(env, later);
      expect(await readReports(later)).toEqual(before);
    }
    expect(await count(`click_counts WHERE grain = 'h'`)).toBe(0);
    expect(await count('click_visitors')).toBe(0);
  });

  it('counts a late click of a rolled-up hour once and rolls it up in the next run', async () => {
    await rollUpHours(env, NOW);
    const at = NOW - 20 * DAY_MS;
    const window = makeWindow([makeClick(1, { t: at, k: 'late' })]);
    const day = async () =>
      (await env.DB.prepare('SELECT sum(human) AS n FROM click_counts WHERE link_id = 1 AND at >= ?1 AND at < ?2')
        .bind(startOfDay(at), startOfDay(at) + DAY_MS)
        .first<number>('n')) ?? 0;
    const was = await day();
    await Promise.all([foldWindows(env.DB, [window], NOW), rollUpHours(env, NOW + DAY_MS), foldWindows(env.DB, [window], NOW)]);
    expect(await day()).toBe(was + 1);
    await rollUpHours(env, NOW + 2 * DAY_MS);
    expect(await day()).toBe(was + 1);
    expect(await count(`click_counts WHERE grain = 'h' AND at < ${oldestHourKept(NOW)}`)).toBe(0);
  });

  it('keeps totals equal to their sums before, between and after the jobs', async () => {
    for (const [i, job] of [null, rollUpHours, rollUpDays, pruneRecentClicks, deleteExpiredClickData].entries()) {
      await job?.(env, NOW + i * DAY_MS);
      await verifyTotals(env, NOW + i * DAY_MS);
      expect(await readLastVerification(db)).toMatchObject({
        ok: true,
        checked_at: new Date(NOW + i * DAY_MS).toISOString(),
        links: 3,
        drift: [],
      });
    }
  });
});
