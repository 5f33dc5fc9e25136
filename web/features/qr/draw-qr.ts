import QRCode from 'qrcode-svg';
import { scanUrl } from '#contract/codes/link-key.ts';
import type { QrStyle } from '#contract/presets/qr-presets.ts';
import { traceOutlines, type Corner } from './trace-outlines.ts';

/** A step of an SVG path, with coordinates in modules. */
export type Step =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

export type CorrectionLevel = 'M' | 'Q' | 'H';

/** A QR code as shapes, from which all exports are made. Coordinates are in modules. */
export type QrDrawing = {
  /** The width, including the margin. */
  side: number;
  /** As large as the width, except with a mark under the code. */
  height: number;
  background: string;
  foreground: string;
  /** The dark shapes, filled by the even-odd rule. */
  steps: Step[];
  /** The position, size and source of the square logo; null without one. */
  logo: { x: number; y: number; side: number; source: string } | null;
  /** The product's mark under the code (qr-mark.ts); null without one. */
  mark: QrMark | null;
  level: CorrectionLevel;
};

/** A line in the color of the code with a point at its start, and the point where it lands. */
export type QrMark = {
  line: Step[];
  lineWidth: number;
  start: Step[];
  landing: Step[];
  landingColor: string;
};

/** The side of a finder pattern, the "eye" in a corner. */
const EYE = 7;
/** The side of the alignment pattern, and its distance from the end of the code. */
const ALIGNMENT = 5;
const ALIGNMENT_FROM_END = 9;
/** The distance of a cubic curve's control points that approximates a quarter of a unit circle. */
const KAPPA = 0.5523;
const DOT_RADIUS = 0.46;
/** The radii of the ring's outline, of the hole in it, and of the square in the middle. */
const EYE_RADII = { square: [0, 0, 0], rounded: [2, 1, 1], circle: [3.5, 2.5, 1.5] } as const;

/** The share of the code's width that the logo covers, including the space around it. */
const LOGO_SHARE: Readonly<Record<QrStyle['logoSize'], number>> = {
  small: 0.18,
  medium: 0.24,
  large: 0.3,
};
/**
 * The share of the code's area that a logo may cover at each level: about a third of what the level
 * restores (M 15 %, Q 25 %, H 30 % of the codewords), so that the rest is left for dirt, glare and
 * bad printing. Codes without a logo use M.
 */
const COVERED_MAX = [
  ['M', 0],
  ['Q', 0.04],
  ['H', 0.12],
] as const;

/** Draws the code of a short URL. `logo` is a square picture as a `data:` URL, or ''. */
export function drawQr(shortUrl: string, style: QrStyle, logo: string): QrDrawing {
  const { level, modules, hole } = chooseLevel(
    scanUrl(shortUrl),
    logo === '' ? 0 : LOGO_SHARE[style.logoSize],
  );
  const size = modules.length;
  const { margin } = style;
  const holeStart = (size - hole) / 2;
  const eyes = [
    [0, 0],
    [size - EYE, 0],
    [0, size - EYE],
  ] as const;
  const isInside = (x: number, y: number, left: number, top: number, side: number): boolean =>
    x >= left && x < left + side && y >= top && y < top + side;
  const isDark = (x: number, y: number): boolean =>
    modules[y]?.[x] === true &&
    !isInside(x, y, holeStart, holeStart, hole) &&
    !eyes.some(([left, top]) => isInside(x, y, left, top, EYE));
  return {
    side: size + 2 * margin,
    height: size + 2 * margin,
    mark: null,
    background: style.background,
    foreground: style.foreground,
    steps: [
      ...drawModules(size, isDark, style.modules),
      ...eyes.flatMap(([x, y]) => drawEye(x, y, style.eyes)),
    ].map((step) => moved(step, margin)),
    // Half a module of space surrounds the logo.
    logo:
      logo === ''
        ? null
        : {
            x: margin + holeStart + 0.5,
            y: margin + holeStart + 0.5,
            side: hole - 1,
            source: logo,
          },
    level,
  };
}

/**
 * Returns the lowest level that leaves enough for a logo, the modules of the code, and the side of
 * the space for the logo in modules.
 */
function chooseLevel(
  text: string,
  share: number,
): { level: CorrectionLevel; modules: boolean[][]; hole: number } {
  for (const [level, coveredMax] of COVERED_MAX) {
    const { modules } = new QRCode({ content: text, ecl: level }).qrcode;
    // Codes have an odd number of modules, so the space in the middle has one too.
    const hole = share === 0 ? 0 : 2 * Math.round((share * modules.length - 1) / 2) + 1;
    if ((hole / modules.length) ** 2 <= coveredMax) return { level, modules, hole };
  }
  throw new Error('The logo covers too much of the code.');
}

export function drawModules(
  size: number,
  isDark: (x: number, y: number) => boolean,
  shape: QrStyle['modules'],
): Step[] {
  if (shape !== 'dots')
    return traceOutlines(size, isDark).flatMap((corners) =>
      drawOutline(corners, shape === 'rounded' ? 0.5 : 0),
    );
  // The logo must not cover the alignment pattern in the lower right corner, which readers use to
  // correct the perspective. The smallest codes have none.
  const start = size > 21 ? size - ALIGNMENT_FROM_END : size;
  const isAlignment = (x: number, y: number): boolean =>
    Math.min(x, y) >= start && Math.max(x, y) < start + ALIGNMENT;
  const dots = traceOutlines(size, (x, y) => isAlignment(x, y) && isDark(x, y)).flatMap((corners) =>
    drawOutline(corners, DOT_RADIUS),
  );
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      if (isDark(x, y) && !isAlignment(x, y))
        dots.push(
          ...roundedSquare(x + 0.5 - DOT_RADIUS, y + 0.5 - DOT_RADIUS, 2 * DOT_RADIUS, DOT_RADIUS),
        );
  return dots;
}

/** Draws a finder pattern: a ring one module wide around a square of three modules. */
export function drawEye(x: number, y: number, shape: QrStyle['eyes']): Step[] {
  const [outer, inner, middle] = EYE_RADII[shape];
  return [
    ...roundedSquare(x, y, EYE, outer),
    ...roundedSquare(x + 1, y + 1, EYE - 2, inner),
    ...roundedSquare(x + 2, y + 2, EYE - 4, middle),
  ];
}

export const roundedSquare = (x: number, y: number, side: number, radius: number): Step[] =>
  drawOutline(
    [
      { x: x + side, y, in: [1, 0], out: [0, 1] },
      { x: x + side, y: y + side, in: [0, 1], out: [-1, 0] },
      { x, y: y + side, in: [-1, 0], out: [0, -1] },
      { x, y, in: [0, -1], out: [1, 0] },
    ],
    radius,
  );

function drawOutline(corners: readonly Corner[], radius: number): Step[] {
  const along = ({ x, y }: Corner, [dx, dy]: readonly [number, number], by: number) =>
    [x + dx * by, y + dy * by] as const;
  const bend = radius * (1 - KAPPA);
  const steps = corners.flatMap((corner, i): Step[] => {
    const move = i === 0 ? 'M' : 'L';
    if (radius === 0) return [[move, corner.x, corner.y]];
    return [
      [move, ...along(corner, corner.in, -radius)],
      [
        'C',
        ...along(corner, corner.in, -bend),
        ...along(corner, corner.out, bend),
        ...along(corner, corner.out, radius),
      ],
    ];
  });
  return [...steps, ['Z']];
}

function moved(step: Step, by: number): Step {
  if (step[0] === 'Z') return step;
  if (step[0] === 'C')
    return [
      'C',
      step[1] + by,
      step[2] + by,
      step[3] + by,
      step[4] + by,
      step[5] + by,
      step[6] + by,
    ];
  return [step[0], step[1] + by, step[2] + by];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

export const pathOf = (steps: readonly Step[]): string =>
  steps.map(([command, ...values]) => command + values.map(rounded).join(' ')).join('');
