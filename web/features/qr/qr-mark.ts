import { BRAND_COLORS, MARK } from '#contract/pages/brand.ts';
import { roundedSquare, type QrDrawing, type Step } from './draw-qr.ts';
import { MARGIN_GOOD } from './readability.ts';

/** Sizes in modules. */
const MARK_HEIGHT = 6;
const SPACE_BELOW_MIN = 2;

/** The top and the bottom of the mark on its grid. */
const TOP = 5.5 - MARK.strokeWidth / 2;
const BOTTOM = MARK.start.y + MARK.start.radius;
const SCALE = MARK_HEIGHT / (BOTTOM - TOP);

/** Adds the product's mark under a code, outside the empty space that scanners need. */
export function addMark(drawing: QrDrawing, margin: number): QrDrawing {
  const top = drawing.side + Math.max(0, MARGIN_GOOD - margin);
  const x = (value: number): number => drawing.side / 2 + (value - 12) * SCALE;
  const y = (value: number): number => top + (value - TOP) * SCALE;
  const point = (dot: typeof MARK.start | typeof MARK.landing): Step[] => {
    const radius = dot.radius * SCALE;
    return roundedSquare(x(dot.x) - radius, y(dot.y) - radius, 2 * radius, radius);
  };
  return {
    ...drawing,
    height: top + MARK_HEIGHT + Math.max(margin, SPACE_BELOW_MIN),
    mark: {
      line: lineOf(x, y),
      lineWidth: MARK.strokeWidth * SCALE,
      start: point(MARK.start),
      landing: point(MARK.landing),
      landingColor: BRAND_COLORS.landing,
    },
  };
}

type Place = (value: number) => number;

/** The mark's arc, which consists of one M and several C. */
const lineOf = (x: Place, y: Place): Step[] =>
  Array.from(MARK.arc.matchAll(/([MC])([^MC]+)/g), ([, command, text = '']): Step => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = text.split(' ').map(Number);
    return command === 'M' ? ['M', x(a), y(b)] : ['C', x(a), y(b), x(c), y(d), x(e), y(f)];
  });
