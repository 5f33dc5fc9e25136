import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, cycleAt } from './cycle.ts';

const at = (text: string): number => Date.parse(text);
const text = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['2025-01-15T10:00:00Z', '2025-01-15T10:00:00Z', '2025-01-15T10:00:00.000Z', '2025-02-15T10:00:00.000Z'],
  ['2025-01-15T10:00:00Z', '2025-02-15T09:59:59.999Z', '2025-01-15T10:00:00.000Z', '2025-02-15T10:00:00.000Z'],
  ['2025-01-15T10:00:00Z', '2025-02-15T10:00:00Z', '2025-02-15T10:00:00.000Z', '2025-03-15T10:00:00.000Z'],
  // The 31st is clamped in short months and comes back after them.
  ['2025-01-31T00:00:00Z', '2025-02-28T00:00:00Z', '2025-02-28T00:00:00.000Z', '2025-03-31T00:00:00.000Z'],
  ['2025-01-31T00:00:00Z', '2025-03-30T23:59:59Z', '2025-02-28T00:00:00.000Z', '2025-03-31T00:00:00.000Z'],
  ['2024-01-31T00:00:00Z', '2024-02-29T12:00:00Z', '2024-02-29T00:00:00.000Z', '2024-03-31T00:00:00.000Z'],
  ['2024-02-29T08:00:00Z', '2025-02-28T08:00:00Z', '2025-02-28T08:00:00.000Z', '2025-03-29T08:00:00.000Z'],
  ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59.000Z', '2026-01-31T23:59:59.000Z'],
  ['2025-06-10T00:00:00Z', '2025-06-09T00:00:00Z', '2025-06-10T00:00:00.000Z', '2025-07-10T00:00:00.000Z'],
])('anchored at %s, %s falls into %s … %s', (anchor, now, start, end) => {
  const cycle = cycleAt(at(anchor), at(now));
  expect([text(cycle.start), text(cycle.end)]).toEqual([start, end]);
});

const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2120-01-01T00:00:00Z') });

test('every moment after the anchor is in exactly one cycle, and cycles touch without gaps', () => {
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const [anchor, now] = [Math.min(a, b), Math.max(a, b)];
      const { start, end } = cycleAt(anchor, now);
      expect(start).toBeLessThanOrEqual(now);
      expect(end).toBeGreaterThan(now);
      expect(cycleAt(anchor, end).start).toBe(end);
      expect(cycleAt(anchor, end - 1)).toEqual({ start, end });
      expect(cycleAt(anchor, start)).toEqual({ start, end });
      expect((end - start) / 86_400_000).toBeGreaterThanOrEqual(28);
      expect((end - start) / 86_400_000).toBeLessThanOrEqual(31);
    }),
    { numRuns: 2000 },
  );
});

test('a cycle starts on the anchor’s day, or on the last day of a month that has no such day', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 600 }), (anchor, months) => {
      const [from, to] = [new Date(anchor), new Date(addMonths(anchor, months))];
      const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
      expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDay));
      expect(to.getTime() % 86_400_000).toBe(anchor % 86_400_000);
      expect((to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()).toBe(months);
    }),
  );
});
