import world from './world-dots.json' with { type: 'json' };

export type WorldPoint = { x: number; y: number };

/** The width of the world that the points of countries are measured in. */
const UNITS = 1000;
/** The height of the picture for each px of its width. */
export const WORLD_RATIO = world.height / UNITS;
/** Dots closer than this, in px, would blur into a surface; every second one is left out then. */
const PITCH_MIN = 4;

const points = new Map<string, readonly number[]>(Object.entries(world.countries));

/** Returns where a country is in a world of this width; null if it is not on it, as 'Unknown'. */
export function placeOf(country: string, width: number): WorldPoint | null {
  const [x, y] = points.get(country) ?? [];
  if (x === undefined || y === undefined) return null;
  return { x: (x / UNITS) * width, y: (y / UNITS) * width };
}

/** Returns the dots of the land in a world of this width, and how far apart they are. */
export function landDots(width: number): { dots: WorldPoint[]; pitch: number } {
  const step = width / world.columns;
  const isCoarse = step < PITCH_MIN;
  const rowStep = (step * Math.sqrt(3)) / 2;
  const dots: WorldPoint[] = [];
  for (const [row, runs] of world.runs.entries()) {
    if (isCoarse && row % 2 === 1) continue;
    let column = 0;
    for (const [at, length] of runs.entries()) {
      if (at % 2 === 1)
        for (let cell = column; cell < column + length; cell++)
          if (!isCoarse || (cell + row / 2) % 2 === 0)
            dots.push({
              x: (cell + (row % 2 === 0 ? 0.25 : 0.75)) * step,
              y: (row + 0.5) * rowStep,
            });
      column += length;
    }
  }
  return { dots, pitch: isCoarse ? 2 * step : step };
}
