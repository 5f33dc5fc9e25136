import { dayNumber } from '#contract/reports/periods.ts';
import { describe, expect, it } from 'vitest';
import type { Signal, SignalName } from '#contract/system/system.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { QUIET_FACTS } from '#worker/testing/quiet-facts.ts';
import { fullAt } from './database-size.ts';
import type { Facts, StoredFacts } from './facts.ts';
import { doAlertsWork, evaluateSignals, isReady } from './signals.ts';

const NOW = Date.UTC(2027, 0, 10, 12);
const TODAY = dayNumber(NOW);
const STORED: StoredFacts = {
  ...QUIET_FACTS,
  lastCronAt: NOW - 30_000,
  lastJobAt: NOW - 30_000,
  verification: { ok: true, at: NOW - HOUR_MS },
  bytes: 1_000_000_000,
};
const SCHEMA = {
  found: '0012_system',
  needed: '0012_system',
  isCurrent: true,
  appliedAt: NOW - 30 * DAY_MS,
  installedAt: NOW - 60 * DAY_MS,
};
const JOB = {
  name: 'expire',
  startedAt: NOW,
  finishedAt: NOW,
  ok: true,
  detail: '',
  failingSince: null,
  backlog: null,
};
const factsOf = (stored: Partial<StoredFacts> | null = {}, over: Partial<Facts> = {}): Facts => ({
  now: NOW,
  versionAt: null,
  databaseMs: 4,
  schema: SCHEMA,
  edgeStoreMs: 3,
  stored: stored && { ...STORED, ...stored },
  limitBytes: 10_000_000_000,
  domainsMax: null,
  shards: [],
  backupAt: NOW - HOUR_MS,
  ...over,
});
const named = (facts: Facts, name: SignalName) =>
  evaluateSignals(facts).find(({ signal }) => signal === name);
const statesOf = (facts: Facts, state: string) =>
  evaluateSignals(facts)
    .filter((signal) => signal.state === state)
    .map(({ signal }) => signal);

describe('evaluateSignals', () => {
  it('finds nothing wrong with an installation that works', () => {
    expect(evaluateSignals(factsOf()).filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  it('hides the consequences of a cause', () => {
    const withoutD1 = factsOf(null, { databaseMs: null, schema: null });
    expect(statesOf(withoutD1, 'bad')).toEqual(['database']);
    const late = {
      lastCronAt: NOW - DAY_MS,
      outboxSince: NOW - DAY_MS,
      verification: { ok: true, at: NOW - 3 * DAY_MS },
    };
    expect(statesOf(factsOf(late), 'bad')).toEqual(['cron']);
    expect(statesOf(factsOf({ outboxSince: NOW - DAY_MS }, { edgeStoreMs: null }), 'bad')).toEqual([
      'edge-store',
    ]);
  });

  it('waits for the first run of cron after an installation, but not for long', () => {
    const installed = (ms: number) =>
      factsOf({ lastCronAt: null }, { schema: { ...SCHEMA, appliedAt: NOW - ms } });
    expect(named(installed(5 * MINUTE_MS), 'cron')?.state).toBe('unknown');
    expect(named(installed(21 * MINUTE_MS), 'cron')).toMatchObject({
      state: 'bad',
      sentence: expect.stringMatching(/^Cron has never run\./),
    });
  });

  it.each<[number | null, number, string]>([
    [null, 20, 'unknown'],
    [null, 21, 'bad'],
    [60, 20, 'unknown'],
    [60, 21, 'bad'],
    [5, 1, 'ok'],
  ])(
    'cron that ran %s minutes ago, with a version of %i minutes, is %s',
    (ran, uploaded, state) => {
      const lastCronAt = ran === null ? null : NOW - ran * MINUTE_MS;
      const resumed = factsOf({ lastCronAt }, { versionAt: NOW - uploaded * MINUTE_MS });
      expect(named(resumed, 'cron')?.state).toBe(state);
      expect(isReady(evaluateSignals(resumed))).toBe(state !== 'bad');
    },
  );

  it('turns red for a job only after several failures', () => {
    const failingFor = (ms: number) =>
      named(factsOf({ jobs: [{ ...JOB, failingSince: NOW - ms }] }), 'jobs');
    expect(failingFor(6 * MINUTE_MS)?.state).toBe('warn');
    expect(failingFor(40 * MINUTE_MS)).toMatchObject({
      state: 'bad',
      sentence: 'Failing for 40 minutes: expire.',
    });
  });

  it('judges the queue by what was seen of it in the last hour', () => {
    const late = { lagMs: 20 * MINUTE_MS, failed: 0 };
    expect(named(factsOf({ queue: { at: NOW, ...late } }), 'queue')).toMatchObject({
      state: 'bad',
      sentence: 'Clicks are counted 20 minutes late.',
    });
    expect(named(factsOf({ queue: { at: NOW - 2 * HOUR_MS, ...late } }), 'queue')?.state).toBe(
      'ok',
    );
  });

  it('leaves to Alerts what mail alone cannot tell', () => {
    const alone = factsOf({ channels: channels(6 * MINUTE_MS) });
    expect(statesOf(alone, 'bad')).toEqual(['alerts']);
    expect(named(alone, 'mail')?.state).toBe('unknown');
  });

  it('says when the database is full, from its growth in the last 30 days', () => {
    const grown = (perDay: number, days = 40) =>
      Array.from({ length: days }, (_, i) => ({
        day: TODAY - i,
        bytes: 1_000_000_000 - i * perDay,
      }));
    expect(named(factsOf({ sizes: grown(1_000_000) }), 'size')).toMatchObject({
      state: 'ok',
      figure: '10 %',
    });
    expect(named(factsOf({ sizes: grown(200_000_000) }), 'size')).toMatchObject({
      state: 'warn',
      sentence: 'The database has 1 GB of 10 GB, and is full in 45 days at today’s growth.',
    });
    expect(named(factsOf({ sizes: grown(900_000_000) }), 'size')?.state).toBe('bad');
    expect(named(factsOf({ sizes: grown(900_000_000, 5) }), 'size')?.state).toBe('ok');
    expect(named(factsOf({ bytes: 9_100_000_000 }), 'size')?.state).toBe('bad');
    const facts = factsOf({ sizes: grown(200_000_000) });
    expect(fullAt(facts.stored ?? STORED, facts.limitBytes, NOW)).toBe(NOW + 45 * DAY_MS);
    // The size of this moment, beyond the last one that was recorded.
    const larger = factsOf({ sizes: grown(200_000_000), bytes: 5_000_000_000 });
    expect(fullAt(larger.stored ?? STORED, larger.limitBytes, NOW)).toBe(NOW + 25 * DAY_MS);
  });

  it('turns red for an old backup, and for none 36 hours after the installation', () => {
    expect(named(factsOf({}, { backupAt: NOW - 40 * HOUR_MS }), 'backup')).toMatchObject({
      state: 'bad',
      sentence: 'The last backup is 40 hours old.',
    });
    const without = (ms: number) =>
      named(
        factsOf({}, { backupAt: null, schema: { ...SCHEMA, installedAt: NOW - ms } }),
        'backup',
      );
    expect(without(36 * HOUR_MS)?.state).toBe('unknown');
    expect(without(36 * HOUR_MS + 1)).toMatchObject({
      state: 'bad',
      sentence: 'No backup has been made since the installation 36 hours ago.',
      ...since(36 * HOUR_MS + 1),
    });
  });
});

const MIN = 60_000;
const HOUR = 60 * MIN;
const dead = (ago: number, failed = 1) => ({
  deadLetterQueue: { at: NOW - ago, lagMs: 0, failed },
});
const failing = (ms: number) => ({
  jobs: [
    { ...JOB, name: 'a', failingSince: NOW - MIN },
    { ...JOB, name: 'b', failingSince: NOW - ms },
  ],
});
const behind = (ms: number) => ({
  jobs: [
    { ...JOB, name: 'a', backlog: { left: 9, since: NOW - MIN } },
    { ...JOB, name: 'b', backlog: { left: 1, since: NOW - ms } },
  ],
});
const sizes = (first: number, last: number, days: number) => ({
  bytes: last,
  sizes: [
    { day: TODAY, bytes: last },
    { day: TODAY - days, bytes: first },
  ],
});
/** Jobs that started so long ago, the schedule being older. */
const started = (ms: Record<string, number>, age = DAY_MS) => ({
  intervals: { since: NOW - age, everyMs: { minutely: MIN, hourly: HOUR } },
  jobs: Object.entries({ minutely: 0, hourly: 0, ...ms }).map(([name, ago]) =>
    Object.assign({}, JOB, { name, startedAt: NOW - ago }),
  ),
});
const unfinished = (ms: number) => ({
  jobs: [{ ...JOB, startedAt: NOW - ms, finishedAt: null }],
});
const shard = (bytes: number, found = '0012_system') => ({
  shards: [
    { name: 'SHARD_1', state: { found: '0012_system', isCurrent: true, bytes: 1 } },
    { name: 'SHARD_2', state: { found, isCurrent: found === '0012_system', bytes } },
  ],
});
const channels = (ms: number): StoredFacts['channels'] => [
  { channel: 'mail', failing: { since: NOW - ms, fault: 'E_DAILY_LIMIT_EXCEEDED' } },
];
const schema = (found: string) => ({
  schema: { ...SCHEMA, found, needed: '0013_next', isCurrent: false },
});
const since = (ms: number) => ({ since: new Date(NOW - ms).toISOString() });

/**
 * The last facts of a state, and the first facts of the next one, with the figures that are shown.
 */
const LIMITS: [SignalName, Facts, Partial<Signal>][] = [
  ['database', factsOf(), { state: 'ok', figure: '4 ms' }],
  [
    'database',
    factsOf({}, { shards: [{ name: 'SHARD_1', state: null }] }),
    {
      state: 'bad',
      sentence: 'No answer from SHARD_1. Clicks on links there are counted once it answers again.',
    },
  ],
  ['schema', factsOf(), { state: 'ok', figure: '0012' }],
  [
    'schema',
    factsOf({}, schema('')),
    {
      state: 'bad',
      sentence:
        'The database has no schema, and this release needs 0013_next. Apply the migrations.',
    },
  ],
  [
    'schema',
    factsOf({}, shard(1, '0011_old')),
    {
      state: 'bad',
      sentence: 'SHARD_2 has 0011_old, and this release needs 0012_system. Apply the migrations.',
    },
  ],
  ['edge-store', factsOf(), { state: 'ok', figure: '3 ms' }],
  ['cron', factsOf({ lastCronAt: NOW - 10 * MIN }), { state: 'ok', figure: '10 minutes ago' }],
  [
    'cron',
    factsOf({ lastCronAt: NOW - 10 * MIN - 1 }),
    {
      state: 'bad',
      sentence: 'Cron last ran 10 minutes ago. Jobs are not done, and changes may not reach KV.',
      ...since(10 * MIN + 1),
    },
  ],
  ['queue', factsOf({ queue: { at: NOW, lagMs: 2 * MIN, failed: 0 } }), { state: 'ok' }],
  ['queue', factsOf({ queue: { at: NOW, lagMs: 10 * MIN, failed: 0 } }), { state: 'warn' }],
  [
    'queue',
    factsOf({ queue: { at: NOW - HOUR, lagMs: 10 * MIN + 1, failed: 0 } }),
    { state: 'bad', ...since(HOUR + 10 * MIN + 1) },
  ],
  ['queue', factsOf({ queue: { at: NOW - HOUR - 1, lagMs: HOUR, failed: 0 } }), { state: 'ok' }],
  ['dead-letters', factsOf(dead(0, 0)), { state: 'ok' }],
  ['dead-letters', factsOf(dead(2 * HOUR)), { state: 'bad', ...since(2 * HOUR) }],
  ['dead-letters', factsOf(dead(2 * HOUR + 1)), { state: 'ok' }],
  [
    'dead-letters',
    factsOf({ setAside: { windows: 1, clicks: 3, oldestAt: NOW - MIN }, unreadable: 1 }),
    {
      state: 'bad',
      sentence: '3 clicks in 1 window could not be counted and are set aside.',
      figure: '3',
      ...since(MIN),
    },
  ],
  [
    'dead-letters',
    factsOf({ unreadable: 1 }),
    { state: 'warn', sentence: '1 message of the last day could not be read.' },
  ],
  [
    'lost-clicks',
    factsOf({ lost: { clicks: 2, firstAt: NOW - HOUR, lastAt: NOW - MIN } }),
    {
      state: 'bad',
      sentence: '2 clicks of the last 24 hours were not counted, the last one 60 seconds ago.',
      ...since(HOUR),
    },
  ],
  ['totals', factsOf({ verification: null }), { state: 'unknown' }],
  ['totals', factsOf({ verification: { ok: true, at: NOW - 36 * HOUR } }), { state: 'ok' }],
  ['totals', factsOf({ verification: { ok: true, at: NOW - 36 * HOUR - 1 } }), { state: 'warn' }],
  ['totals', factsOf({ verification: { ok: false, at: NOW } }), { state: 'bad', ...since(0) }],
  ['outbox', factsOf({ outboxSince: NOW - 5 * MIN }), { state: 'ok' }],
  ['outbox', factsOf({ outboxSince: NOW - 5 * MIN - 1 }), { state: 'warn', since: null }],
  ['outbox', factsOf({ outboxSince: NOW - 15 * MIN }), { state: 'warn' }],
  [
    'outbox',
    factsOf({ outboxSince: NOW - 15 * MIN - 1 }),
    { state: 'bad', ...since(15 * MIN + 1) },
  ],
  ['jobs', factsOf({ jobs: [{ ...JOB, failingSince: null }] }), { state: 'ok', figure: '1' }],
  [
    'jobs',
    factsOf(failing(15 * MIN)),
    { state: 'warn', sentence: 'Failing for 15 minutes: a, b.', figure: '2' },
  ],
  ['jobs', factsOf(failing(15 * MIN + 1)), { state: 'bad', ...since(15 * MIN + 1) }],
  ['jobs', factsOf(unfinished(15 * MIN)), { state: 'ok' }],
  [
    'jobs',
    factsOf(unfinished(15 * MIN + 1)),
    { state: 'bad', sentence: 'Failing for 15 minutes: expire.', ...since(15 * MIN + 1) },
  ],
  ['jobs', factsOf(started({ hourly: 3 * HOUR })), { state: 'ok' }],
  [
    'jobs',
    factsOf(started({ hourly: 3 * HOUR + 1 })),
    { state: 'bad', sentence: 'Not run for 3 hours: hourly.', ...since(3 * HOUR + 1) },
  ],
  ['jobs', factsOf(started({ minutely: 15 * MIN })), { state: 'ok' }],
  ['jobs', factsOf(started({ minutely: 15 * MIN + 1 })), { state: 'bad', figure: '1' }],
  ['jobs', factsOf({ ...started({}), jobs: [] }), { state: 'bad', figure: '2', ...since(DAY_MS) }],
  ['jobs', factsOf({ ...started({}, 15 * MIN), jobs: [] }), { state: 'ok' }],
  ['jobs', factsOf(started({ minutely: DAY_MS }, 15 * MIN)), { state: 'ok' }],
  ['jobs', factsOf({ ...started({ hourly: DAY_MS }), lastJobAt: null }), { state: 'unknown' }],
  [
    'jobs',
    factsOf({ ...started({ hourly: DAY_MS }), lastJobAt: NOW - 10 * MIN - 1 }),
    { state: 'unknown' },
  ],
  [
    'backlog',
    factsOf(behind(2 * HOUR)),
    { state: 'warn', sentence: 'b has been behind for 2 hours: 1 row left.', figure: '1' },
  ],
  ['backlog', factsOf(behind(2 * HOUR + 1)), { state: 'bad', ...since(2 * HOUR + 1) }],
  ['size', factsOf({ bytes: 6_990_000_000 }), { state: 'ok', figure: '70 %' }],
  ['size', factsOf({ bytes: 7_000_000_000 }), { state: 'warn' }],
  ['size', factsOf({ bytes: 8_990_000_000 }), { state: 'warn' }],
  ['size', factsOf({ bytes: 9_000_000_000 }), { state: 'bad' }],
  ['size', factsOf({}, shard(6_990_000_000)), { state: 'ok', figure: '10 %' }],
  [
    'size',
    factsOf({}, shard(7_000_000_000)),
    { state: 'warn', sentence: 'SHARD_2 has 7 GB of 10 GB.', figure: '70 %' },
  ],
  ['size', factsOf({}, shard(9_000_000_000)), { state: 'bad' }],
  // 100 MB a day: 5 GB are left for 50 days, 6.1 GB for 61, 1.5 GB for 15 and 1.4 GB for 14.
  ['size', factsOf(sizes(3.2e9, 3.9e9, 7)), { state: 'ok' }],
  ['size', factsOf(sizes(3.3e9, 4e9, 7)), { state: 'warn' }],
  ['size', factsOf(sizes(5.5e9, 8.5e9, 30)), { state: 'warn' }],
  ['size', factsOf(sizes(5.6e9, 8.6e9, 30)), { state: 'bad' }],
  ['size', factsOf(sizes(1e9, 4e9, 6)), { state: 'ok' }],
  ['size', factsOf(sizes(1e9, 4e9, 31)), { state: 'ok' }],
  ['size', factsOf(sizes(4e9, 1e9, 30)), { state: 'ok' }],
  ['backup', factsOf({}, { backupAt: NOW - 36 * HOUR }), { state: 'ok', figure: '36 hours ago' }],
  ['backup', factsOf({}, { backupAt: NOW - 36 * HOUR - 1 }), { state: 'bad' }],
  ['alerts', factsOf(), { state: 'ok', sentence: 'Alerts go out by mail.' }],
  ['alerts', factsOf({ channels: [] }), { state: 'warn' }],
  ['alerts', factsOf({ channels: channels(5 * MIN) }), { state: 'warn', figure: '5 minutes' }],
  [
    'alerts',
    factsOf({ channels: channels(5 * MIN + 1) }),
    {
      state: 'bad',
      sentence: 'Failing for 5 minutes: mail (E_DAILY_LIMIT_EXCEEDED).',
      ...since(5 * MIN + 1),
    },
  ],
  [
    'alerts',
    factsOf({ channels: [...channels(HOUR), { channel: 'webhook', failing: null }] }),
    { state: 'warn' },
  ],
  [
    'alerts',
    factsOf({ channels: channels(MIN), unsentAlerts: { count: 2, since: NOW - HOUR } }),
    {
      state: 'bad',
      sentence:
        '2 alerts reached nobody. They are tried again every two minutes. Failing: mail (E_DAILY_LIMIT_EXCEEDED).',
      figure: '2',
      ...since(HOUR),
    },
  ],
];

describe('the limits of the signals', () => {
  it.each(LIMITS.map(([name, facts, result], i) => [i, name, facts, result] as const))(
    'case %i: the signal %s has the state of its facts',
    (_, name, facts, result) => {
      expect(named(facts, name)).toMatchObject(result);
    },
  );

  it('shows a size in the units of the platform, of 1000', () => {
    const sentenceOf = (bytes: number) =>
      named(factsOf({ bytes }, { limitBytes: 500_000_000 }), 'size')?.sentence;
    expect([999_001, 1_000_000, 999_900_000, 1_000_000_000].map(sentenceOf)).toEqual([
      'The database has 999 KB of 500 MB.',
      'The database has 1 MB of 500 MB.',
      'The database has 1,000 MB of 500 MB.',
      'The database has 1 GB of 500 MB.',
    ]);
    expect(sentenceOf(512_001)).toBe('The database has 512 KB of 500 MB.');
  });

  it.each([
    [119_999, '119 seconds'],
    [120_000, '2 minutes'],
    [7_199_999, '119 minutes'],
    [7_200_000, '2 hours'],
    [172_799_999, '47 hours'],
    [172_800_000, '2 days'],
    [259_199_999, '2 days'],
  ])('rounds %i ms down to %s', (ms, text) => {
    expect(named(factsOf({}, { backupAt: NOW - ms }), 'backup')?.figure.replace(' ago', '')).toBe(
      text,
    );
  });
});

describe('isReady', () => {
  it('readiness depends on storage, schema, cron and queue only', () => {
    expect(
      isReady(evaluateSignals(factsOf({ lost: { clicks: 1, firstAt: NOW, lastAt: NOW } }))),
    ).toBe(true);
    const jobs = factsOf(started({ hourly: DAY_MS }), { backupAt: NOW - 40 * HOUR_MS });
    expect(statesOf(jobs, 'bad')).toEqual(['jobs', 'backup']);
    expect(isReady(evaluateSignals(jobs))).toBe(true);
    expect(
      isReady(evaluateSignals(factsOf({ queue: { at: NOW, lagMs: HOUR_MS, failed: 0 } }))),
    ).toBe(false);
    expect(isReady(evaluateSignals(factsOf(null, { databaseMs: null })))).toBe(false);
    const unsent = evaluateSignals(factsOf({ unsentAlerts: { count: 1, since: NOW } }));
    expect([isReady(unsent), doAlertsWork(unsent)]).toEqual([true, false]);
  });
});
