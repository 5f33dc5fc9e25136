import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { periodOf, RANGES } from '#contract/reports/ranges.ts';
import { findVisibleLink, buildReport } from '#worker/reports/report.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { startOfDay, oldestHourKept } from '#contract/reports/periods.ts';
import { openDb } from '#worker/db/client.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  storedDays,
  UA_BOT,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { verifyTotals, readLastVerification } from '#worker/clicks/maintenance/verify-totals.ts';
import { pruneRecentClicks } from '#worker/clicks/maintenance/prune-recent-clicks.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 20, 15, 30);
/**
 * Clicks on two links over 20 months, so many that some days and months exceed the caps of values.
 */
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
      makeClick(
        1 + (i % 2),
        i % 11 === 0 ? { ...facts, ua: UA_BOT } : i % 4 === 0 ? { ...facts, ua: UA_IPHONE } : facts,
      ),
    );
    if (i % 40 === 0) clicks.push(makeClick(1, { ...facts, p: 1 }));
  }
  // One busy day and one busy month, both long ago.
  for (let i = 0; i < 700; i++) {
    clicks.push(
      makeClick(1, {
        t: Date.UTC(2025, 6, 1 + (i % 4), i % 24),
        r: `busy${i % 350}.example`,
        y: `Busy ${i % 200}`,
      }),
    );
  }
  return clicks;
}

const chunks = (clicks: ClickEvent[]) =>
  Array.from({ length: Math.ceil(clicks.length / 500) }, (_, i) =>
    makeWindow(clicks.slice(i * 500, i * 500 + 500)),
  );

/** Reports of both links in every range, as the API would return them at `now`. */
async function readReports(now: number): Promise<string[]> {
  const all: string[] = [];
  for (const code of ['link1', 'link2'])
    for (const range of RANGES) {
      const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
      if (found === undefined) throw new Error('no link');
      all.push(
        JSON.stringify(
          (
            await buildReport(db, found, {
              period: periodOf({ range }, now),
              origins: HOP,
              now,
            })
          ).report,
        ),
      );
    }
  return all;
}

/** The days of which there is a table, counted from today. */
async function daysOfTables(kind: string): Promise<number[]> {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE name GLOB '${kind}_[0-9]*'`,
  ).all<{ name: string }>();
  return tables.results
    .map(({ name }) => Number(name.slice(kind.length + 1)) - startOfDay(NOW) / DAY_MS)
    .sort((a, b) => a - b);
}

const count = (sql: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>('n');

beforeEach(async () => {
  await deleteClicks();
  await env.DB.prepare('DELETE FROM counters').run();
  await makeLinks([1, 2, 3]);
  await foldWindows(env.DB, chunks(history()), NOW);
});

describe('a report does not change', () => {
  it('a report does not change when days are added to their months', async () => {
    const before = await readReports(NOW);
    expect(await count('link_months WHERE month >= 682')).toBe(0);
    expect(await closeMonths(env, NOW)).toMatchObject({
      done: { days_closed: expect.any(Number) },
      left: 0,
    });
    const closed = await rowsOf('link_months');
    // November 2026 is month 682: its days are added up to the 15th.
    expect(closed.find((row) => row['month'] === 682)).toMatchObject({
      through: Date.UTC(2026, 10, 15) / DAY_MS,
    });
    expect(closed.length).toBeGreaterThan(30);
    expect(await readReports(NOW)).toEqual(before);
  });

  it('a report does not change when the rest of a month is added', async () => {
    const [middle, later] = [NOW, Date.UTC(2026, 11, 4)];
    // Few open days would stay open.
    await foldWindows(
      env.DB,
      [
        makeWindow(
          [21, 22, 23].flatMap((day) =>
            [1, 2].map((link) => makeClick(link, { t: Date.UTC(2026, 10, day) })),
          ),
        ),
      ],
      later,
    );
    const before = await readReports(later);
    await closeMonths(env, middle);
    expect(await readReports(later)).toEqual(before);
    await closeMonths(env, later);
    expect(await readReports(later)).toEqual(before);
    const closed = await rowsOf('link_months');
    expect(closed.filter((row) => row['month'] === 682).map((row) => row['through'])).toEqual(
      [1, 2].map(() => Date.UTC(2026, 10, 30) / DAY_MS),
    );
  });

  it('a report does not change when the days of old months are dropped', async () => {
    const later = Date.UTC(2027, 3, 3);
    const rows = async () => (await storedDays()).length;
    const stored = await rows();
    await closeMonths(env, NOW);
    // Not before all of them have been added to their months.
    await deleteExpiredData(env, later);
    expect(await rows()).toBe(stored);
    await closeMonths(env, later);
    const before = await readReports(later);
    await deleteExpiredData(env, later);
    expect(await rows()).toBeLessThan(stored);
    expect(await readReports(later)).toEqual(before);
  });

  it.each([
    ['a month that is closed', Date.UTC(2026, 9, 9)],
    ['a closed half of this month', Date.UTC(2026, 10, 9)],
    ['a month long ago', Date.UTC(2025, 6, 9)],
  ])('a report does not change by late clicks for %s', async (_month, t) => {
    const late = Array.from({ length: 90 }, (_, i) =>
      makeClick(1, { t, r: `late${i % 30}.example`, k: `late${i}` }),
    );
    const some = chunks(late);
    await foldWindows(env.DB, some, NOW);
    await closeMonths(env, NOW);
    const after = await readReports(NOW);
    await deleteClicks();
    await foldWindows(env.DB, chunks(history()), NOW);
    await closeMonths(env, NOW);
    await foldWindows(env.DB, some, NOW);
    expect(await readReports(NOW)).toEqual(after);
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toMatchObject({ ok: true });
  });

  it('a report does not change when old recent clicks are removed', async () => {
    await foldWindows(
      env.DB,
      [makeWindow([53, 52, 30, 20].map((days) => makeClick(3, { t: NOW - days * DAY_MS })))],
      NOW - 23 * DAY_MS,
    );
    const before = await readReports(NOW);
    const kept = async () => {
      const clicks = await env.DB.prepare(
        'SELECT value->>0 AS t FROM link_totals, json_each(recent) WHERE link_id = 3',
      ).all();
      return clicks.results.map((row) => (NOW - Number(row['t'])) / DAY_MS);
    };
    expect(await kept()).toEqual([20, 30, 52, 53]);
    // The job removes them once the oldest would otherwise be kept for 60 days, and so does the
    // next click.
    await pruneRecentClicks(env, NOW - 9 * DAY_MS);
    expect(await kept()).toEqual([20, 30, 52, 53]);
    await pruneRecentClicks(env, NOW);
    expect(await kept()).toEqual([20, 30]);
    expect(await readReports(NOW)).toEqual(before);
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(3, { t: NOW + 5 * DAY_MS, ua: UA_BOT })])],
      NOW + 5 * DAY_MS,
    );
    expect(await kept()).toEqual([20]);
  });

  it('a report does not change when window ids, counters and faults expire', async () => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO counters (key, count, expires_at) VALUES ('over', 1, ${NOW}), ('not yet', 1, ${NOW + 1})`,
      ),
      env.DB.prepare(
        `INSERT INTO click_faults (at, reason, body) VALUES (${NOW - 30 * DAY_MS - 1}, 'old', ''), (${NOW - 30 * DAY_MS}, 'new', '')`,
      ),
      env.DB.prepare(
        `INSERT INTO link_claims (link_id, token_hash, expires_at) VALUES (1, 'over', ${NOW}), (2, 'not yet', ${NOW + 1})`,
      ),
      env.DB.prepare(
        `INSERT INTO idempotent_requests (user_id, key, request_hash, attempt, leased_until, expires_at) VALUES ('u', 'over', '', '', 0, ${NOW}), ('u', 'not yet', '', '', 0, ${NOW + 1})`,
      ),
    ]);
    await foldWindows(
      env.DB,
      [16, 15, 14, 0].map((days) => makeWindow([makeClick(1, { t: NOW - days * DAY_MS })])),
      NOW,
    );
    const before = await readReports(NOW);
    await deleteExpiredData(env, NOW);
    expect(await daysOfTables('click_windows')).toEqual([-15, -14, 0]);
    expect((await rowsOf('counters')).map((row) => row['key'])).toEqual(['not yet']);
    expect((await rowsOf('click_faults')).map((row) => row['reason'])).toEqual(['new']);
    expect((await rowsOf('link_claims')).map((row) => row['link_id'])).toEqual([2]);
    expect((await rowsOf('idempotent_requests')).map((row) => row['key'])).toEqual(['not yet']);
    expect(await readReports(NOW)).toEqual(before);
  });
});

describe('the edges of what is kept', () => {
  const analyticsOf = async (code: string) => {
    const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    return (
      await buildReport(db, found, {
        period: periodOf({ range: 'all' }, NOW),
        origins: HOP,
        now: NOW,
      })
    ).report.analytics;
  };

  it('shows an hour that is exactly 14 days old', async () => {
    const oldest = oldestHourKept(NOW);
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(3, { t: oldest }), makeClick(3, { t: oldest - 1 })])],
      NOW,
    );
    expect((await analyticsOf('link3')).clicksByHour).toEqual({ [oldest]: 1 });
  });

  it('recognises visitors of a day until its key expires after 48 hours', async () => {
    const yesterday = makeClick(3, { t: startOfDay(NOW) - 1, k: 'a' });
    const end = startOfDay(NOW) + DAY_MS;
    const daysOfSets = async () =>
      Object.keys(
        JSON.parse(
          String(
            (await rowsOf('link_totals')).find((row) => row['link_id'] === 3)?.['visitor_sets'],
          ),
        ),
      );
    for (const t of [NOW, end - 1]) await foldWindows(env.DB, [makeWindow([yesterday])], t);
    expect(await analyticsOf('link3')).toMatchObject({ totalClicks: 2, uniqueClicks: 1 });
    expect(await daysOfSets()).toEqual([String(startOfDay(NOW) / DAY_MS - 1)]);
    // The next click of the link removes the set. It still counts, and brings no set back.
    await foldWindows(env.DB, [makeWindow([yesterday])], end);
    expect(await analyticsOf('link3')).toMatchObject({ totalClicks: 3, uniqueClicks: 2 });
    expect(await daysOfSets()).toEqual([]);
  });

  it('removes the visitor sets of an idle link with its recent clicks', async () => {
    await foldWindows(env.DB, [makeWindow([makeClick(3, { t: NOW, k: 'a' })])], NOW);
    const sets = () =>
      env.DB.prepare(`SELECT visitor_sets FROM link_totals WHERE link_id = 3`).first(
        'visitor_sets',
      );
    await pruneRecentClicks(env, NOW + 40 * DAY_MS);
    expect(await sets()).not.toBe('{}');
    await pruneRecentClicks(env, NOW + 59 * DAY_MS);
    expect(await sets()).toBe('{}');
  });

  it('shows and keeps a recent click of the first moment of the 30th day', async () => {
    const oldest = startOfDay(NOW) - 30 * DAY_MS;
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(3, { t: oldest }), makeClick(3, { t: oldest - 1 })])],
      NOW,
    );
    const before = (await analyticsOf('link3')).recentClicks;
    expect(before.map((click) => click.clicked_at)).toEqual([new Date(oldest).toISOString()]);
    await pruneRecentClicks(env, NOW);
    expect((await analyticsOf('link3')).recentClicks).toEqual(before);
  });

  it('a day with only bots is not an active day of a month', async () => {
    const old = (day: number, ua?: string) =>
      makeClick(3, { t: Date.UTC(2025, 2, day), ...(ua === undefined ? {} : { ua }) });
    await foldWindows(env.DB, [makeWindow([old(3), old(3), old(4, UA_BOT), old(5)])], NOW);
    await closeMonths(env, NOW);
    expect((await analyticsOf('link3')).activeDays).toBe(2);
  });

  it('lists 100 referrers of an old month before and after it is closed', async () => {
    const clicks = Array.from({ length: 100 }, (_, i) =>
      makeClick(3, { t: Date.UTC(2025, 2, 3), r: `r${i}.example` }),
    );
    await foldWindows(env.DB, [makeWindow(clicks)], NOW);
    const before = (await analyticsOf('link3')).clicksByReferrer;
    expect(Object.keys(before)).toHaveLength(100);
    expect(before).not.toHaveProperty('Other');
    await closeMonths(env, NOW);
    expect((await analyticsOf('link3')).clicksByReferrer).toEqual(before);
  });
});

describe('missed, late and repeated runs', () => {
  it('catches up a year of missed runs, and a second run changes nothing', async () => {
    const later = NOW + 200 * DAY_MS;
    const before = await readReports(later);
    for (let i = 0; i < 2; i++) {
      for (const job of [closeMonths, pruneRecentClicks, deleteExpiredData]) await job(env, later);
      expect(await readReports(later)).toEqual(before);
    }
    expect(await daysOfTables('click_windows')).toEqual([]);
  });

  it('a late click counts once while its month is being closed', async () => {
    const window = makeWindow([makeClick(1, { t: NOW - 20 * DAY_MS, k: 'late' })]);
    const human = async () =>
      (await env.DB.prepare('SELECT human FROM link_totals WHERE link_id = 1').first<number>(
        'human',
      )) ?? 0;
    const was = await human();
    // A run that met the fold fails, and the next one does the work.
    const close = () => closeMonths(env, NOW).catch(() => null);
    await Promise.all([
      foldWindows(env.DB, [window], NOW),
      close(),
      foldWindows(env.DB, [window], NOW),
      close(),
    ]);
    await closeMonths(env, NOW);
    expect(await human()).toBe(was + 1);
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toMatchObject({ ok: true });
  });

  it('totals equal their sums before, between and after the jobs', async () => {
    for (const [i, job] of [null, closeMonths, pruneRecentClicks, deleteExpiredData].entries()) {
      await job?.(env, NOW + i * DAY_MS);
      await verifyTotals(env, NOW + i * DAY_MS);
      expect(await readLastVerification(db)).toMatchObject({
        ok: true,
        checked_at: new Date(NOW + i * DAY_MS).toISOString(),
        drift: [],
      });
    }
  });
});
