type Dot = { readonly x: number; readonly y: number; readonly radius: number };

export type ArcShape = {
  readonly viewBox: string;
  /** A path without fill, with round ends. It may have several parts. Its commands are absolute. */
  readonly arc: string;
  readonly strokeWidth: number;
  /** The link. */
  readonly start: Dot;
  /** The destination; null if the arc does not reach it. */
  readonly landing: Dot | null;
};

/**
 * The product's mark on a grid of 24 units: a link, the arc of a hop, and the destination that it
 * lands on. Pages, server pages, mails, cards and icons draw the arc from these shapes. The other arcs
 * are in `arcs.ts`, because Home needs only this one.
 */
export const MARK = {
  viewBox: '0 0 24 24',
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5C15 5.5 18.5 9 19.5 16.5',
  strokeWidth: 2.25,
  start: { x: 4.5, y: 18, radius: 2.25 },
  landing: { x: 19.5, y: 18, radius: 2.25 },
} as const satisfies ArcShape;

/**
 * The brand's colors outside the stylesheet of the application: files, mails and server pages.
 * `landing` is the warm color; only the point where an arc lands has it.
 */
export const BRAND_COLORS = {
  ink: '#17181d',
  paper: '#fafaf8',
  landing: '#e8590c',
  landingOnDark: '#ff9f4a',
} as const;
