/**
 * A corner of an outline: its position, and the unit vectors of the incoming and outgoing edges.
 */
export type Corner = {
  x: number;
  y: number;
  in: readonly [number, number];
  out: readonly [number, number];
};

/** The directions in clockwise order: right, down, left, up. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * Returns the outlines of the dark squares of a grid of `side` by `side`, including holes. Adjacent
 * squares become one outline, because separate shapes would show a hairline between them. Squares
 * that only share a corner stay separate.
 */
export function traceOutlines(side: number, isDark: (x: number, y: number) => boolean): Corner[][] {
  /**
   * Untraced edges by their start point, with one bit per direction. Dark is to the right of an
   * edge.
   */
  const edges = new Uint8Array((side + 1) ** 2);
  const at = (x: number, y: number): number => y * (side + 1) + x;
  const add = (x: number, y: number, direction: number): void => {
    edges[at(x, y)] = (edges[at(x, y)] ?? 0) | (1 << direction);
  };
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      if (!isDark(x, y)) continue;
      if (!isDark(x, y - 1)) add(x, y, 0);
      if (!isDark(x + 1, y)) add(x + 1, y, 1);
      if (!isDark(x, y + 1)) add(x + 1, y + 1, 2);
      if (!isDark(x - 1, y)) add(x, y + 1, 3);
    }
  const outlines: Corner[][] = [];
  for (let y = 0; y <= side; y += 1)
    for (let x = 0; x <= side; x += 1)
      while (edges[at(x, y)] !== 0) outlines.push(traceFrom(edges, at, x, y));
  return outlines;
}

function traceFrom(
  edges: Uint8Array,
  at: (x: number, y: number) => number,
  startX: number,
  startY: number,
): Corner[] {
  const corners: Corner[] = [];
  let [x, y] = [startX, startY];
  let direction = firstBit(edges[at(x, y)] ?? 0);
  const first = direction;
  for (;;) {
    edges[at(x, y)] = (edges[at(x, y)] ?? 0) & ~(1 << direction);
    const step = STEPS[direction % 4] ?? STEPS[0];
    x += step[0];
    y += step[1];
    // An outline starts at its topmost, leftmost point and passes it only once.
    const isClosed = x === startX && y === startY;
    // Trying clockwise first keeps the trace on the same square if two squares share a corner.
    const next = isClosed
      ? first
      : [1, 0, 3]
          .map((turn) => (direction + turn) % 4)
          .find((d) => (edges[at(x, y)] ?? 0) & (1 << d));
    if (next === undefined) return corners;
    if (next !== direction) corners.push({ x, y, in: step, out: STEPS[next] ?? STEPS[0] });
    if (isClosed) return corners;
    direction = next;
  }
}

const firstBit = (bits: number): number => [0, 1, 2, 3].find((d) => bits & (1 << d)) ?? 0;
