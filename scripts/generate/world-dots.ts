import {
  geoArea,
  geoCentroid,
  geoContains,
  geoNaturalEarth1,
  type ExtendedFeature,
  type GeoPermissibleObjects,
} from 'd3-geo';

/** The number of dots side by side on the widest row of the picture. */
const COLUMNS = 180;
/** Rows are closer than columns, because every other row is shifted by half a column. */
const ROW_STEP = Math.sqrt(3) / 2;
/** What the picture shows between north and south; nobody clicks in Antarctica. */
const NORTH = 75;
const SOUTH = -54;
/** Turned a little, so that the edge of the map is in the Bering Strait and cuts no country. */
const EDGE_TURN = -11;
/** The unit of the points of countries, as a part of the width. */
const UNITS = 1000;

type Country = { code: string; country: ExtendedFeature };

/**
 * A picture of the world made of dots. `runs` has for each row the lengths of sea and land in turn,
 * in columns. Points of countries are in thousandths of the width; the height is in the same unit.
 */
type WorldDots = {
  columns: number;
  height: number;
  runs: number[][];
  countries: Record<string, [x: number, y: number]>;
};

/** Draws the land of these countries as dots, and finds a point for each of them. */
export function drawWorldDots(
  land: GeoPermissibleObjects,
  countries: readonly Country[],
): WorldDots {
  const projection = geoNaturalEarth1()
    .rotate([EDGE_TURN, 0])
    .fitWidth(COLUMNS, { type: 'Sphere' });
  const yOf = (latitude: number): number => projection([-EDGE_TURN, latitude])?.[1] ?? 0;
  const top = yOf(NORTH);
  const rows = Math.floor((yOf(SOUTH) - top) / ROW_STEP);
  const runs = Array.from({ length: rows }, (_, row) =>
    toRuns(
      Array.from({ length: COLUMNS }, (_unused, column) => {
        const x = column + (row % 2 === 0 ? 0.25 : 0.75);
        const place = projection.invert?.([x, top + (row + 0.5) * ROW_STEP]) ?? null;
        if (place === null) return false;
        // Beyond the edge of the map, the other side of the world would be repeated.
        const isOnMap = Math.abs((projection(place)?.[0] ?? -1) - x) < 0.01;
        return isOnMap && geoContains(land, place);
      }),
    ),
  );
  const scale = UNITS / COLUMNS;
  const points = countries.map(({ code, country }): [string, [number, number]] => {
    const [x, y] = projection(centerOf(country)) ?? [0, 0];
    return [code, [Math.round(x * scale), Math.round((y - top) * scale)]];
  });
  return {
    columns: COLUMNS,
    height: Math.round(rows * ROW_STEP * scale),
    runs,
    countries: Object.fromEntries(points.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The center of the largest part of a country, so that distant islands do not move it. */
function centerOf(country: ExtendedFeature): [number, number] {
  const { geometry } = country;
  if (geometry?.type !== 'MultiPolygon') return geoCentroid(country);
  const parts = geometry.coordinates.map(
    (coordinates) => ({ type: 'Polygon', coordinates }) as const,
  );
  const [largest] = parts.toSorted((a, b) => geoArea(b) - geoArea(a));
  return geoCentroid(largest ?? country);
}

/** Returns how many cells in turn are false and true, without the last ones that are false. */
function toRuns(cells: readonly boolean[]): number[] {
  const runs = [0];
  let current = false;
  for (const cell of cells) {
    if (cell !== current) runs.push(0);
    current = cell;
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
  }
  return current ? runs : runs.slice(0, -1);
}
