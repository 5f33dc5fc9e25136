import { MARK, type ArcShape } from './brand.ts';

/** The arc breaks off and lands nowhere: there is no such link. */
export const BROKEN_ARC = {
  ...MARK,
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5C12.84 5.5 13.72 5.77 14.57 6.33M16.86 8.65C17.1 9 17.3 9.35 17.5 9.75M18.95 13.6v.01',
  landing: null,
} as const satisfies ArcShape;

/** The arc comes down on a bar: the link has ended or is disabled. */
export const ENDED_ARC = {
  ...MARK,
  arc: 'M4.5 16.5C5.5 9 9 5.5 12 5.5C15 5.5 18.5 9 19.5 16.5M16.25 18.75h6.5',
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
