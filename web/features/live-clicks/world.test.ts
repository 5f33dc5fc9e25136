import { describe, expect, it } from 'vitest';
import { landDots, placeOf, WORLD_RATIO } from './world.ts';

const WIDTH = 1000;
const at = (country: string) => placeOf(country, WIDTH) ?? { x: NaN, y: NaN };

describe('placeOf', () => {
  it('places countries as on a map with the north on top', () => {
    const ordered = ['US', 'BR', 'GB', 'DE', 'IN', 'CN', 'JP', 'NZ'].map((code) => at(code).x);
    expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
    const down = ['NO', 'DE', 'EG', 'KE', 'ZA'].map((code) => at(code).y);
    expect(down).toEqual(down.toSorted((a, b) => a - b));
  });

  it('grows with the picture, and has small countries but no unknown ones', () => {
    const { x, y } = at('SG');
    expect(placeOf('SG', 2 * WIDTH)).toEqual({ x: 2 * x, y: 2 * y });
    for (const country of ['Unknown', 'XX', 'T1', '', 'toString'])
      expect(placeOf(country, WIDTH)).toBeNull();
  });
});

describe('landDots', () => {
  it('draws land and no sea', () => {
    const { dots, pitch } = landDots(WIDTH);
    const isNear = (x: number, y: number): boolean =>
      dots.some((dot) => Math.hypot(dot.x - x, dot.y - y) < pitch);
    for (const code of ['US', 'BR', 'DE', 'IN', 'CN', 'AU', 'ZA', 'RU'])
      expect(isNear(at(code).x, at(code).y), code).toBe(true);
    // The South Atlantic, where arcs land, and the Pacific.
    expect(isNear(425, 350)).toBe(false);
    expect(isNear(100, 250)).toBe(false);
  });

  it('keeps all dots in the picture', () => {
    for (const { x, y } of landDots(WIDTH).dots) {
      expect(x >= 0 && x <= WIDTH).toBe(true);
      expect(y >= 0 && y <= WIDTH * WORLD_RATIO).toBe(true);
    }
  });

  it('leaves out dots where a narrow picture has no room for them', () => {
    const [wide, narrow] = [landDots(WIDTH), landDots(330)];
    expect(narrow.pitch).toBeGreaterThan(3);
    expect(narrow.dots.length).toBeLessThan(wide.dots.length / 3);
  });
});
