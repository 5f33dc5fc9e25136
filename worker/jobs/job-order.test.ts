import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { mostOverdueFirst } from './job-order.ts';

const NOW = 1_800_000_000_000;
const SECONDS_EARLY = 20_000;
const db = openDb(env.DB);
const waits = (isWaiting: boolean) => () => (isWaiting ? sql`1 = 1` : sql`1 = 0`);

type LastRun = { ok?: boolean; finished?: boolean };
async function insertRun(name: string, at: number, { ok = true, finished = true }: LastRun = {}) {
  await env.DB.prepare(
    'INSERT INTO job_runs (name, started_at, finished_at, ok) VALUES (?1, ?2, ?3, ?4)',
  )
    .bind(name, at, finished ? at : null, ok ? 1 : 0)
    .run();
}
const order = async (jobs: Parameters<typeof mostOverdueFirst>[1], now = NOW) =>
  (await mostOverdueFirst(db, jobs, now)).map(({ name }) => name);

beforeEach(() => env.DB.prepare('DELETE FROM job_runs').run());

describe('mostOverdueFirst', () => {
  it.each([
    ['cannot tell whether it has work', { everyMs: MINUTE_MS }, {}, 15 * MINUTE_MS],
    ['has nothing to do', { everyMs: MINUTE_MS, waits: waits(false) }, {}, 5 * MINUTE_MS],
    ['has work', { everyMs: HOUR_MS, waits: waits(true) }, {}, MINUTE_MS],
    ['runs rarely', { everyMs: DAY_MS }, {}, DAY_MS],
    ['has failed', { everyMs: HOUR_MS }, { ok: false }, MINUTE_MS],
    ['has not finished', { everyMs: HOUR_MS }, { finished: false }, MINUTE_MS],
  ])('runs a job that %s at its own interval', async (_, job, lastRun, intervalMs) => {
    await insertRun('job', NOW, lastRun);
    const isDue = async (afterMs: number) =>
      (await order([{ name: 'job', ...job }], NOW + afterMs)).length === 1;
    const earliest = intervalMs - SECONDS_EARLY;
    expect([await isDue(earliest - 1), await isDue(earliest)]).toEqual([false, true]);
  });

  it('runs a job with a backlog in the next minute', async () => {
    await insertRun('job', NOW - MINUTE_MS);
    const jobs = [{ name: 'job', everyMs: HOUR_MS }];
    expect(await order(jobs)).toEqual([]);
    await insertRun('job:backlog', NOW - MINUTE_MS);
    expect(await order(jobs)).toEqual(['job']);
  });

  it('orders jobs by how late they are, those that never ran first, and keeps ties', async () => {
    for (const [name, hours] of [
      ['late', 2],
      ['later', 3],
      ['as late', 2],
    ] as const)
      await insertRun(name, NOW - hours * HOUR_MS);
    const names = ['late', 'new', 'later', 'as late', 'newer'];
    expect(await order(names.map((name) => ({ name, everyMs: HOUR_MS })))).toEqual([
      'new',
      'newer',
      'later',
      'late',
      'as late',
    ]);
  });
});
