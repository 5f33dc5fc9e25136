import { describe, expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

describe('describeChange', () => {
  it.each([
    [50, 40, 'Up 25% from 40'],
    [36, 40, 'Down 10% from 40'],
    [0, 40, 'Down 100% from 40'],
    [1_001, 1_000, 'Up less than 1% from 1,000'],
    [3, 0, 'Up from 0'],
    [99, 9, 'Up 1,000% from 9'],
    [355, 9, 'Up from 9'],
    [40, 40, 'Same as before'],
    [0, 0, 'Same as before'],
  ])('describes %i after %i', (current, previous, text) => {
    expect(describeChange(current, previous)).toBe(text);
  });

  it('writes the previous figure in its own format', () => {
    expect(describeChange(1.5, 1, (value) => value.toFixed(2))).toBe('Up 50% from 1.00');
  });
});
