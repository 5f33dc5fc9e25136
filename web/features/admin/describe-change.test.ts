import { describe, expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

describe('describeChange', () => {
  it.each([
    [10, 8, 'Up 25% from 8'],
    [6, 8, 'Down 25% from 8'],
    [0, 8, 'Down 100% from 8'],
    [10_000, 100, 'Up 9,900% from 100'],
    [1_000_001, 1_000_000, 'Up less than 1% from 1,000,000'],
    [8, 8, 'As many as in the 30 days before'],
    [3, 0, 'Up from 0'],
    [0, 0, 'None in the 30 days before'],
  ])('compares %i with %i', (now, before, text) => {
    expect(describeChange({ now, before })).toBe(text);
  });
});
