export const STEPS = 5;

/**
 * Returns the shade of a count, from 1 to `STEPS`, or 0 without clicks. The scale follows the
 * square root, because a few countries usually have most clicks and a linear scale would give all
 * others the same shade.
 */
export const stepOf = (count: number, largest: number): number =>
  count <= 0 ? 0 : Math.max(1, Math.ceil(STEPS * Math.sqrt(count / largest)));

export const opacityOf = (step: number): number => [0, 0.22, 0.4, 0.58, 0.78, 1][step] ?? 1;
