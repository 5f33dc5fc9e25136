import { describe, expect, it } from 'vitest';
import { makeDomain } from '#web/testing/make-domain.ts';
import { isWaiting, pauseAfter } from './queries.ts';

describe('pauseAfter', () => {
  it('waits longer after more checks', () => {
    expect([0, 11, 12, 29, 30, 1000].map((checks) => pauseAfter(checks, 1))).toEqual([
      15_000, 15_000, 30_000, 30_000, 120_000, 120_000,
    ]);
  });
});

it('the page of a member checks own domains only, until they are active', () => {
  const states = ['unproven', 'pending', 'active', 'failing', 'suspended'] as const;
  const waiting = (isShared: boolean) =>
    states.filter((state) => isWaiting(makeDomain({ state, isShared })));
  expect([waiting(false), waiting(true)]).toEqual([['unproven', 'pending'], []]);
});
