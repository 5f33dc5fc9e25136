import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openDb } from '#worker/db/client.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { sweepLinks, type LinkRange } from './sweep-links.ts';

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
