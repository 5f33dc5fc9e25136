type Dot = { readonly x: number; readonly y: number; readonly radius: number };

export type ArcShape = {
  readonly viewBox: string;
  /** A path without fill, with round ends. It may have several parts. */
  readonly arc: string;
  readonly strokeWidth: number;
  /** The link. */
  readonly start: Dot;
  /** The destination; null if the arc does not reach it. */
  readonly landing: Dot | null;
};

/**
 * The product's mark on a grid of 24 units: a link, the arc of a hop, and the destination that it
 * lands on. Pages, server pages, mails, cards and icons draw the arc from these shapes.
 */
export const MARK = {
  viewBox: '0 0 24 24',
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11',
  strokeWidth: 2.25,
  start: { x: 4.5, y: 18, radius: 2.25 },
  landing: { x: 19.5, y: 18, radius: 2.25 },
} as const satisfies ArcShape;

/** The arc breaks off and lands nowhere: there is no such link. */
export const BROKEN_ARC = {
  ...MARK,
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5C12.84 5.5 13.72 5.77 14.57 6.33M16.86 8.65C17.1 9 17.3 9.35 17.5 9.75M18.95 13.6v.01',
  landing: null,
} as const satisfies ArcShape;

/** The arc comes down on a bar: the link has ended or is disabled. */
export const ENDED_ARC = {
  ...MARK,
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11M16.25 18.75h6.5',
  landing: null,
} as const satisfies ArcShape;

/** The arc returns to its start: the link cannot be answered now, try again. */
export const LOOPING_ARC = {
  ...MARK,
  arc: 'M4.5 16.5V14C4.5 8.5 8 5 12.75 5C17 5 20 7.9 20 11.6C20 15.4 17.2 18 13 18H9.5',
  landing: null,
} as const satisfies ArcShape;

/** A flat arc between two words, such as a code and its destination. */
export const WIDE_ARC = {
  ...MARK,
  viewBox: '0 0 72 24',
  arc: 'M6.25 15.75C16 8.5 26 6 36 6s20 2.5 29.75 9.75',
  landing: { x: 67.5, y: 18, radius: 2.25 },
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
