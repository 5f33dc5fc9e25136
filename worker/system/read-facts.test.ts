import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { aroundD1, aroundKv, type Around } from '#worker/testing/faults.ts';
import { readFacts } from './read-facts.ts';

const NOW = Date.UTC(2027, 0, 10, 12);
const DAY = 86_400_000;

/** Fails the first `count` calls. */
const failing = (count: number): Around => {
  let calls = 0;
  return (_, run) => (++calls > count ? run() : Promise.reject(new Error('down')));
};

/** A fact whose present interval was this many before the one of NOW. */
const recent = (interval: number, counts: object, before: object): string =>
  JSON.stringify({ interval: NOW / 300_000 + interval, counts, before });

describe('readFacts', () => {
  it('reads each fact from its rows', async () => {
    const rows = (statement: string, ...values: unknown[][]) =>
      values.map((row) => env.DB.prepare(statement).bind(...row));
    await env.DB.batch([
      ...rows(
        'INSERT INTO job_runs (name, started_at, finished_at, ok, detail, failing_since) VALUES (?, ?, ?, ?, ?, ?)',
        ['outbox', NOW - 50, NOW - 40, 1, 'published 1', null],
        ['expire', NOW - 900, NOW - 800, 0, 'failed', NOW - 5_000],
        ['expire:backlog', NOW - 3_000, null, 1, '7', null],
        ['click-proof:result', NOW - 600, NOW - 500, 0, '{}', null],
        ['account-proof:sweep', NOW - 1, null, 1, '', null],
      ),
      ...rows(
        'INSERT INTO system_facts (name, at, value) VALUES (?, ?, ?)',
        ['lost:1', NOW - DAY, '100'],
        ['lost:2', NOW - DAY + 1, '2'],
        ['lost:3', NOW - 300, '3'],
        ['queue:clicks', NOW - 10, '{"lagMs":5,"failed":1}'],
        ['queue:clicks-2', NOW - 15, '{"lagMs":7,"failed":0}'],
        ['queue:clicks-3', NOW - 3_600_000 - 1, '{"lagMs":900000,"failed":0}'],
        ['queue:clicks-4', NOW - 3_600_000, '{"lagMs":8,"failed":0}'],
        ['queue:dead', NOW - 20, '{"lagMs":6,"failed":2}'],
        ['size:20000', NOW - 30, '4000'],
        ['backup', NOW - 700, ''],
        ['saas:quota', NOW, '{"hosts":1,"quota":null,"silentSince":3}'],
        ['schedule', NOW - 200, '{"outbox":60000}'],
        ['errors', NOW - 30, recent(0, { requests: 9, errors: 1 }, { requests: 30, errors: 2 })],
        ['busy:DB', NOW - 30, recent(0, { ms: 1_000 }, { ms: 30_000 })],
        ['busy:CLICKS_1', NOW - 30, recent(-1, { ms: 60_000 }, { ms: 1 })],
        ['busy:CLICKS_2', NOW - 30, recent(-2, { ms: 60_000 }, { ms: 1 })],
        ['fails:mail', NOW - 800, 'E_DAILY_LIMIT_EXCEEDED'],
        ['fails:webhook', NOW - 900, 'HTTP 500'],
        ['alert:queue', NOW - 400, `unsent:${NOW - 10}`],
        ['alert:size', NOW - 500, `unsent:${NOW - 10}`],
        ['alert:alerts', NOW - 600, `unsent:${NOW - 10}`],
        ['alert:jobs', NOW - 600, `begin:${NOW - 10}`],
        ['alert:cron', NOW - 600, 'sent'],
      ),
      ...rows(
        'INSERT INTO set_aside_windows (id, at, tried_at, clicks, reason, body) VALUES (?, ?, ?, ?, ?, ?)',
        ['w1', NOW - 80, NOW, 3, 'x', '{}'],
        ['w2', NOW - 90, NOW, 4, 'x', '{}'],
      ),
      ...rows(
        'INSERT INTO click_faults (at, reason, body) VALUES (?, ?, ?)',
        [NOW - DAY, 'old', ''],
        [NOW - DAY + 1, 'new', ''],
      ),
      ...rows(
        'INSERT INTO link_outbox (link_id, version, queued_at) VALUES (?, ?, ?)',
        [1, 1, NOW - 60],
        [2, 1, NOW - 70],
      ),
    ]);
    const { facts, kvAlerts } = await readFacts({ ...env, MAIL_FROM: 'hop@hop.example' }, NOW);
    expect(facts).toMatchObject({
      now: NOW,
      schema: { found: NEEDED_SCHEMA, needed: NEEDED_SCHEMA, isCurrent: true },
      shards: [],
      limitBytes: 10_000_000_000,
      domainsMax: null,
      backupAt: NOW - 700,
    });
    const job = { failingSince: null, backlog: null, finishedAt: NOW - 40 };
    expect(facts.stored).toEqual({
      lastCronAt: NOW - 50,
      lastJobAt: NOW - 50,
      intervals: { since: NOW - 200, everyMs: { outbox: 60_000 } },
      jobs: [
        {
          name: 'expire',
          startedAt: NOW - 900,
          finishedAt: NOW - 800,
          ok: false,
          detail: 'failed',
          failingSince: NOW - 5_000,
          backlog: { left: 7, since: NOW - 3_000 },
        },
        { ...job, name: 'outbox', startedAt: NOW - 50, ok: true, detail: 'published 1' },
      ],
      queue: { at: NOW - 3_600_000, lagMs: 8, failed: 0 },
      deadLetterQueue: { at: NOW - 20, lagMs: 6, failed: 2 },
      setAside: { windows: 2, clicks: 7, oldestAt: NOW - 90 },
      unreadable: 1,
      errors: { requests: 39, errors: 3 },
      busy: [
        { name: 'CLICKS_1', share: 0.2 },
        { name: 'CLICKS_2', share: 0 },
        { name: 'DB', share: 0.1 },
      ],
      lost: { clicks: 5, firstAt: NOW - DAY + 1, lastAt: NOW - 300 },
      outboxSince: NOW - 70,
      verification: { at: NOW - 600, ok: false },
      channels: [
        { channel: 'mail', failing: { since: NOW - 800, fault: 'E_DAILY_LIMIT_EXCEEDED' } },
      ],
      unsentAlerts: { count: 2, since: NOW - 500 },
      bytes: expect.any(Number),
      sizes: [{ day: 20000, bytes: 4000 }],
      domains: { hosts: 1, quota: null, silentSince: 3 },
    });
    expect(kvAlerts).toEqual({ writtenAt: 0, since: {} });
  });

  it('takes the time of a run of cron that is under way', async () => {
    expect((await readFacts(env, NOW, true)).facts.stored?.lastCronAt).toBe(NOW);
  });

  it('tries a failed read once more, in D1 and in KV', async () => {
    const seen = async (failures: number) => {
      const { facts } = await readFacts(
        {
          ...env,
          DB: aroundD1(env.DB, failing(failures)),
          LINKS: aroundKv(env.LINKS, failing(failures)),
        },
        NOW,
      );
      return [facts.databaseMs, facts.edgeStoreMs].map((ms) => ms !== null);
    };
    expect(await seen(1)).toEqual([true, true]);
    expect(await seen(2)).toEqual([false, false]);
  });

  it('D1 is silent if it answers what schema it has, and nothing after that', async () => {
    let calls = 0;
    const DB = aroundD1(env.DB, (_, run) =>
      ++calls === 1 ? run() : Promise.reject(new Error('down')),
    );
    const { facts } = await readFacts({ ...env, DB }, NOW);
    expect([facts.databaseMs, facts.stored, facts.schema?.isCurrent]).toEqual([null, null, true]);
  });

  it('reads the limit of the database from the settings', async () => {
    const limitOf = async (DATABASE_LIMIT_MB: string) =>
      (await readFacts({ ...env, DATABASE_LIMIT_MB }, NOW)).facts.limitBytes;
    expect([await limitOf('500'), await limitOf(''), await limitOf('ten')]).toEqual([
      500_000_000, 10_000_000_000, 10_000_000_000,
    ]);
  });
});
