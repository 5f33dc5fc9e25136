import { describe, expect, it } from 'vitest';
import { meterTone } from './meter.tsx';

describe('meterTone', () => {
  it.each([
    [0, 25, 'normal'],
    [7, 10, 'normal'],
    [18, 25, 'warn'],
    [9, 10, 'warn'],
    [23, 25, 'bad'],
    [30, 25, 'bad'],
    [0, 0, 'bad'],
  ] as const)('shows %i of %i as %s', (used, limit, tone) => {
    expect(meterTone(used, limit)).toBe(tone);
  });
});
