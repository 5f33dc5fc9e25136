import { dayNumber } from '#contract/periods.ts';
import { describe, expect, it } from 'vitest';
import type { SignalName } from '#contract/system.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { fullAt, isReady, evaluateSignals, type Facts, type StoredFacts } from './signals.ts';

const NOW = Date.UTC(2027, 0, 10, 12);
const TODAY = dayNumber(NOW);
const STORED: StoredFacts = {
  lastCronAt: NOW - 30_000,
  jobs: [],
  queue: null,
  deadLetterQueue: null,
  setAside: { windows: 0, clicks: 0, oldestAt: null },
  unreadable: 0,
  lost: null,
  outboxSince: null,
  verification: { ok: true, at: NOW - HOUR_MS },
  bytes: 1_000_000_000,
  sizes: [],
};
const factsOf = (stored: Partial<StoredFacts> | null = {}, over: Partial<Facts> = {}): Facts => ({
  now: NOW,
  databaseMs: 4,
  schema: {
    found: '0012_system',
    needed: '0012_system',
    isCurrent: true,
    appliedAt: NOW - 30 * DAY_MS,
  },
  edgeStoreMs: 3,
  stored: stored && { ...STORED, ...stored },
  limitBytes: 10_000_000_000,
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
      factsOf(
        { lastCronAt: null },
        { schema: { found: '0012', needed: '0012', isCurrent: true, appliedAt: NOW - ms } },
      );
    expect(named(installed(5 * MINUTE_MS), 'cron')?.state).toBe('unknown');
    expect(named(installed(11 * MINUTE_MS), 'cron')).toMatchObject({
      state: 'bad',
      sentence: expect.stringMatching(/^Cron has never run\./),
    });
  });

  it('turns red for a job only after several failures', () => {
    const job = {
      name: 'expire',
      startedAt: NOW,
      finishedAt: NOW,
      ok: false,
      detail: '',
      backlog: null,
    };
    const failingFor = (ms: number) =>
      named(factsOf({ jobs: [{ ...job, failingSince: NOW - ms }] }), 'jobs');
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
      sentence: 'The database has 1.0 GB of 10.0 GB, and is full in 45 days at today’s growth.',
    });
    expect(named(factsOf({ sizes: grown(900_000_000) }), 'size')?.state).toBe('bad');
    expect(named(factsOf({ sizes: grown(900_000_000, 5) }), 'size')?.state).toBe('ok');
    expect(named(factsOf({ bytes: 9_100_000_000 }), 'size')?.state).toBe('bad');
    const facts = factsOf({ sizes: grown(200_000_000) });
    expect(fullAt(facts.stored ?? STORED, facts)).toBe(NOW + 45 * DAY_MS);
  });

  it('turns red for an old backup, and for none that is known not at all', () => {
    expect(named(factsOf({}, { backupAt: NOW - 40 * HOUR_MS }), 'backup')).toMatchObject({
      state: 'bad',
      sentence: 'The last backup is 40 hours old.',
    });
    expect(named(factsOf({}, { backupAt: null }), 'backup')?.state).toBe('unknown');
  });
});

describe('isReady', () => {
  it('readiness depends on storage, schema, cron and queue only', () => {
    expect(
      isReady(evaluateSignals(factsOf({ lost: { clicks: 1, firstAt: NOW, lastAt: NOW } }))),
    ).toBe(true);
    expect(
      isReady(evaluateSignals(factsOf({ queue: { at: NOW, lagMs: HOUR_MS, failed: 0 } }))),
    ).toBe(false);
    expect(isReady(evaluateSignals(factsOf(null, { databaseMs: null })))).toBe(false);
  });
});
