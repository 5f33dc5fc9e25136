import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openDb } from '#worker/db/client.ts';
import { forgetSteps, readDonePeriod, runSteps } from './run-steps.ts';

const db = openDb(env.DB);
const schema = z.object({ at: z.number(), before: z.number() });
/** The positions of the steps that were run. */
let steps: number[] = [];

/** Runs at most `most` of the three steps of a period's work. */
function run(period: number, most: number, failsAt = -1) {
  const start = (before: number) => ({ at: 0, before });
  const step = async ({ at, before }: z.infer<typeof schema>) => {
    steps.push(at);
    if (at === failsAt) throw new Error('D1 is down');
    return { state: { at: at + 1, before }, done: at === 2 };
  };
  let left = most;
  const budget = { canContinue: () => --left > 0, kvWrites: () => 0 };
  return runSteps(db, { name: 'work', period, schema, start }, step, budget);
}

beforeEach(async () => {
  steps = [];
  await forgetSteps(db, 'work');
});

describe('runSteps', () => {
  it('continues where the last run stopped, and is done once per period', async () => {
    expect(await run(7, 2)).toEqual({ worked: true, done: false, state: { at: 2, before: -1 } });
    expect(await readDonePeriod(db, 'work')).toBe(-1);
    expect(await run(7, 9)).toEqual({ worked: true, done: true, state: { at: 3, before: -1 } });
    expect(await run(7, 9)).toEqual({ worked: false, done: true, state: { at: 3, before: -1 } });
    expect(steps).toEqual([0, 1, 2]);
    expect(await readDonePeriod(db, 'work')).toBe(7);
    expect(await run(9, 9)).toMatchObject({ worked: true, state: { before: 7 } });
  });

  it('runs one step even if the budget is used up', async () => {
    await run(7, 0);
    expect(steps).toEqual([0]);
  });

  it('completes the work of a period before that of the next one', async () => {
    await run(7, 1);
    await run(8, 9);
    expect(await readDonePeriod(db, 'work')).toBe(7);
    await run(8, 9);
    expect(await readDonePeriod(db, 'work')).toBe(8);
    expect(steps).toEqual([0, 1, 2, 0, 1, 2]);
  });

  it('repeats the steps of a run that has failed', async () => {
    await run(7, 1);
    await expect(run(7, 9, 2)).rejects.toThrow('D1 is down');
    await run(7, 9);
    expect(steps).toEqual([0, 1, 2, 1, 2]);
  });

  it('runs no step for an earlier period, as after a clock was set back', async () => {
    await run(7, 9);
    expect(await run(6, 9)).toMatchObject({ worked: false });
  });

  it('starts over if the stored state has another shape', async () => {
    await run(7, 1);
    await env.DB.prepare(`UPDATE job_runs SET detail = '{"period":7,"done":false,"at":"1"}'`).run();
    await run(7, 1);
    expect(steps).toEqual([0, 0]);
  });
});
