import { DAY_MS } from '#contract/time.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  UA_CHROME,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import { buildFilteredReport } from './filtered-report.ts';
import { findVisibleLink, buildReport } from './report.ts';
import { countBatches } from '#worker/testing/faults.ts';

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
  return buildReport(db, found, {
    period: periodOf({ range: 'all' }, NOW),
    origins: HOP,
    now: NOW,
  });
}

describe('cost of a report', () => {
  it('a report reads as many rows for 20,000 clicks as for 1,000', async () => {
    await makeLinks([1, 2]);
    await foldWindows(env.DB, [makeWindow(makeThousandClicks(1))], NOW);
    for (let i = 0; i < 20; i++)
      await foldWindows(env.DB, [makeWindow(makeThousandClicks(2))], NOW);
    const small = await buildReportOf('link1');
    const big = await buildReportOf('link2');
    expect(small.report.analytics.totalClicks).toBe(1_000);
    expect(big.report.analytics.totalClicks).toBe(20_000);
    expect(Object.values(big.report.analytics.clicksByCountry)).toEqual([20_000]);
    console.log(
      `rows read by a report: ${small.rowsRead} at 1,000 clicks, ${big.rowsRead} at 20,000`,
    );
    expect(big.rowsRead).toBeLessThanOrEqual(small.rowsRead);
    expect(small.rowsRead).toBeGreaterThan(10);
    expect(small.rowsRead).toBeLessThanOrEqual(30);
  });

  it('a report with a filter reads at most two rows per day', async () => {
    const found = await findVisibleLink(db, 'link2', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const filter = { dimension: 'country', value: 'IN' } as const;
    const filtered = await buildFilteredReport(db, found, [filter], {
      period: periodOf({ range: 'all' }, NOW),
      origins: HOP,
      now: NOW,
    });
    expect(filtered.report.analytics.totalClicks).toBe(20_000);
    expect(filtered.rowsRead).toBeGreaterThanOrEqual(10);
    expect(filtered.rowsRead).toBeLessThanOrEqual(40);
  });

  it.each([
    ['a day of which 90 days before begin on the 2nd', Date.UTC(2026, 9, 30, 12)],
    ['the day before half a month is closed', Date.UTC(2026, 10, 18, 12)],
    // Half a month with few days stays open. Ninety days before begin on the 2nd.
    ['a day in a month whose first half has four days with clicks', Date.UTC(2027, 2, 1, 12), 11],
  ])(
    'a report reads at most 31 rows, a row per month and 45 more, on %s',
    async (_, now, without = 0) => {
      await deleteClicks();
      await makeLinks([3]);
      const firstIdle = Date.UTC(2027, 1, 1);
      // A click a day for 15 months, folded and closed as time goes by.
      for (let end = now - 420 * DAY_MS; end <= now; end += 15 * DAY_MS) {
        const days = Array.from({ length: 15 }, (_unused, i) =>
          makeClick(3, { t: end - i * DAY_MS }),
        );
        const clicks = days.filter(({ t }) => t < firstIdle || t >= firstIdle + without * DAY_MS);
        await foldWindows(env.DB, [makeWindow(clicks)], end);
        await closeMonths(env, end);
      }
      await deleteExpiredData(env, now);
      const found = await findVisibleLink(db, 'link3', { id: '', role: 'admin' });
      if (found === undefined) throw new Error('no link');
      for (const [range, days, months] of [
        ['7d', 7, 2],
        ['30d', 30, 2],
        ['90d', 90, 3],
        ['all', 435, 15],
      ] as const) {
        const { report, rowsRead } = await buildReport(db, found, {
          period: periodOf({ range }, now),
          origins: HOP,
          now,
        });
        const clicks = days < 30 ? days : days - without;
        expect({ range, clicks: report.analytics.totalClicks }).toEqual({ range, clicks });
        expect(report.analytics.activeDays).toBe(clicks);
        console.log(`rows read for ${range}: ${rowsRead}`);
        // The 15 months of its life are read for the days on which it was clicked since then.
        expect(rowsRead).toBeLessThanOrEqual(31 + months + 20 + 25);
      }
    },
  );

  it('a report runs one batch, a statement per kind of row and month', async () => {
    const { db: counting, batches } = countBatches(env.DB);
    await makeLinks([1]);
    const found = await findVisibleLink(db, 'link1', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    await buildReport(openDb(counting), found, {
      period: periodOf({ range: '30d' }, NOW),
      origins: HOP,
      now: NOW,
    });
    // Totals, active days, months, the days of October, four tables of other days, and the two of the previous
    // release.
    expect(batches).toEqual([8]);
  });
});
