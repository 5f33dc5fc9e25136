import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openDb } from '#worker/db/client.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { sweepAccounts } from './sweep-accounts.ts';

/** Returns `count` ids, beginning with `first`. */
const ids = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

describe('sweepAccounts', () => {
  it('visits each link of its accounts once, over several runs, and reads no others', async () => {
    const links = { a: ids(1_000, 250), b: ids(1, 3), e: ids(2_000, 400), f: ids(4, 1) };
    for (const [user, some] of Object.entries(links)) await makeLinks(some, user);
    await makeLinks(ids(5_000, 1_000), 'ab');
    await makeLinks(ids(100, 3), 'b');
    const counted = countRowsRead(env.DB);
    const visited: number[] = [];
    const before: number[] = [];
    const sweep = (period: number) =>
      sweepAccounts(
        openDb(counted.db),
        {
          name: 'some',
          period,
          start: 0,
          schema: z.number(),
          // Twice, in no order, and two without links.
          accounts: (last) =>
            Promise.resolve((before.push(last), ['f', 'c', 'e', 'b', 'a', 'd', 'e'])),
        },
        (some, sum) => {
          visited.push(...some.map(({ id }) => id));
          return Promise.resolve(sum + some.length);
        },
        { canContinue: () => false, kvWrites: () => 0 },
      );
    const runs: number[] = [];
    for (let left = 1; left > 0 && runs.length < 20;) {
      const result = await sweep(7);
      runs.push((left = result.left));
      if (left === 0) expect(result.result).toBe(657);
    }
    expect(runs).toEqual([6, 2, 2, 0]);
    expect(visited).toEqual([...links.a, ...links.b, ...ids(100, 3), ...links.e, ...links.f]);
    console.log(`rows read to visit ${visited.length} links: ${counted.rowsRead()}`);
    expect(counted.rowsRead()).toBeLessThan(visited.length + 100);
    expect(await sweep(7)).toMatchObject({ worked: false });
    expect(await sweep(8)).toMatchObject({ worked: true });
    expect(before).toEqual([-1, -1, -1, -1, 7]);
  });
});
