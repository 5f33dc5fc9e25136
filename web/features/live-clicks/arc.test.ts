import { describe, expect, it } from 'vitest';
import { arcBetween } from './arc.ts';

/** The mark's arc is 11 units high on a line of 15. */
const PROPORTION = 11 / 15;

describe('arcBetween', () => {
  it('an arc between points of one height has the proportions of the mark', () => {
    const points = arcBetween({ x: 100, y: 300 }, { x: 250, y: 300 });
    expect(points[0]).toEqual({ x: 100, y: 300 });
    expect(points.at(-1)?.x).toBeCloseTo(250);
    expect(points.at(-1)?.y).toBeCloseTo(300);
    expect(300 - Math.min(...points.map(({ y }) => y))).toBeCloseTo(150 * PROPORTION);
    expect(points[20]?.x).toBeCloseTo(175);
  });

  it('mirrors the arc to a link on the left', () => {
    const right = arcBetween({ x: 100, y: 300 }, { x: 250, y: 300 });
    const left = arcBetween({ x: 250, y: 300 }, { x: 100, y: 300 });
    for (const [at, { x, y }] of left.entries()) {
      expect(x).toBeCloseTo(350 - (right[at]?.x ?? 0));
      expect(y).toBeCloseTo(right[at]?.y ?? 0);
    }
  });

  it('stays in the picture, and does not sink below the line between its ends', () => {
    for (const start of [
      { x: 900, y: 60 },
      { x: 440, y: 20 },
      { x: 30, y: 3 },
    ])
      for (const { x, y } of arcBetween(start, { x: 425, y: 340 })) {
        const line = start.y + ((340 - start.y) * (x - start.x)) / (425 - start.x);
        expect(y).toBeGreaterThanOrEqual(Math.min(4, start.y) - 1e-6);
        expect(y).toBeLessThanOrEqual(line + 1e-6);
      }
  });
});
