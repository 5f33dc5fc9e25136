import type { PictureLayout } from '#contract/blog/post-text.ts';

/** Pixels are indexes of the palette, two in a byte. Each line begins with one more byte. */
export type Canvas = { layout: PictureLayout; lines: Uint8Array };

/** The space for the arcs: to the right of the brand's name and above the title, in pixels. */
const AREA = { left: 480, right: 1104, top: 92, aboveTitle: 44 };
const LINE_WIDTH = 11;
const DOT_RADIUS = 16;
/** The distance of the points in which a line is drawn. */
const STEP = 3;
/** Hops of other links, in a shade near the background. */
const PALE_ARCS = 3;
const PALE_SHADE = 2;
/** The least width and height of an arc, as shares of the space. */
const SPAN_MIN = 0.4;
const RISE_MIN = 0.35;
/**
 * How many shades of the point where an arc lands are at the end of the palette, after the landing
 * point of the mark.
 */
const LANDING_SHADES = 3;

/** Draws the hop of a link over pale ones. The places of all depend on the slug. */
export function drawMotif(slug: string, titleTop: number, canvas: Canvas): void {
  const random = randomOf(slug);
  const ink = canvas.layout.palette.length - LANDING_SHADES - 2;
  const ground = titleTop - AREA.aboveTitle;
  const [width, height] = [AREA.right - AREA.left, ground - AREA.top];
  for (let index = 0; index <= PALE_ARCS; index += 1) {
    const isMain = index === PALE_ARCS;
    const shade = isMain ? ink : PALE_SHADE;
    const span = width * (SPAN_MIN + (1 - SPAN_MIN) * random());
    const left = AREA.left + (width - span) * random();
    const rise = height * (isMain ? 1 : RISE_MIN + (1 - RISE_MIN) * random());
    const points = canvas.layout.arc.map(([x, y]) => [left + x * span, ground - y * rise] as const);
    drawLine(canvas, points, shade);
    drawDisc(canvas, left, ground, { radius: DOT_RADIUS, from: 0, to: shade });
    if (isMain)
      drawDisc(canvas, left + span, ground, {
        radius: DOT_RADIUS,
        from: ink + 1,
        to: ink + 1 + LANDING_SHADES,
      });
  }
}

/** Draws discs on the lines between `points`, STEP apart, because the Worker's time is short. */
function drawLine(
  canvas: Canvas,
  points: readonly (readonly [number, number])[],
  shade: number,
): void {
  for (const [index, [x, y]] of points.entries()) {
    const [toX, toY] = points[index + 1] ?? [x, y];
    const count = Math.max(1, Math.round(Math.hypot(toX - x, toY - y) / STEP));
    for (let i = 0; i < count; i += 1)
      drawDisc(canvas, x + ((toX - x) * i) / count, y + ((toY - y) * i) / count, {
        radius: LINE_WIDTH / 2,
        from: 0,
        to: shade,
      });
  }
}

/** `from` and `to`: the shades before the edge and inside. */
function drawDisc(
  canvas: Canvas,
  x: number,
  y: number,
  { radius, from, to }: { radius: number; from: number; to: number },
): void {
  for (let row = Math.floor(y - radius); row <= y + radius; row += 1)
    for (let column = Math.floor(x - radius); column <= x + radius; column += 1) {
      const distance = Math.sqrt((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2);
      const share = Math.max(0, Math.min(1, radius + 0.5 - distance));
      const shade = Math.round(from + share * (to - from));
      // `from` belongs to the line below a landing point, not to the paper around it.
      if (shade > from) darken(canvas, column, row, shade);
    }
}

/** Sets a pixel, unless it is darker: letters and lines may overlap each other. */
export function darken({ layout, lines }: Canvas, x: number, y: number, shade: number): void {
  if (x < 0 || x >= layout.width || y < 0 || y >= layout.height) return;
  const at = y * (layout.width / 2 + 1) + 1 + (x >> 1);
  const byte = lines[at] ?? 0;
  if (shade > half(byte, x))
    lines[at] = x % 2 === 0 ? (byte & 0x0f) | (shade << 4) : (byte & 0xf0) | shade;
}

export const half = (byte: number, column: number): number =>
  column % 2 === 0 ? byte >> 4 : byte & 0x0f;

/** Numbers from 0 to 1 that are the same for the same text (FNV-1a, then mulberry32). */
function randomOf(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
