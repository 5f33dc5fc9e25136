import { MARK } from '#contract/pages/brand.ts';
import type { WorldPoint } from './world.ts';

/** The points of an arc. They are enough to look round at any size of the picture. */
const STEPS = 40;
/** The space in px that an arc leaves at the top of the picture. */
const MARGIN = 4;

/**
 * The arc of the mark by points: how far along they are, from 0 to 1, and how high above the line
 * between its ends, in parts of the length of that line.
 */
const PROFILE: readonly { along: number; height: number }[] = readProfile(MARK.arc);

/**
 * Returns the points of the mark's arc between two points. It is as high as in the mark, or lower
 * if it would leave the picture at the top.
 */
export function arcBetween(start: WorldPoint, end: WorldPoint): WorldPoint[] {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  let lift = Math.hypot(dx, dy);
  for (const { along, height } of PROFILE)
    if (height > 0) lift = Math.min(lift, Math.max(0, start.y + dy * along - MARGIN) / height);
  return PROFILE.map(({ along, height }) => ({
    x: start.x + dx * along,
    y: start.y + dy * along - lift * height,
  }));
}

/** Reads a path of two curves with absolute points. */
function readProfile(path: string): { along: number; height: number }[] {
  const numbers = (path.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
  const at = (index: number): WorldPoint => ({
    x: numbers[index] ?? 0,
    y: numbers[index + 1] ?? 0,
  });
  const [start, top, end] = [at(0), at(6), at(12)];
  const curves: [WorldPoint, WorldPoint, WorldPoint, WorldPoint][] = [
    [start, at(2), at(4), top],
    [top, at(8), at(10), end],
  ];
  const length = end.x - start.x;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const part = (2 * step) / STEPS;
    const [from, first, last, to] = curves[part < 1 ? 0 : 1] ?? [start, start, end, end];
    const t = part < 1 ? part : part - 1;
    const mix = (of: (point: WorldPoint) => number): number =>
      (1 - t) ** 3 * of(from) +
      3 * (1 - t) ** 2 * t * of(first) +
      3 * (1 - t) * t ** 2 * of(last) +
      t ** 3 * of(to);
    return {
      along: (mix(({ x }) => x) - start.x) / length,
      height: (start.y - mix(({ y }) => y)) / length,
    };
  });
}
