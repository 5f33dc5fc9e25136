import { expect, it } from 'vitest';
import { priceOf, queueOperations } from '#scripts/generate/prices.ts';
import { estimate } from './estimate.ts';
import { formatEstimates } from './format.ts';
import { addUsages, FIXED, meterStorage, totalOf, type Usage } from './meter.ts';
import type { Result } from './run-profile.ts';
import { makeTraffic, PROFILES, type Profile } from './traffic.ts';

const usage = (over: Partial<Usage> = {}): Usage => ({
  rowsRead: 0,
  rowsWritten: 0,
  d1Ms: 0,
  kvReads: 0,
  kvWrites: 0,
  logLines: 0,
  ...over,
});
const PROFILE: Profile = {
  name: 'test',
  what: 'four months',
  links: 10,
  clicksOn: () => 0,
  zipf: 1,
  rate: 1,
  newVisitors: 1,
};
const RESULT: Result = {
  clicks: 1_000,
  messages: 500,
  queueOperations: 1_500,
  kvReadShare: 0.5,
  logSampleRate: 0.01,
  links: 10,
  linkDays: 100,
  usages: {
    'new links': usage({ rowsWritten: 500, d1Ms: 50, kvWrites: 10 }),
    fold: usage({ rowsRead: 3_999.9, rowsWritten: 1_500, d1Ms: 600, logLines: 5 }),
    idle: usage({ rowsRead: 0.1 }),
  },
  ofDay: usage({ rowsRead: 1_000_000, rowsWritten: 60, kvWrites: 10 }),
  bytes: { empty: 1_000, withLinks: 2_000, byMonth: [12_000, 22_000, 32_000, 42_000] },
};

it('an estimate has the cost of a click, and its growth', () => {
  const found = estimate(PROFILE, RESULT);
  expect(found.perClick).toMatchObject({ rowsWritten: 2, rowsRead: 4, queueMessages: 0.5 });
  expect(found.perClick).toMatchObject({ kvWrites: 0.01, logLines: 0.015, d1Ms: 0.6 });
  expect([found.bytesPerLink, found.bytesPerLinkDay, found.scaledDownBy]).toEqual([
    100, 400, 4_000,
  ]);
  const { rowsWritten, queueOperations: operations, d1Storage } = found.dollarsPerMillion;
  expect([rowsWritten, operations]).toEqual([2, 0.6]);
  // The months without the empty database, in GB: 104 KB for 1,000 clicks.
  expect(d1Storage).toBeCloseTo(0.75 * 0.104, 9);
  expect(found.totalPerMillion).toBeCloseTo(
    Object.values(found.dollarsPerMillion).reduce((sum, usd) => sum + usd, 0),
    9,
  );
  // A month has 30.4 days of 1,500 rows written, 10 writes to KV, reads, cron and its CPU time.
  expect(found.fixedDollarsPerMonth).toBeCloseTo(
    30.4 * (1_500e-6 + 0.001 + 50e-6 + 1_440 * (0.3e-6 + 10 * 0.02e-6)),
    9,
  );
});

it.each([
  [1, 1, null, 'none'],
  [10, 1, 25, 'size of a click database'],
  [100, 1, 3, 'size of a click database'],
  [100, 16, 41, 'size of a click database'],
  [1_000, 1, 1, "time of a database's one writer"],
  [1_000, 16, 5, 'size of a click database'],
])(
  '%i times the traffic on %i databases reaches in month %j: %s',
  (factor, shards, month, limit) => {
    expect(estimate(PROFILE, RESULT).limits).toContainEqual({ factor, shards, month, limit });
  },
);

it('many messages and many links have limits of their own', () => {
  const messages = estimate(PROFILE, { ...RESULT, messages: 5_000 }).limits;
  expect(messages.filter(({ limit }) => limit.startsWith('messages'))).toMatchObject([
    { factor: 1_000, shards: 1, month: 1 },
    { factor: 1_000, shards: 16, month: 1 },
  ]);
  const bytes = { ...RESULT.bytes, withLinks: 11_000 };
  expect(estimate(PROFILE, { ...RESULT, bytes }).limits.at(-1)?.limit).toBe(
    'size of the main database',
  );
});

it('the table of estimates has what is billed, and leaves out parts of few rows', () => {
  const text = formatEstimates([estimate(PROFILE, RESULT)]);
  for (const line of [
    '- *test*: four months. 1,000 clicks, scaled down by 4000.',
    '| D1 rows written | 2.000 |',
    '| bytes per link | 100 |',
    '| Queue operations | 0.60 |',
    '| fold | 4.000 / 1.500 |',
    '| 10,000,000 clicks a month, 1 shard | month 25: size of a click database |',
    '| 1,000,000 clicks a month, 16 shards | none |',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toContain('| idle |');
});

it('usage is added by its cause, and statements of a day are counted apart', async () => {
  const sum = { a: usage({ rowsRead: 1 }) };
  addUsages(sum, { a: usage({ rowsRead: 2 }), b: usage({ kvReads: 3 }) }, 2);
  expect(totalOf(sum)).toEqual(usage({ rowsRead: 5, kvReads: 6 }));
  const meta = { rows_read: 1, rows_written: 2, duration: 3, size_after: 4 };
  const { env, measure, during, bytes } = meterStorage({
    run: (queries) =>
      Promise.resolve(
        queries.map(() => ({
          results: { columns: [], rows: [] },
          meta: { ...meta, changes: 0, changed_db: false, last_row_id: 0 },
        })),
      ),
    links: {
      get: () => Promise.resolve(null),
      put: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    },
    vars: {},
  });
  const used = await measure('all', async () => {
    await env.DB.prepare('CREATE TABLE x (y)').run();
    await during('job', () => env.LINKS.delete('key'));
    await env.LINKS.get('key');
    console.log('a line');
  });
  expect(used).toEqual({
    [FIXED]: usage({ rowsRead: 1, rowsWritten: 2, d1Ms: 3 }),
    job: usage({ kvWrites: 1 }),
    all: usage({ kvReads: 1, logLines: 1 }),
  });
  expect(bytes()).toBe(4);
});

it('traffic has the clicks of the day in windows after the runs of cron', () => {
  const ids = [1, 2, 3];
  const day = (profile = PROFILES[1] ?? PROFILE) => {
    const traffic = makeTraffic({ ...profile, clicksOn: () => 1_000 }, ids, 1_000);
    return traffic.windowsOf(0, 0);
  };
  const clicks = day().flatMap(({ e }) => e);
  expect(clicks.length).toBe(1_000);
  expect(day()).toEqual(day());
  const times = clicks.map(({ t }) => t);
  expect([Math.min(...times), Math.max(...times) < 86_400_000]).toEqual([7_200_000, true]);
  expect(new Set(clicks.map(({ l }) => l))).toEqual(new Set(ids));
  const most = day({ ...PROFILE, rate: 1_000 }).map(({ e }) => e.length);
  expect(Math.max(...most)).toBe(400);
  const { kvReadShare } = makeTraffic({ ...PROFILE, rate: 2 }, [1], 1_000);
  expect([kvReadShare(0), kvReadShare(5_000)]).toEqual([1, 1 / 11]);
});

it('a message costs three operations for each 64 KB', () => {
  expect([0, 64_000, 64_001].map(queueOperations)).toEqual([3, 3, 6]);
  expect(priceOf('kvWrites', 2_000_000)).toBe(10);
});
