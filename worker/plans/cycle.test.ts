import { DAY_MS } from '#contract/time.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, cycleAt } from './cycle.ts';

const at = (text: string): number => Date.parse(text);
const text = (ms: number): string => new Date(ms).toISOString();

describe('cycleAt', () => {
  it.each([
    [
      '2025-01-15T10:00:00Z',
      '2025-01-15T10:00:00Z',
      '2025-01-15T10:00:00.000Z',
      '2025-02-15T10:00:00.000Z',
    ],
    [
      '2025-01-15T10:00:00Z',
      '2025-02-15T09:59:59.999Z',
      '2025-01-15T10:00:00.000Z',
      '2025-02-15T10:00:00.000Z',
    ],
    [
      '2025-01-15T10:00:00Z',
      '2025-02-15T10:00:00Z',
      '2025-02-15T10:00:00.000Z',
      '2025-03-15T10:00:00.000Z',
    ],
    // The 31st becomes the last day of a short month and returns after it.
    [
      '2025-01-31T00:00:00Z',
      '2025-02-28T00:00:00Z',
      '2025-02-28T00:00:00.000Z',
      '2025-03-31T00:00:00.000Z',
    ],
    [
      '2025-01-31T00:00:00Z',
      '2025-03-30T23:59:59Z',
      '2025-02-28T00:00:00.000Z',
      '2025-03-31T00:00:00.000Z',
    ],
    [
      '2024-01-31T00:00:00Z',
      '2024-02-29T12:00:00Z',
      '2024-02-29T00:00:00.000Z',
      '2024-03-31T00:00:00.000Z',
    ],
    [
      '2024-02-29T08:00:00Z',
      '2025-02-28T08:00:00Z',
      '2025-02-28T08:00:00.000Z',
      '2025-03-29T08:00:00.000Z',
    ],
    [
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00Z',
      '2025-12-31T23:59:59.000Z',
      '2026-01-31T23:59:59.000Z',
    ],
    [
      '2025-06-10T00:00:00Z',
      '2025-06-09T00:00:00Z',
      '2025-06-10T00:00:00.000Z',
      '2025-07-10T00:00:00.000Z',
    ],
  ])('anchored at %s, puts %s into %s to %s', (anchor, now, start, end) => {
    const cycle = cycleAt(at(anchor), at(now));
    expect([text(cycle.start), text(cycle.end)]).toEqual([start, end]);
  });

  const anyTime = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2120-01-01T00:00:00Z') });

  it('puts every time after the anchor into one cycle, without gaps between cycles', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (a, b) => {
        const [anchor, now] = [Math.min(a, b), Math.max(a, b)];
        const { start, end } = cycleAt(anchor, now);
        expect(start).toBeLessThanOrEqual(now);
        expect(end).toBeGreaterThan(now);
        expect(cycleAt(anchor, end).start).toBe(end);
        expect(cycleAt(anchor, end - 1)).toEqual({ start, end });
        expect(cycleAt(anchor, start)).toEqual({ start, end });
        expect((end - start) / DAY_MS).toBeGreaterThanOrEqual(28);
        expect((end - start) / DAY_MS).toBeLessThanOrEqual(31);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('a cycle starts on the day of the anchor, or the month’s last day', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 0, max: 600 }), (anchor, months) => {
        const [from, to] = [new Date(anchor), new Date(addMonths(anchor, months))];
        const lastDay = new Date(
          Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0),
        ).getUTCDate();
        expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDay));
        expect(to.getTime() % DAY_MS).toBe(anchor % DAY_MS);
        expect(
          (to.getUTCFullYear() - from.getUTCFullYear()) * 12 +
            to.getUTCMonth() -
            from.getUTCMonth(),
        ).toBe(months);
      }),
      { seed: 1 },
    );
  });
});
