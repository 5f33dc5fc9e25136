import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  storedDays,
  UA_BOT,
  UA_CHROME,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import { aroundD1, countBatches } from '#worker/testing/faults.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { foldWindows } from './fold-windows.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { pruneRecentClicks } from '#worker/clicks/maintenance/prune-recent-clicks.ts';
import { verifyTotals } from '#worker/clicks/maintenance/verify-totals.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const START = Date.UTC(2026, 8, 1, 12);
const CLICKS = 1_000;
const ids = Array.from({ length: CLICKS }, (_, i) => i + 1);

beforeEach(async () => {
  await deleteClicks();
  await makeLinks(ids);
});

/**
 * The i-th click of a mixed audience: 30 places, 4 kinds of user agent, 12 referrers, every fifth
 * without a visitor id.
 */
function audience(link: number, i: number): ClickEvent {
  const ua = [
    UA_CHROME,
    UA_IPHONE,
    UA_CHROME.replace('Windows NT 10.0', 'X11; Linux x86_64'),
    UA_BOT,
  ][i % 4];
  return makeClick(link, {
    t: NOON + i * 10,
    y: `City ${i % 30}`,
    r: i % 3 ? `r${i % 12}.example` : '',
    k: i % 5 ? `visitor ${i % 600}` : '',
    ...(ua === undefined ? {} : { ua }),
  });
}

const windowsOf = (clicks: ClickEvent[], size: number) =>
  Array.from({ length: Math.ceil(clicks.length / size) }, (_, i) =>
    makeWindow(clicks.slice(i * size, (i + 1) * size)),
  );

/** The database, which reports the rows that its statements write. */
const withRowsWritten = (report: (rows: number) => void): D1Database =>
  aroundD1(env.DB, async (_, run) => {
    const results = await run();
    for (const result of [results].flat()) {
      const { data } = d1Result.safeParse(result);
      if (data !== undefined) report(data.meta.rows_written);
    }
    return results;
  });
const d1Result = z.object({ meta: z.object({ rows_written: z.number() }) });

/** Rows written per click by D1's own count, of a fold on a day that has counts already. */
async function rowsWrittenPerClick(clicks: ClickEvent[], windowSize: number): Promise<number> {
  const { rowsWritten, clicks: counted } = await foldWindows(
    env.DB,
    windowsOf(clicks, windowSize),
    NOON,
  );
  expect(counted).toBe(clicks.length);
  return rowsWritten / clicks.length;
}

const JOBS = [closeMonths, pruneRecentClicks, verifyTotals, deleteExpiredData];

/** The rows that jobs write about themselves, by the number of days with a fold. */
const bookkeepingOf: Record<number, number> = {};

/**
 * Rows written by a fold per day, and by all jobs until two years later, without what the jobs
 * write about themselves.
 */
async function rowsWrittenInALife(days: readonly ClickWindow[][]): Promise<number> {
  const live = async (windowsOfDays: readonly ClickWindow[][]): Promise<number> => {
    let written = 0;
    const counting = withRowsWritten((rows) => (written += rows));
    const runJobs = async (now: number) => {
      for (const job of JOBS) await job({ DB: counting }, now);
    };
    for (const [i, windows] of windowsOfDays.entries()) {
      await foldWindows(counting, windows, START + i * DAY_MS + HOUR_MS);
      if (i % 14 === 0) await runJobs(START + (i + 1) * DAY_MS);
    }
    // Every week until the recent clicks are gone, then until the months are closed, and two years
    // later.
    for (const later of [0, 7, 14, 21, 28, 35, 42, 60, 120, 180, 300, 420, 540, 660, 760])
      await runJobs(START + (days.length + later) * DAY_MS);
    return written;
  };
  // Without clicks only the number of days matters.
  const bookkeeping = (bookkeepingOf[days.length] ??= await live(days.map(() => [])));
  await env.DB.prepare('DELETE FROM job_runs').run();
  const written = await live(days);
  const clicks = days.flat().reduce((sum, window) => sum + window.e.length, 0);
  expect(await env.DB.prepare('SELECT sum(human) AS n FROM link_totals').first('n')).toBe(clicks);
  expect(await storedDays()).toHaveLength(
    new Set(days.flatMap((windows) => windows.flatMap(({ e }) => e.map(({ l }) => l)))).size,
  );
  // The table that is made for each day takes two rows.
  return (written - bookkeeping - days.length * 2) / clicks;
}

describe('cost of a fold', () => {
  it('a fold writes at most 0.01 rows per click for 1,000 clicks of one link', async () => {
    const [first, again] = [ids.map((i) => audience(1, i)), ids.map((i) => audience(1, i + 7))];
    for (const clicks of [first, again])
      expect(await rowsWrittenPerClick(clicks, 100)).toBeLessThanOrEqual(0.01);
  });

  it('a fold writes at most 1.01 rows per click for 1,000 clicks of 1,000 links', async () => {
    const [first, again] = [NOON, NOON + HOUR_MS].map((t) =>
      ids.map((i) => makeClick(i, { k: `v${i}`, t })),
    );
    for (const clicks of [first, again])
      expect(await rowsWrittenPerClick(clicks ?? [], 50)).toBeLessThanOrEqual(1.01);
  });

  it('a fold runs two batches, however many clicks', async () => {
    const { db, batches } = countBatches(env.DB);
    await foldWindows(db, windowsOf([makeClick(1, { k: 'a' })], 1), NOON);
    const many = Array.from({ length: 10_000 }, (_, i) => audience(1 + (i % 5), i));
    await foldWindows(db, windowsOf(many, 200), NOON);
    // First batch: makes a table; reads windows and links. Second: writes the links. Then the same
    // without a table.
    expect(batches).toEqual([3, 1, 2, 1]);
  });

  it('a fold writes at most 20,000 clicks at once', async () => {
    const { db, batches } = countBatches(env.DB);
    const sizes = [5_000, 5_000, 5_000, 5_000, 1];
    const windows = sizes.map((size) => makeWindow(Array(size).fill(makeClick(1))));
    expect(await foldWindows(db, windows, NOON)).toMatchObject({ clicks: 20_001, windows: 5 });
    // Each part reads and writes; the first one makes the table of the day.
    expect(batches).toEqual([3, 1, 2, 1]);
  });

  it('a fold splits rows that exceed one parameter, and counts them once', async () => {
    const clicks = Array.from({ length: 8_000 }, (_, i) =>
      makeClick(1 + (i % CLICKS), {
        k: `${'k'.repeat(30)}${i}`,
        r: `${'r'.repeat(50)}${i}.example`,
        y: `${'é'.repeat(50)}${i}`,
      }),
    );
    const windows = windowsOf(clicks, 300);
    const { db, batches } = countBatches(env.DB);
    expect((await foldWindows(db, windows, NOON)).clicks).toBe(8_000);
    expect(batches.at(-1)).toBeGreaterThan(1);
    expect((await foldWindows(env.DB, windows, NOON)).clicks).toBe(0);
    const sums = await env.DB.prepare(
      'SELECT sum(human) AS human, sum(visitors) AS visitors FROM link_totals',
    ).first();
    expect(sums).toEqual({ human: 8_000, visitors: 8_000 });
  });
});

describe('cost of a click over its life', () => {
  it('a click writes at most 2.1 rows, with one click per link, day and window', async () => {
    const links = ids.slice(0, 6);
    await env.DB.prepare('DELETE FROM links WHERE id > 6').run();
    const days = Array.from({ length: 60 }, (_, day) =>
      links.map((link) =>
        makeWindow([makeClick(link, { t: START + day * DAY_MS + link, k: `v${link}` })]),
      ),
    );
    const rows = await rowsWrittenInALife(days);
    console.log(`rows written per click of a thinly clicked link: ${rows}`);
    expect(rows).toBeGreaterThan(1);
    expect(rows).toBeLessThanOrEqual(2.1);
  });

  it('a click writes at most 2.01 rows, for 1,000 clicks of 1,000 links in 20 windows', async () => {
    const clicks = ids.map((link) => makeClick(link, { t: START, k: `v${link}` }));
    const rows = await rowsWrittenInALife([windowsOf(clicks, 50)]);
    console.log(`rows written per click of 1,000 links: ${rows}`);
    expect(rows).toBeLessThanOrEqual(2.01);
  });

  it('a click writes at most 0.01 rows, for one hot link with 75 % new visitors', async () => {
    const clicks = Array.from({ length: 10_000 }, (_, i) =>
      makeClick(1, { t: START, k: i % 4 === 0 ? 'known' : `v${i}` }),
    );
    const rows = await rowsWrittenInALife([windowsOf(clicks, 200)]);
    console.log(`rows written per click of a hot link: ${rows}`);
    expect(rows).toBeLessThanOrEqual(0.01);
  });
});

describe('expiry', () => {
  it('the expiry of window ids writes at most 100 rows, however many expire', async () => {
    const fill = (table: string, columns: string) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO ${table} SELECT ${columns} FROM n`;
    await foldWindows(env.DB, [makeWindow([makeClick(1, { t: START, k: 'a' })])], START);
    const day = startOfDay(START) / DAY_MS;
    await env.DB.prepare(fill(`click_windows_${day}`, `'w' || i`)).run();
    let written = 0;
    const counting = withRowsWritten((rows) => (written += rows));
    await deleteExpiredData({ DB: counting }, START + 20 * DAY_MS);
    expect(
      await env.DB.prepare(
        `SELECT name FROM sqlite_master WHERE name GLOB 'click_*_[0-9]*'`,
      ).first(),
    ).toBeNull();
    console.log(`rows written to drop 200,000 window ids: ${written}`);
    expect(written).toBeLessThanOrEqual(100);
  });
});

describe('size on disk', () => {
  const size = async () => (await env.DB.prepare('SELECT 1').run()).meta.size_after;

  it('a link-day with one click takes at most 130 bytes, also after it has moved', async () => {
    const clickOf = (link: number, day: number) =>
      makeWindow(
        [makeClick(link, { t: START + day * DAY_MS + link, r: 'news.example', k: `v${link}` })],
        `${day}.${link}`,
      );
    const many = Array.from({ length: 400 }, (_, i) => i + 1);
    const fold = (day: number) =>
      foldWindows(
        env.DB,
        many.map((link) => clickOf(link, day)),
        START + day * DAY_MS,
      );
    /**
     * Returns the bytes that tables take on disk: drops them, compares, and creates them again,
     * empty.
     */
    const bytesOf = async (pattern: string): Promise<number> => {
      const tables = await env.DB.prepare(
        `SELECT name, sql FROM sqlite_master WHERE name GLOB '${pattern}'`,
      ).all<{
        name: string;
        sql: string;
      }>();
      const full = await size();
      await env.DB.batch(tables.results.map(({ name }) => env.DB.prepare(`DROP TABLE ${name}`)));
      const freed = full - (await size());
      await env.DB.batch(tables.results.map(({ sql }) => env.DB.prepare(sql)));
      return freed;
    };
    await fold(0);
    // What the link's row has of the day: its counts, its visitor and its window.
    await env.DB.prepare('CREATE TABLE with_day AS SELECT * FROM link_totals').run();
    const withoutDay = `json_array(0, 0, 0, 0) AS counts, json_array() AS window_ids, json_object() AS visitor_sets`;
    const others = 'link_id, human, bot, prefetch, visitors, first_at, last_at, recent, rev, day';
    await env.DB.prepare(
      `CREATE TABLE without_day AS SELECT ${others}, ${withoutDay} FROM link_totals`,
    ).run();
    const open = ((await bytesOf('with_day')) - (await bytesOf('without_day'))) / many.length;
    for (let day = 1; day <= 20; day++) await fold(day);
    const closed = (await bytesOf('link_days_*')) / (20 * many.length);
    console.log(`bytes per link-day: open ${open}, closed ${closed}`);
    expect(open).toBeLessThanOrEqual(130);
    expect(closed).toBeLessThanOrEqual(130);
  });
});
