import { HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { foldWindows } from './fold-windows.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const CLICKS = 1_000;
const ids = Array.from({ length: CLICKS }, (_, i) => i + 1);

beforeEach(async () => {
  await env.DB.batch(
    ['click_windows', 'click_visitors', 'click_counts', 'click_dims', 'link_totals'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
  await makeLinks(ids);
});

/** The i-th click of a mixed audience: 30 places, 4 kinds of user agent, 12 referrers, every fifth without a visitor id. */
function audience(link: number, i: number): ClickEvent {
  const ua = [UA_CHROME, UA_IPHONE, UA_CHROME.replace('Windows NT 10.0', 'X11; Linux x86_64'), UA_BOT][i % 4];
  return makeClick(link, {
    t: NOON + i * 10,
    y: `City ${i % 30}`,
    r: i % 3 ? `r${i % 12}.example` : '',
    k: i % 5 ? `visitor ${i % 600}` : '',
    ...(ua === undefined ? {} : { ua }),
  });
}

const windowsOf = (clicks: ClickEvent[], size: number) =>
  Array.from({ length: Math.ceil(clicks.length / size) }, (_, i) => makeWindow(clicks.slice(i * size, (i + 1) * size)));

/** The database, and the number of statements in each batch sent to it. */
function countBatches() {
  const batches: number[] = [];
  const db: D1Database = Object.assign(Object.create(env.DB), {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => {
      batches.push(statements.length);
      return env.DB.batch(statements);
    },
  });
  return { db, batches };
}

/** Rows written per click by D1's own count, without the rows of new visitors. */
async function rowsWrittenPerClick(clicks: ClickEvent[], windowSize: number): Promise<number> {
  const { rowsWritten, visitorRows, clicks: counted } = await foldWindows(env.DB, windowsOf(clicks, windowSize), NOON);
  expect(counted).toBe(clicks.length);
  return (rowsWritten - visitorRows) / clicks.length;
}

describe('cost of a fold', () => {
  it('writes at most 0.2 rows per click for 1,000 clicks of one link', async () => {
    const first = await rowsWrittenPerClick(
      ids.map((i) => audience(1, i)),
      100,
    );
    const again = await rowsWrittenPerClick(
      ids.map((i) => audience(1, i + 7)),
      100,
    );
    console.log(`rows written per click, one link: ${first}, ${again}`);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(0.2);
    expect(again).toBeLessThanOrEqual(0.2);
  });

  it('writes at most 7 rows per click for 1,000 clicks of 1,000 links', async () => {
    const first = await rowsWrittenPerClick(
      ids.map((i) => makeClick(i, { k: `v${i}` })),
      50,
    );
    const again = await rowsWrittenPerClick(
      ids.map((i) => makeClick(i, { k: `v${i}`, t: NOON + HOUR_MS, r: 'other.example' })),
      50,
    );
    console.log(`rows written per click, 1,000 links: ${first}, ${again}`);
    expect(first).toBeLessThanOrEqual(7);
    expect(again).toBeLessThanOrEqual(7);
  });

  it('writes one row per new visitor of a link and day', async () => {
    const clicks = ids.map((i) => makeClick(1, { k: `v${i}` }));
    expect((await foldWindows(env.DB, windowsOf(clicks, 200), NOON)).visitorRows).toBe(CLICKS);
    expect((await foldWindows(env.DB, windowsOf(clicks, 200), NOON)).visitorRows).toBe(0);
  });

  it('runs one batch of five statements, however many clicks', async () => {
    const { db, batches } = countBatches();
    await foldWindows(db, windowsOf([makeClick(1)], 1), NOON);
    await foldWindows(
      db,
      windowsOf(
        Array.from({ length: 10_000 }, (_, i) => audience(1 + (i % 5), i)),
        200,
      ),
      NOON,
    );
    expect(batches).toEqual([5, 5]);
  });

  it('splits a batch whose rows exceed one parameter, and counts it once', async () => {
    const clicks = Array.from({ length: 8_000 }, (_, i) =>
      makeClick(1 + (i % CLICKS), { k: `${'k'.repeat(30)}${i}`, r: `${'r'.repeat(50)}${i}.example`, y: `${'é'.repeat(50)}${i}` }),
    );
    const windows = windowsOf(clicks, 300);
    const { db, batches } = countBatches();
    expect((await foldWindows(db, windows, NOON)).clicks).toBe(8_000);
    expect(batches.length).toBeGreaterThan(2);
    expect((await foldWindows(env.DB, windows, NOON)).clicks).toBe(0);
    const sums = await env.DB.prepare('SELECT sum(human) AS human, sum(visitors) AS visitors FROM link_totals').first();
    expect(sums).toEqual({ human: 8_000, visitors: 8_000 });
  }, 30_000);
});
