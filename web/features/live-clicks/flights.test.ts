import { describe, expect, it } from 'vitest';
import type { LiveClick } from '#contract/reports/live-clicks.ts';
import { FLIGHT_MS, keyClicks, nextFrameIn, planFlights, REST_AFTER_MS } from './flights.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const clickAt = (seconds: number, code = 'spring'): LiveClick => ({
  clickedAt: new Date(NOON + seconds * 1_000).toISOString(),
  country: 'IN',
  code,
  shortUrl: `https://hop.example/${code}`,
});
const startsOf = (seconds: readonly number[], now = 0): number[] =>
  planFlights(
    seconds.map((at) => clickAt(at)),
    now,
  ).map(({ startAt }) => startAt);

describe('planFlights', () => {
  it('starts clicks in their order and rhythm', () => {
    expect(startsOf([3, 1, 0], 500)).toEqual([500, 1_500, 3_500]);
  });

  it('fits clicks of ten minutes into seconds', () => {
    const starts = startsOf([0, 300, 600]);
    expect(starts).toEqual([0, 4_500, 9_000]);
  });

  it('never starts two clicks at once', () => {
    const starts = startsOf([0, 0, 0.05, 0.1]);
    for (const [at, start] of starts.slice(1).entries())
      expect(start - (starts[at] ?? 0)).toBeGreaterThanOrEqual(200);
  });

  it('plans nothing without clicks', () => {
    expect(startsOf([])).toEqual([]);
  });
});

describe('nextFrameIn', () => {
  const flights = planFlights([clickAt(0), clickAt(8)], 1_000);

  it('asks for a frame at once while an arc moves', () => {
    expect(nextFrameIn(flights, 1_000)).toBe(0);
    expect(nextFrameIn(flights, 1_000 + FLIGHT_MS)).toBe(0);
  });

  it('waits for the next start while nothing moves', () => {
    expect(nextFrameIn(flights, 1_000 + FLIGHT_MS + REST_AFTER_MS)).toBe(
      8_000 - FLIGHT_MS - REST_AFTER_MS,
    );
  });

  it('asks for no frame once all arcs are at rest', () => {
    expect(nextFrameIn(flights, 9_000 + FLIGHT_MS + REST_AFTER_MS)).toBeNull();
    expect(nextFrameIn([], 0)).toBeNull();
  });
});

describe('keyClicks', () => {
  it('tells clicks apart that are equal', () => {
    const first = keyClicks([clickAt(0), clickAt(0), clickAt(0, 'menu')]);
    expect(first.size).toBe(3);
    expect([...keyClicks([clickAt(1), clickAt(0), clickAt(0)]).keys()].slice(1)).toEqual(
      [...first.keys()].slice(0, 2),
    );
  });
});
