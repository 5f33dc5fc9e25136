import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { consume, refund, reset } from './counters.ts';

const db = openDb(env.DB);
const LIMIT = { key: 'test:one', max: 3, windowMs: 1_000 };
const count = (key: string) =>
  env.DB.prepare('SELECT count FROM counters WHERE key = ?').bind(key).first<number>('count');
/**
 * Makes an attempt at each time. Returns 'allowed', 'reached' for the attempt that uses up the
 * limit, or how long to wait in ms.
 */
async function attemptsAt(times: readonly number[]): Promise<(string | number)[]> {
  const results: (string | number)[] = [];
  for (const now of times) {
    const { exceeded, reached } = await consume(db, [LIMIT], now);
    results.push(exceeded?.retryAfterMs ?? (reached.length > 0 ? 'reached' : 'allowed'));
  }
  return results;
}

describe('counters', () => {
  beforeEach(async () => {
    await env.DB.exec('DELETE FROM counters');
  });

  it('allows as many attempts as the maximum', async () => {
    expect(await attemptsAt([0, 0, 0, 0, 0])).toEqual([
      'allowed',
      'allowed',
      'reached',
      1_000,
      1_000,
    ]);
  });

  it('a full window starts with the attempt that reaches the maximum', async () => {
    expect(await attemptsAt([0, 100, 900, 1_000, 1_899])).toEqual([
      'allowed',
      'allowed',
      'reached',
      900,
      1,
    ]);
    expect(await attemptsAt([1_900, 1_900, 1_900])).toEqual(['allowed', 'allowed', 'reached']);
  });

  it('a window does not grow by attempts below the maximum or refused ones', async () => {
    expect(await attemptsAt([0, 999, 1_000, 1_500, 1_999])).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'allowed',
      'reached',
    ]);
    expect(await attemptsAt([2_500, 2_998])).toEqual([499, 1]);
    expect(await attemptsAt([2_999])).toEqual(['allowed']);
  });

  it('reports the exceeded limit that lasts longest', async () => {
    const long = { key: 'test:long', max: 1, windowMs: 5_000 };
    const short = { key: 'test:short', max: 1, windowMs: 1_000 };
    await consume(db, [short, long], 0);
    expect(await consume(db, [short, long], 10)).toEqual({
      exceeded: { limit: long, retryAfterMs: 4_990 },
      reached: [],
    });
    expect(await consume(db, [long, short], 10)).toEqual({
      exceeded: { limit: long, retryAfterMs: 4_990 },
      reached: [],
    });
  });

  it('parallel attempts cannot exceed the maximum', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => consume(db, [LIMIT], 0)));
    expect(results.filter(({ exceeded }) => exceeded === null)).toHaveLength(3);
  });

  it('refunds an attempt, never below zero, and only on the given limits', async () => {
    const other = { ...LIMIT, key: 'test:other' };
    await consume(db, [LIMIT, other], 0);
    await refund(db, [LIMIT]);
    await refund(db, [LIMIT]);
    expect([await count(LIMIT.key), await count(other.key)]).toEqual([0, 1]);
    expect(await attemptsAt([1, 1, 1, 1])).toEqual(['allowed', 'allowed', 'reached', 1_000]);
  });

  it('resets only the given limits', async () => {
    const other = { ...LIMIT, key: 'test:other' };
    await consume(db, [LIMIT, other], 0);
    await reset(db, [LIMIT]);
    expect([await count(LIMIT.key), await count(other.key)]).toEqual([null, 1]);
  });
});
