import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { consumeDayAllowance, secondsToNextDay } from './allowances.ts';

const db = openDb(env.DB);
const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2027, 0, 10);

describe('secondsToNextDay', () => {
  it.each([
    [MIDNIGHT, 86_400],
    [MIDNIGHT + 1, 86_400],
    [MIDNIGHT + DAY - 1001, 2],
    [MIDNIGHT + DAY - 1000, 1],
    [MIDNIGHT + DAY - 1, 1],
  ])('rounds up, so that nobody comes back too early: at %i it is %i', (now, seconds) => {
    expect(secondsToNextDay(now)).toBe(seconds);
  });
});

describe('consumeDayAllowance', () => {
  const take = async (network: string, site: string, now: number) => {
    const allowance = { purpose: 'test', perNetwork: 2, perSite: 3 };
    const { used } = await runNamedBatch(db, {
      used: consumeDayAllowance(allowance, { network, site }, 'secret', now).statements,
    });
    return used.rows.length > 0;
  };

  it('an allowance counts by network and by the /48 around it, until midnight', async () => {
    const noon = MIDNIGHT + DAY / 2;
    const taken: boolean[] = [];
    for (const network of ['a', 'a', 'a', 'b', 'b']) taken.push(await take(network, 's', noon));
    expect(taken).toEqual([true, true, false, true, false]);
    // A rejected use counts nowhere: 'b' has used one of its two, and the /48 is used up.
    expect((await rowsOf('counters')).map(({ count }) => count)).toEqual(
      expect.arrayContaining([2, 3, 1]),
    );
    expect(await take('b', 'another', noon)).toBe(true);
    expect(await take('a', 's', MIDNIGHT + DAY - 1)).toBe(false);
    expect(await take('a', 's', MIDNIGHT + DAY)).toBe(true);
    const ends = new Set((await rowsOf('counters')).map(({ expires_at: end }) => end));
    expect(ends).toEqual(new Set([MIDNIGHT + DAY, MIDNIGHT + 2 * DAY]));
  });
});
