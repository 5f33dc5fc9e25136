import { MINUTE_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { utcDay, dailyKeyName } from '#worker/redirect/daily-key.ts';
import { withMethods } from '#worker/testing/faults.ts';
import { runDueJobs, type Job } from './schedule.ts';
import { turnVisitorKeys } from '#worker/clicks/rotate-visitor-keys.ts';

const NOW = 1_800_000_000_000;
const state = (name: string) =>
  env.DB.prepare('SELECT started_at, finished_at, ok, detail FROM job_runs WHERE name = ?').bind(name).first();

it('runs a job when it is due, and catches up with one run after missed ones', async () => {
  const runs: number[] = [];
  const job: Job = { name: 'hourly', everyMs: 60 * MINUTE_MS, run: (_, now) => (runs.push(now), Promise.resolve('done')) };
  for (const at of [0, 1, 30, 60, 61, 600, 601, 660]) await runDueJobs(env, NOW + at * MINUTE_MS, [job]);
  expect(runs.map((at) => (at - NOW) / MINUTE_MS)).toEqual([0, 60, 600, 660]);
  expect(await state('hourly')).toMatchObject({ started_at: NOW + 660 * MINUTE_MS, ok: 1, detail: 'done' });
});

it('runs the others when one fails, and tries the failed one again within minutes', async () => {
  let fails = 0;
  let runs = 0;
  const jobs: Job[] = [
    { name: 'breaks', everyMs: 24 * 60 * MINUTE_MS, run: () => (fails++, Promise.reject(new Error('out of luck'))) },
    { name: 'works', everyMs: MINUTE_MS, run: () => (runs++, Promise.resolve('')) },
  ];
  for (let minute = 0; minute < 6; minute++) await runDueJobs(env, NOW + minute * MINUTE_MS, jobs);
  expect(runs).toBe(6);
  expect(fails).toBe(2);
  expect(await state('breaks')).toMatchObject({ ok: 0, detail: 'Error: out of luck' });
});

it('never runs a job twice at once, but takes it back from an invocation that died', async () => {
  const inside: number[] = [];
  const job: Job = {
    name: 'long',
    everyMs: MINUTE_MS,
    run: async (_, now) => {
      inside.push(now);
      if (now === NOW) {
        await runDueJobs(env, NOW + 2 * MINUTE_MS, [job]);
        await runDueJobs(env, NOW + 16 * MINUTE_MS, [job]);
      }
      return '';
    },
  };
  await runDueJobs(env, NOW, [job]);
  expect(inside).toEqual([NOW, NOW + 16 * MINUTE_MS]);
});

it('does not throw when D1 is down', async () => {
  const down = withMethods(env.DB, {
    prepare: () => {
      throw new Error('D1_ERROR: overloaded');
    },
  });
  await expect(runDueJobs({ ...env, DB: down }, NOW)).resolves.toBeUndefined();
});

it('makes visitor keys ahead, keeps them stable, and destroys them 48 h after their day began', async () => {
  const today = utcDay(NOW);
  const start = today * 24 * 60 * MINUTE_MS;
  await turnVisitorKeys(env, start);
  const first = await env.LINKS.get(dailyKeyName(today + 1));
  await turnVisitorKeys(env, start + 30 * 60 * MINUTE_MS);
  expect(await env.LINKS.get(dailyKeyName(today + 1))).toBe(first);
  expect(atob(first ?? '')).toHaveLength(32);
  const days = async () =>
    (await env.DB.prepare('SELECT day FROM visitor_keys ORDER BY day').all<{ day: number }>()).results.map((r) => r.day - today);
  expect(await days()).toEqual([0, 1, 2]);
  await turnVisitorKeys(env, start + 48 * 60 * MINUTE_MS);
  expect(await days()).toEqual([1, 2, 3]);
  expect(await env.LINKS.get(dailyKeyName(today))).toBeNull();
});
