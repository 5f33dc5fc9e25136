import { dayNumber } from '#contract/reports/periods.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { dailyKeyName } from '#worker/redirect/daily-key.ts';
import { JOBS, runDueJobs, type Job } from './schedule.ts';
import { rotateVisitorKeys } from '#worker/clicks/maintenance/rotate-visitor-keys.ts';
import { aroundD1, d1Down } from '#worker/testing/faults.ts';
import { withMethods } from '#worker/db/with-methods.ts';

const NOW = 1_800_000_000_000;
const readRun = (name: string) =>
  env.DB.prepare('SELECT started_at, finished_at, ok, detail FROM job_runs WHERE name = ?')
    .bind(name)
    .first();

describe('runDueJobs', () => {
  it('runs a due job, and only once after missed runs', async () => {
    const runs: number[] = [];
    const job: Job = {
      name: 'hourly',
      everyMs: 60 * MINUTE_MS,
      run: (_, now) => (runs.push(now), Promise.resolve({ done: { mails_sent: 1 } })),
    };
    for (const at of [0, 1, 30, 60, 61, 600, 601, 660])
      await runDueJobs(env, NOW + at * MINUTE_MS, [job]);
    expect(runs.map((at) => (at - NOW) / MINUTE_MS)).toEqual([0, 60, 600, 660]);
    expect(await readRun('hourly')).toMatchObject({
      started_at: NOW + 660 * MINUTE_MS,
      ok: 1,
      detail: '1 mail sent',
    });
  });

  it('runs the other jobs when one fails, and retries it within 5 minutes', async () => {
    let fails = 0;
    let runs = 0;
    const jobs: Job[] = [
      {
        name: 'breaks',
        everyMs: 24 * 60 * MINUTE_MS,
        run: () => (fails++, Promise.reject(new Error('out of luck'))),
      },
      { name: 'works', everyMs: MINUTE_MS, run: () => (runs++, Promise.resolve({})) },
    ];
    for (let minute = 0; minute < 6; minute++)
      await runDueJobs(env, NOW + minute * MINUTE_MS, jobs);
    expect(runs).toBe(6);
    expect(fails).toBe(2);
    expect(await readRun('breaks')).toMatchObject({ ok: 0, detail: 'Error: out of luck' });
  });

  it('[T31] stores no value of a failed statement', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const run = () =>
      openDb(env.DB)
        .run(sql`select ${'somebody@example.com'} from missing`)
        .then(() => ({}));
    await runDueJobs(env, NOW, [{ name: 'leaks', everyMs: MINUTE_MS, run }]);
    expect(await readRun('leaks')).toMatchObject({
      ok: 0,
      detail: expect.stringContaining('no such table'),
    });
    expect(JSON.stringify([await readRun('leaks'), logged.mock.calls])).not.toContain('somebody');
    logged.mockRestore();
  });

  it('remembers since when a job fails, until it succeeds', async () => {
    let fails = true;
    const run = () => (fails ? Promise.reject(new Error('no')) : Promise.resolve({}));
    const job: Job = { name: 'unsteady', everyMs: MINUTE_MS, run };
    const failingSince = async (minute: number) => {
      await runDueJobs(env, NOW + minute * MINUTE_MS, [job]);
      return env.DB.prepare(`SELECT failing_since FROM job_runs WHERE name = 'unsteady'`).first(
        'failing_since',
      );
    };
    expect([await failingSince(0), await failingSince(5)]).toEqual([NOW, NOW]);
    fails = false;
    expect(await failingSince(10)).toBeNull();
  });

  it('remembers since when a job is killed, until it finishes', async () => {
    const runAt = (minute: number, run: Job['run']) =>
      runDueJobs(env, NOW + minute * MINUTE_MS, [{ name: 'killed', everyMs: MINUTE_MS, run }]);
    const dieAt = (minute: number) =>
      new Promise<void>((started) => {
        void runAt(minute, () => (started(), new Promise<never>(() => undefined)));
      });
    const row = () =>
      env.DB.prepare(`SELECT failing_since, detail FROM job_runs WHERE name = 'killed'`).first();
    await dieAt(0);
    expect(await row()).toEqual({ failing_since: null, detail: '' });
    for (const minute of [15, 30]) {
      await dieAt(minute);
      expect(await row()).toEqual({
        failing_since: NOW,
        detail: 'the run before did not finish',
      });
    }
    await runAt(45, () => Promise.resolve({}));
    expect(await row()).toEqual({ failing_since: null, detail: 'nothing to do' });
  });

  it('records how often jobs run, and since when without a pause', async () => {
    const everyMinute = (name: string): Job => ({
      name,
      everyMs: MINUTE_MS,
      run: () => Promise.resolve({}),
    });
    const intervalsAt = async (minute: number, names: string[], plan = 'paid') => {
      const now = NOW + minute * MINUTE_MS;
      await runDueJobs({ ...env, WORKERS_PLAN: plan }, now, names.map(everyMinute));
      const found = env.DB.prepare(`SELECT at, value FROM system_facts WHERE name = 'schedule'`);
      const { at, value } = (await found.first<{ at: number; value: string }>()) ?? {};
      return [(Number(at) - NOW) / MINUTE_MS, JSON.parse(value ?? '')];
    };
    await env.DB.prepare('DELETE FROM job_runs').run();
    expect(await intervalsAt(0, ['a'])).toEqual([0, { a: 60_000 }]);
    expect(await intervalsAt(9, ['a'])).toEqual([0, { a: 60_000 }]);
    expect(await intervalsAt(10, ['a', 'b'])).toEqual([10, { a: 60_000, b: 60_000 }]);
    expect(await intervalsAt(20, ['a', 'b'])).toEqual([20, { a: 60_000, b: 60_000 }]);
    expect(await intervalsAt(21, ['a'], 'free')).toEqual([21, { a: 15 * MINUTE_MS }]);
  });

  it.each<[result: 'succeeds' | 'fails', everyMs: number, nextMs: number]>([
    ['succeeds', MINUTE_MS, 40_000],
    ['succeeds', HOUR_MS, 3_580_000],
    ['fails', MINUTE_MS, 40_000],
    ['fails', 5 * MINUTE_MS, 280_000],
    ['fails', HOUR_MS, 300_000],
  ])(
    'a job that %s and is due every %i ms runs again after %i ms',
    async (result, everyMs, next) => {
      const runs: number[] = [];
      const run: Job['run'] = (_, now) => {
        runs.push(now - NOW);
        return result === 'fails' ? Promise.reject(new Error('no')) : Promise.resolve({});
      };
      const job: Job = { name: `${result} ${everyMs}`, everyMs, run };
      for (const at of [0, next - 1, next]) await runDueJobs(env, NOW + at, [job]);
      expect(runs).toEqual([0, next]);
    },
  );

  it('a job never runs twice at once, and a dead invocation is replaced', async () => {
    const inside: number[] = [];
    const job: Job = {
      name: 'long',
      everyMs: MINUTE_MS,
      run: async (_, now) => {
        inside.push(now);
        if (now === NOW) {
          await runDueJobs(env, NOW + 15 * MINUTE_MS - 1, [job]);
          await runDueJobs(env, NOW + 15 * MINUTE_MS, [job]);
        }
        return { done: { mails_sent: now - NOW } };
      },
    };
    await runDueJobs(env, NOW, [job]);
    expect(inside).toEqual([NOW, NOW + 15 * MINUTE_MS]);
    // The first run ends last, but the row belongs to the second one.
    expect(await readRun('long')).toMatchObject({
      started_at: NOW + 15 * MINUTE_MS,
      detail: '900,000 mails sent',
    });
  });

  it('a job does not start again while a later run of it is unfinished', async () => {
    const runs: number[] = [];
    const job: Job = {
      name: 'second-run-is-long',
      everyMs: MINUTE_MS,
      run: async (_, now) => {
        runs.push(now - NOW);
        if (now === NOW + 2 * MINUTE_MS) await runDueJobs(env, NOW + 4 * MINUTE_MS, [job]);
        return {};
      },
    };
    await runDueJobs(env, NOW, [job]);
    await runDueJobs(env, NOW + 2 * MINUTE_MS, [job]);
    expect(runs).toEqual([0, 2 * MINUTE_MS]);
  });

  it('stores at most 500 characters of an error', async () => {
    await runDueJobs(env, NOW, [
      { name: 'talks', everyMs: MINUTE_MS, run: () => Promise.reject(new Error('x'.repeat(600))) },
    ]);
    expect(await readRun('talks')).toMatchObject({ detail: `Error: ${'x'.repeat(493)}` });
  });

  it('runs the jobs if it cannot store how often they run', async () => {
    let calls = 0;
    const DB = aroundD1(env.DB, (_, run) =>
      ++calls === 1 ? Promise.reject(new Error('busy')) : run(),
    );
    const run = vi.fn<Job['run']>().mockResolvedValue({});
    await runDueJobs({ ...env, DB }, NOW, [{ name: 'goes-on', everyMs: MINUTE_MS, run }]);
    expect(run).toHaveBeenCalledOnce();
  });

  it.each(['paid', 'free'])(
    'runDueJobs does not throw while D1 is down, on the plan %s',
    async (WORKERS_PLAN) => {
      const down = d1Down(env.DB);
      await expect(runDueJobs({ ...env, DB: down, WORKERS_PLAN }, NOW)).resolves.toBeUndefined();
    },
  );
});

describe('JOBS', () => {
  it('events are sent after the jobs that change links, and other services asked last', () => {
    const names = JOBS.map(({ name }) => name);
    expect(names.indexOf('webhooks')).toBeGreaterThan(names.indexOf('blocklist'));
    expect(names.indexOf('webhooks')).toBeGreaterThan(names.indexOf('outbox'));
    expect(names.at(-1)).toBe('reputation');
    expect(new Set(names).size).toBe(names.length);
  });

  it('jobs of every minute say what they wait for, so that they rest on the free plan', () => {
    const silent = JOBS.filter(({ everyMs, waits }) => everyMs === MINUTE_MS && !waits);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('rotateVisitorKeys', () => {
  it('[T33] keys are created ahead and destroyed 48 h after their day began', async () => {
    const today = dayNumber(NOW);
    const start = today * 24 * 60 * MINUTE_MS;
    await rotateVisitorKeys(env, start);
    const first = await env.LINKS.get(dailyKeyName(today + 1));
    await rotateVisitorKeys(env, start + 30 * 60 * MINUTE_MS);
    expect(await env.LINKS.get(dailyKeyName(today + 1))).toBe(first);
    expect(atob(first ?? '')).toHaveLength(32);
    const days = async () =>
      (
        await env.DB.prepare('SELECT day FROM visitor_keys ORDER BY day').all<{ day: number }>()
      ).results.map((r) => r.day - today);
    expect(await days()).toEqual([0, 1, 2]);
    await rotateVisitorKeys(env, start + 48 * 60 * MINUTE_MS - 1);
    expect(await days()).toEqual([0, 1, 2]);
    await rotateVisitorKeys(env, start + 48 * 60 * MINUTE_MS);
    expect(await days()).toEqual([1, 2, 3]);
    expect(await env.LINKS.get(dailyKeyName(today))).toBeNull();
    // After missed runs, several keys have expired.
    expect(await rotateVisitorKeys(env, start + 96 * 60 * MINUTE_MS)).toEqual({
      done: { visitor_keys_destroyed: 2 },
    });
    expect(await days()).toEqual([3, 4, 5]);
  });

  it('[T33] the row of an expired key stays until KV has destroyed it', async () => {
    const today = dayNumber(NOW);
    const start = today * 24 * 60 * MINUTE_MS;
    await rotateVisitorKeys(env, start);
    const hours48 = start + 48 * 60 * MINUTE_MS;
    const LINKS = withMethods(env.LINKS, { delete: () => Promise.reject(new Error('KV is down')) });
    await expect(rotateVisitorKeys({ ...env, LINKS }, hours48)).rejects.toThrow('KV is down');
    expect(await rotateVisitorKeys(env, hours48)).toEqual({ done: { visitor_keys_destroyed: 1 } });
    expect(await env.LINKS.get(dailyKeyName(today))).toBeNull();
  });
});
