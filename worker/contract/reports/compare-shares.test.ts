import { describe, expect, it } from 'vitest';
import { compareShares, measureShare } from './compare-shares.ts';

describe('measureShare', () => {
  it('returns the interval of Wilson’s score, as published for these cases', () => {
    // Newcombe, Statistics in Medicine 17 (1998), table I.
    expect(measureShare(81, 263)).toEqual({ measured: 0.308, low: 0.2553, high: 0.3662 });
    expect(measureShare(15, 148)).toEqual({ measured: 0.1014, low: 0.0624, high: 0.1605 });
    expect(measureShare(0, 20)).toEqual({ measured: 0, low: 0, high: 0.1611 });
    expect(measureShare(0, 0)).toBeNull();
  });
});

describe('compareShares', () => {
  const verdict = (weights: number[], visitors: number[]) =>
    compareShares(weights.map((weight, at) => ({ weight, visitors: visitors[at] ?? 0 })));

  it('compares only as many visitors as tell something', () => {
    expect(verdict([70, 30], [70, 29])).toBe('too_few');
    expect(verdict([70, 30], [70, 30])).toBe('as_set');
    expect(verdict([99, 1], [400, 4])).toBe('too_few');
    expect(verdict([100], [5_000])).toBe('too_few');
  });

  it('tells a difference from chance at 1 %', () => {
    // Chi-square is 6.4 and 6.9; the critical value is 6.63.
    expect(verdict([50, 50], [540, 460])).toBe('as_set');
    expect(verdict([50, 50], [541.6, 458.4])).toBe('differs');
    expect(verdict([40, 30, 30], [400, 300, 300])).toBe('as_set');
    expect(verdict([40, 30, 30], [330, 370, 300])).toBe('differs');
  });
});
