import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { readAccountReport } from '#worker/reports/account-report.ts';
import { readPrefixReport } from '#worker/reports/prefix-report.ts';
import { buildFilteredReport } from '#worker/reports/filtered-report.ts';
import { findVisibleLink, buildReport } from '#worker/reports/report.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteClicks, makeLinks } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import previous from './testdata/previous-release.json';
import { closeMonths } from './close-months.ts';
import { clickWindowSchema } from '#worker/clicks/queue/click-window-schema.ts';
import { moveOldCounts } from './move-old-counts.ts';
import { deleteExpiredClickData } from './delete-expired-click-data.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { readLastVerification, verifyTotals } from './verify-totals.ts';

/**
 * `previous-release.json` was written by the previous release: its tables after 20 months of clicks
 * and all its jobs, its reports, some windows that it then folded, and its reports an hour later.
 */
const NOW = previous.now;
const LATER = NOW + HOUR_MS;
const db = openDb(env.DB);
let userId = '';

beforeEach(async () => {
  await deleteClicks();
  userId = (await makePerson({ plan: 'premium' })).id;
  await env.DB.prepare('DELETE FROM links').run();
  await makeLinks([1, 2], userId, 0);
  for (const [table, { columns, rows }] of Object.entries(previous.tables)) {
    const values = columns.map((_, i) => `value ->> ${i}`).join(', ');
    await env.DB.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?1)`,
    )
      .bind(JSON.stringify(rows))
      .run();
  }
});

const RANGES = ['24h', '7d', '30d', '90d', 'all'] as const;
type Range = (typeof RANGES)[number];
/** Hours and months: enough to show that no row is missing or added twice. */
const FEW: readonly Range[] = ['24h', 'all'];
const FILTERS = [
  { dimension: 'country', value: 'IN' },
  { dimension: 'browser', value: 'Mobile Safari' },
  { dimension: 'referrer', value: 'r3.example' },
] as const;

/** What the reports of that release did not have. */
const NEWER = new Set(['qrScans', 'clicksByUtmSource', 'clicksByUtmMedium', 'clicksByUtmCampaign']);
const withoutNewer = (analytics: object): object =>
  Object.fromEntries(Object.entries(analytics).filter(([name]) => !NEWER.has(name)));

/** The previous release's reports of some ranges. */
const previousReports = (ranges: readonly string[]) => ({
  reports: previous.reports.reports.filter(({ range }) => ranges.includes(range)),
  accounts: previous.reports.accounts.filter(({ range }) => ranges.includes(range)),
});

/** Every report of both links, with and without filters, and of their account. */
async function readReports(now: number, ranges: readonly Range[] = RANGES) {
  const origin = 'https://hop.example';
  const reports: unknown[] = [];
  for (const code of ['link1', 'link2'])
    for (const range of ranges) {
      const found = await findVisibleLink(db, code, { id: '', role: 'admin' });
      if (found === undefined) throw new Error('no link');
      const { analytics, setAside } = (await buildReport(db, found, range, origin, now)).report;
      const filtered: unknown[] = [];
      for (const filter of FILTERS) {
        const { report } = await buildFilteredReport(db, found, range, filter, origin, now);
        const { recentClicks: _, ...rest } = report.analytics;
        filtered.push({ filter, analytics: withoutNewer(rest) });
      }
      expect([analytics.qrScans, analytics.clicksByUtmSource]).toEqual([0, {}]);
      reports.push({ code, range, analytics: withoutNewer(analytics), setAside, filtered });
    }
  const accounts: unknown[] = [];
  for (const range of ranges) {
    const { countedAt: _, ...rolledUp } = await readAccountReport(db, {
      userId,
      range,
      now,
      waitUntil: (work) => void work,
    });
    const { countedAt: __, ...byLink } = await readPrefixReport(db, {
      userId,
      codePrefix: '',
      range,
      now,
    });
    expect(rolledUp).toEqual(byLink);
    accounts.push({ range, ...byLink });
  }
  return { reports, accounts };
}

const foldLater = () =>
  foldWindows(
    env.DB,
    previous.later.map((window) => clickWindowSchema.parse(window)),
    LATER,
  );
/** The rows that the previous release left. */
const countOld = async () => {
  const tables = await env.DB.batch<{ n: number }>(
    ['click_counts', 'click_dims'].map((table) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table}`),
    ),
  );
  return tables.reduce((sum, { results }) => sum + (results[0]?.n ?? 0), 0);
};

/** Runs the job until it may begin, and then once more. */
async function move(now: number, binding = env.DB): Promise<JobResult> {
  await moveOldCounts({ DB: binding }, now - 2 * DAY_MS);
  return moveOldCounts({ DB: binding }, now);
}

describe('a database of the previous release', () => {
  it('gives the same reports before anything is moved', async () => {
    expect(await readReports(NOW)).toEqual(previous.reports);
  });

  it('gives the same reports after its counts are moved, closed and cleaned', async () => {
    const rows = await countOld();
    expect(rows).toBeGreaterThan(500);
    expect(await move(NOW)).toBe(`${rows} rows moved`);
    expect(await countOld()).toBe(0);
    expect(await readReports(NOW)).toEqual(previous.reports);
    for (const job of [closeMonths, deleteExpiredClickData]) await job(env, NOW);
    expect(await readReports(NOW)).toEqual(previous.reports);
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toMatchObject({ ok: true, links: 2 });
  });

  it.each([
    ['before', [foldLater, () => move(LATER)]],
    ['after', [() => move(NOW), foldLater]],
  ])('counts on, knows its windows and visitors, with new clicks %s the move', async (_, steps) => {
    for (const step of steps) {
      await step();
      await verifyTotals(env, NOW);
      expect(await readLastVerification(db)).toMatchObject({ ok: true });
      await env.DB.prepare(`DELETE FROM job_runs WHERE name LIKE 'prove%'`).run();
    }
    expect(await readReports(LATER)).toEqual(previous.reportsLater);
  });

  it('moves what the previous release counts after a rollback, and shows it before that', async () => {
    await move(NOW);
    await closeMonths(env, NOW);
    // What the previous release writes for a click: an hour, a value of each dimension, and the
    // totals.
    const hour = NOW - (NOW % HOUR_MS);
    const dim = (name: string, val: string) =>
      `(1, 'd', ${NOW - (NOW % DAY_MS)}, '${name}', '${val}', 1)`;
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO click_counts (link_id, grain, at, human, visitors) VALUES (1, 'h', ${hour}, 1, 1)`,
      ),
      env.DB.prepare(
        `INSERT INTO click_dims VALUES ${dim('place', 'XK||')}, ${dim('agent', 'TV|A|B')}, ${dim('ref', 'rollback.example')}`,
      ),
      env.DB.prepare(
        'UPDATE link_totals SET human = human + 1, visitors = visitors + 1 WHERE link_id = 1',
      ),
    ]);
    const before = await readReports(NOW);
    expect(JSON.stringify(before)).toContain('rollback.example');
    expect(await moveOldCounts(env, NOW)).toBe('4 rows moved');
    expect(await readReports(NOW)).toEqual(before);
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toMatchObject({ ok: true });
  });
});

describe('moveOldCounts', () => {
  it('waits for two days, in case of a rollback', async () => {
    const rows = await countOld();
    expect(await moveOldCounts(env, NOW)).toMatch(/waiting/);
    expect(await moveOldCounts(env, NOW + 2 * DAY_MS - 1)).toMatch(/waiting/);
    expect(await countOld()).toBe(rows);
    expect(await moveOldCounts(env, NOW + 2 * DAY_MS)).toBe(`${rows} rows moved`);
    expect(await moveOldCounts(env, NOW + 3 * DAY_MS)).toBe('nothing left');
  });

  it.each(Array.from({ length: 12 }, (_, i) => i))(
    'continues after the database has failed at call %i',
    async (failing) => {
      let calls = 0;
      const failsOnce = aroundD1(env.DB, (_, run) =>
        calls++ === failing ? Promise.reject(new Error('overloaded')) : run(),
      );
      await move(NOW, failsOnce).catch(() => '');
      expect(await readReports(NOW, FEW)).toEqual(previousReports(FEW));
      await move(NOW + 5);
      expect(await countOld()).toBe(0);
      expect(await readReports(NOW, FEW)).toEqual(previousReports(FEW));
    },
  );

  it('moves nothing twice, when two runs and a fold meet', async () => {
    await moveOldCounts(env, NOW - 2 * DAY_MS);
    const run = () => moveOldCounts(env, LATER).catch(() => '');
    await Promise.all([run(), foldLater(), run()]);
    await run();
    expect(await countOld()).toBe(0);
    expect(await readReports(LATER)).toEqual(previous.reportsLater);
  });
});
