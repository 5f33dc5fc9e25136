import { describe, expect, it } from 'vitest';
import { opacityOf, stepOf, STEPS } from './color-steps.ts';

describe('stepOf', () => {
  it('the largest count gets the last shade, any click at least the first, zero none', () => {
    expect([0, 1, 39, 41, 160, 1_000].map((count) => stepOf(count, 1_000))).toEqual([
      0,
      1,
      1,
      2,
      2,
      STEPS,
    ]);
  });

  it('each step has a stronger shade', () => {
    const shades = Array.from({ length: STEPS + 1 }, (_, step) => opacityOf(step));
    expect(shades).toEqual(shades.toSorted((a, b) => a - b));
    expect(new Set(shades).size).toBe(STEPS + 1);
  });
});
