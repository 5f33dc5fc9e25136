import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { buildFilteredReport } from './filtered-report.ts';
import { findVisibleLink, buildReport } from './report.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const db = openDb(env.DB);

/** 1,000 clicks over 10 days, with the same places, agents and referrers every day. */
const makeThousandClicks = (link: number) =>
  Array.from({ length: 1_000 }, (_, i) =>
    makeClick(link, {
      t: NOW - (i % 10) * DAY_MS,
      y: `City ${Math.floor(i / 10) % 5}`,
      r: `r${Math.floor(i / 10) % 4}.example`,
      ua: i % 20 < 10 ? UA_CHROME : UA_IPHONE,
      k: `v${i}`,
    }),
  );

async function buildReportOf(code: string) {
  const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
  if (found === undefined) throw new Error('no link');
  return buildReport(db, found, 'all', 'https://hop.example', NOW);
}

describe('cost of a report', () => {
  it('reads as many rows for 1,000,000 clicks as for 1,000', async () => {
    await makeLinks([1, 2]);
    await foldWindows(env.DB, [makeWindow(makeThousandClicks(1)), makeWindow(makeThousandClicks(2))], NOW);
    // Multiplies the second link's counts, as if 1,000 times as many clicks had been folded.
    await env.DB.batch([
      env.DB.prepare('UPDATE click_counts SET human = human * 1000, visitors = visitors * 1000 WHERE link_id = 2'),
      env.DB.prepare('UPDATE click_dims SET n = n * 1000 WHERE link_id = 2'),
      env.DB.prepare('UPDATE link_totals SET human = human * 1000, visitors = visitors * 1000 WHERE link_id = 2'),
    ]);
    const small = await buildReportOf('link1');
    const big = await buildReportOf('link2');
    expect(small.report.analytics.totalClicks).toBe(1_000);
    expect(big.report.analytics.totalClicks).toBe(1_000_000);
    expect(Object.values(big.report.analytics.clicksByCountry)).toEqual([1_000_000]);
    console.log(`rows read by a report: ${small.rowsRead} at 1,000 clicks, ${big.rowsRead} at 1,000,000`);
    expect(big.rowsRead / small.rowsRead).toBeLessThanOrEqual(1.5);
    expect(small.rowsRead).toBeGreaterThan(100);
    expect(small.rowsRead).toBeLessThan(1_000);
  });

  it('reads no more rows with a filter than without', async () => {
    const found = await findVisibleLink(db, 'link2', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const whole = await buildReportOf('link2');
    const filter = { dimension: 'country', value: 'IN' } as const;
    const filtered = await buildFilteredReport(db, found, 'all', filter, 'https://hop.example', NOW);
    expect(filtered.report.analytics.totalClicks).toBe(1_000_000);
    expect(filtered.rowsRead).toBeGreaterThan(50);
    expect(filtered.rowsRead).toBeLessThanOrEqual(whole.rowsRead);
  });

  it('runs one batch of three statements', async () => {
    const batches: number[] = [];
    const counting: D1Database = Object.assign(Object.create(env.DB), {
      prepare: (sql: string) => env.DB.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        batches.push(statements.length);
        return env.DB.batch(statements);
      },
    });
    const found = await findVisibleLink(db, 'link1', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    await buildReport(openDb(counting), found, '30d', 'https://hop.example', NOW);
    expect(batches).toEqual([3]);
  });
});
