import { describe, expect, it } from 'vitest';
import { pauseAfter } from './queries.ts';

describe('pauseAfter', () => {
  it('waits longer after more checks', () => {
    expect([0, 11, 12, 29, 30, 1000].map((checks) => pauseAfter(checks, 1))).toEqual([
      15_000, 15_000, 30_000, 30_000, 120_000, 120_000,
    ]);
  });
});
