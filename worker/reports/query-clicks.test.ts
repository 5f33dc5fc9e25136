import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, oldestDayKept } from '#contract/reports/periods.ts';
import { daysTableOf } from '#worker/clicks/fold/tables.ts';
import { openDb } from '#worker/db/client.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { countReadableDays, ROWS_MAX, VALUES_MAX } from './clicked-links.ts';
import { queryClicks } from './query-clicks.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const TODAY = dayNumber(NOW);
const USER = 'large';
/** The account has 10,100 links. The first 1,000 have a click a day, for 30 days. */
const LINKS = 10_100;
const CLICKED = 1_000;
const DAYS = 30;
/** The last 100 links were clicked on this day last, as far as the ranking knows. */
const IDLE_SINCE = TODAY - 25;

const COUNTS = JSON.stringify([1, 0, 0, 1, [9, 1], 0, ['DE|BE|Berlin', 1], [], []]);

beforeAll(async () => {
  const { DB } = env;
  await DB.prepare(
    `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
     INSERT INTO links (id, code, target, target_host, user_id, created_at, updated_at, ranked_last_click_at)
     SELECT i, 'l' || i, 'https://example.com/', 'example.com', ?1, i, i,
       86400000 * iif(i <= ?3, ?4, iif(i <= 10000, ?4 - 20, ?5)) FROM seq`,
  )
    .bind(USER, LINKS, CLICKED, TODAY, IDLE_SINCE)
    .run();
  await DB.batch([
    DB.prepare(
      `INSERT INTO link_totals (link_id, human, visitors, last_at, day, counts)
       SELECT id, ?1, ?1, ?2, ?3, ?4 FROM links WHERE id <= ?5`,
    ).bind(DAYS, NOW, TODAY, COUNTS, CLICKED),
    ...Array.from({ length: DAYS - 1 }, (_, i) => TODAY - i - 1).map((day) =>
      DB.prepare(
        `INSERT INTO ${daysTableOf(day, NOW)} (link_id, day, counts) SELECT id, ?1, ?2 FROM links WHERE id <= ?3`,
      ).bind(day, COUNTS, CLICKED),
    ),
    DB.prepare(
      `INSERT INTO tags (id, user_id, name, color, created_at) VALUES (1, ?1, 'some', 'red', 0)`,
    ).bind(USER),
    DB.prepare(
      `INSERT INTO link_tags (link_id, tag_id, link_created_at) SELECT id, 1, 0 FROM links WHERE id <= 500`,
    ),
  ]);
});

async function count(request: Partial<Parameters<typeof queryClicks>[1]>) {
  const { db, rowsRead } = countRowsRead(env.DB);
  const started = performance.now();
  const result = await queryClicks(openDb(db), {
    userId: USER,
    codePrefix: '',
    ids: null,
    tagIds: null,
    host: null,
    groupBy: 'link',
    interval: null,
    filters: {},
    wanted: { first: TODAY - DAYS + 1, last: TODAY },
    now: NOW,
    ...request,
  });
  console.log(`rows read: ${rowsRead()}, ${Math.round(performance.now() - started)} ms`);
  return { result, rows: rowsRead() };
}

describe('queryClicks', () => {
  it.each([
    ['by link', {}],
    ['by tag', { groupBy: 'tag' }],
    ['by country', { groupBy: 'country' }],
    ['from a country', { filters: { country: 'DE' } }],
  ] as const)('counts %s as many days as one request can read', async (_, request) => {
    const { result, rows } = await count(request);
    expect(result).toMatchObject({
      days: { first: TODAY - ROWS_MAX / CLICKED + 1, last: TODAY },
      shortenedBy: 'size',
      totals: { clicks: ROWS_MAX },
    });
    expect(rows).toBeGreaterThan(ROWS_MAX);
    expect(rows).toBeLessThan(10 * ROWS_MAX);
  });

  it('counts as many days of values as one request can read, and one at least', async () => {
    const ids = Array.from({ length: 350 }, (_, i) => i + 1001);
    // A day with more clicks than it lists countries counts as twice the countries that it lists.
    const counts = JSON.stringify([999, 0, 0, 0, [], 0, ['DE|BE|Berlin', 900, 'FR||', 99], [], []]);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO link_totals (link_id, human, last_at, day, counts) SELECT value, 2997, ?2, ?3, ?4 FROM json_each(?1)`,
      ).bind(JSON.stringify(ids), NOW, TODAY, counts),
      ...[1, 2].map((ago) =>
        env.DB.prepare(
          `INSERT INTO ${daysTableOf(TODAY - ago, NOW)} (link_id, day, counts) SELECT value, ?2, ?3 FROM json_each(?1)`,
        ).bind(JSON.stringify(ids), TODAY - ago, counts),
      ),
    ]);
    const days = Math.floor(VALUES_MAX / (350 * 300));
    expect(days).toBe(1);
    const { result } = await count({ ids, groupBy: 'country' });
    expect(result).toMatchObject({ days: { first: TODAY, last: TODAY }, shortenedBy: 'size' });
    expect(result.ok && result.entries.map(({ key, clicks }) => [key, clicks])).toEqual([
      ['DE', 900 * 350],
      ['FR', 99 * 350],
    ]);
    const some = await count({ ids: ids.slice(0, 300), filters: { country: 'FR' } });
    expect(some.result).toMatchObject({ days: { first: TODAY - 1 }, totals: { clicks: 99 * 600 } });
  });

  it('counts no day on which a link beyond the first 10,000 may have been clicked', async () => {
    const { result } = await count({ tagIds: [1] });
    expect(result).toMatchObject({
      days: { first: IDLE_SINCE + 1, last: TODAY },
      shortenedBy: 'size',
      totals: { clicks: 500 * 25 },
    });
  });

  it('counts nothing where links beyond the first 10,000 may have clicks on every day', async () => {
    const wanted = { first: IDLE_SINCE - 9, last: IDLE_SINCE };
    const { result } = await count({ wanted });
    expect(result).toEqual({ ok: false, reason: 'too_many_clicked_links' });
    expect((await count({ wanted, ids: [1] })).result).toMatchObject({ totals: { clicks: 5 } });
  });

  it('counts from the oldest day that is kept, and says if that shortens the period', async () => {
    const oldest = dayNumber(oldestDayKept(NOW));
    const from = async (first: number, last: number) =>
      (await count({ ids: [1], wanted: { first, last } })).result;
    expect(await from(oldest, oldest)).toMatchObject({ ok: true, shortenedBy: null });
    expect(await from(oldest - 1, oldest)).toMatchObject({
      ok: true,
      days: { first: oldest, last: oldest },
      shortenedBy: 'retention',
    });
    expect(await from(oldest - 1, oldest - 1)).toEqual({ ok: false, reason: 'period_not_kept' });
    const all = await count({ wanted: { first: oldest - 1, last: TODAY } });
    expect(all.result).toMatchObject({ ok: true, shortenedBy: 'size' });
    expect(await from(TODAY, TODAY)).toMatchObject({ totals: { clicks: 1 } });
  });

  it('counts all days of named links, whatever the size of their account', async () => {
    const { result, rows } = await count({ ids: [1, 2, LINKS] });
    expect(result).toMatchObject({ shortenedBy: null, totals: { clicks: 2 * DAYS } });
    expect(result.ok && result.entries.map(({ key, clicks }) => [key, clicks])).toEqual([
      ['1', DAYS],
      ['2', DAYS],
      [String(LINKS), 0],
    ]);
    expect(rows).toBeLessThan(100);
  });

  it('reads at most a row for each click', () => {
    expect(countReadableDays([], 30)).toBe(30);
    expect(
      countReadableDays(
        Array.from({ length: ROWS_MAX }, () => 1),
        30,
      ),
    ).toBe(30);
    expect(countReadableDays([...Array.from({ length: ROWS_MAX - 2 }, () => 1), 3], 30)).toBe(2);
    expect(
      countReadableDays(
        Array.from({ length: ROWS_MAX / 4 }, () => 5),
        30,
      ),
    ).toBe(4);
  });
});
