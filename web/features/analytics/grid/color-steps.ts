/** How many shades a map or a heat map has. */
export const STEPS = 5;

/**
 * The shade of a count, from 1 to `STEPS`; 0 without clicks. The scale follows the square root,
 * because a few countries usually have most of the clicks and a linear scale would paint all others
 * alike.
 */
export const stepOf = (count: number, largest: number): number =>
  count <= 0 ? 0 : Math.max(1, Math.ceil(STEPS * Math.sqrt(count / largest)));

/** The opacity of a shade of the first chart colour. */
export const opacityOf = (step: number): number => [0, 0.22, 0.4, 0.58, 0.78, 1][step] ?? 1;
