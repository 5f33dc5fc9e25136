import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openDb } from '#worker/db/client.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { databasesOf, withShards } from '#worker/testing/shards.ts';
import { LINKS_PER_STEP, sweepLinks, sweepShards, type LinkRange } from './sweep-links.ts';

describe('sweepLinks', () => {
  it('reports links left until it knows that none follow', async () => {
    await makeLinks(Array.from({ length: 200 }, (_, i) => i + 1));
    const ranges: LinkRange[] = [];
    const sweep = { name: 'some', over: 'links', period: 1, start: 0, schema: z.number() } as const;
    const run = () =>
      sweepLinks(openDb(env.DB), sweep, async (range, sum) => (ranges.push(range), sum + 1), {
        canContinue: () => false,
        kvWrites: () => 0,
      });
    expect(await run()).toEqual({ worked: true, left: 1, result: 1 });
    expect(await run()).toEqual({ worked: true, left: 0, result: 1 });
    expect(ranges).toEqual([{ after: 0, upTo: 200 }]);
  });
});

it('a sweep of several databases reports the links that are left in all of them', async () => {
  const sharded = await withShards(2);
  for (const [shard, database] of databasesOf(sharded).entries())
    await database.batch(
      Array.from({ length: LINKS_PER_STEP + 3 - shard }, (_, i) =>
        database.prepare('INSERT INTO link_totals (link_id) VALUES (?1)').bind(i + 1),
      ),
    );
  const sweep = {
    name: 'all',
    over: 'link_totals',
    period: 1,
    start: 0,
    schema: z.number(),
  } as const;
  const oneStep = { canContinue: () => false, kvWrites: () => 0 };
  const run = () =>
    sweepShards(sharded, sweep, async (_db, _range, sum) => sum + 1, 'links_pruned', oneStep);
  expect(await run()).toEqual({ done: { links_pruned: 2 }, left: 3 + 2 });
});
