import { readArguments } from '#scripts/shared/arguments.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import { ROOT } from '#scripts/shared/place.ts';
import { drawWorldDots } from './world-dots.ts';

readArguments({
  usage: 'npm run generate -- map',
  about: `Writes the shapes of the analytics page's map from Natural Earth's countries at 1:110 million, and a
point for each country that is too small for that scale, from those at 1:50 million. Writes the same
world as dots for the picture of live clicks.`,
  options: {},
});

const OUTPUT = join(ROOT, 'web/features/analytics/grid/world-shapes.json');
const WIDTH = 1000;
const DOTS_OUTPUT = join(ROOT, 'web/features/live-clicks/world-dots.json');
/** Smaller rings, in square units of the drawing, would only be specks. */
const RING_MIN = 2;
/**
 * Natural Earth draws these separately but ISO 3166-1 does not, so clicks there are reported under
 * the country. Kosovo has the code 'XK'.
 */
const BY_NAME: Readonly<Record<string, string>> = {
  Kosovo: 'XK',
  'N. Cyprus': 'CY',
  Somaliland: 'SO',
};
const ANTARCTICA = 'AQ';

type Atlas = Parameters<typeof feature>[0] & {
  objects: { countries: Parameters<typeof feature>[1] & { type: 'GeometryCollection' } };
};

function readCountries(name: string) {
  const file = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`);
  const atlas: Atlas = JSON.parse(readFileSync(file, 'utf8'));
  return feature(atlas, atlas.objects.countries).features.flatMap((country) => {
    const code = codeOf(country.id, country.properties?.['name']);
    return code === null || code === ANTARCTICA ? [] : [{ code, country }];
  });
}

/** Returns the ISO 3166-1 alpha-2 code for the atlas's numeric code, from Unicode's locale data. */
function codeOf(id: string | number | undefined, name: unknown): string | null {
  if (id === undefined) return BY_NAME[String(name)] ?? null;
  const { region } = new Intl.Locale(`und-${String(id).padStart(3, '0')}`);
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : null;
}

type Ring = [x: number, y: number][];

/** Returns the rings of an SVG path of straight lines, in whole units. */
const parseRings = (path: string): Ring[] =>
  path
    .split('Z')
    .filter((part) => part !== '')
    .map((part) =>
      part
        .slice(1)
        .split('L')
        .map((point): [number, number] => {
          const [x = 0, y = 0] = point.split(',').map((text) => Math.round(Number(text)));
          return [x, y];
        }),
    );

const areaOf = (ring: Ring): number =>
  Math.abs(
    ring.reduce(
      (sum, [x, y], i) => sum + x * (ring.at(i - 1)?.[1] ?? 0) - y * (ring.at(i - 1)?.[0] ?? 0),
      0,
    ) / 2,
  );

/** Draws a closed ring with relative steps, which compress better than absolute points. */
function drawRing(ring: Ring): string {
  let [x, y] = ring[0] ?? [0, 0];
  let path = `M${x},${y}l`;
  for (const [nextX, nextY] of ring.slice(1)) {
    if (nextX === x && nextY === y) continue;
    path += `${nextX - x},${nextY - y} `;
    [x, y] = [nextX, nextY];
  }
  return `${path.trimEnd()}z`;
}

const large = readCountries('countries-110m');
const all = readCountries('countries-50m');
const projection = geoNaturalEarth1().fitWidth(WIDTH, {
  type: 'FeatureCollection',
  features: large.map(({ country }) => country),
});
const draw = geoPath(projection);
const bounds = draw.bounds({
  type: 'FeatureCollection',
  features: large.map(({ country }) => country),
});

const shapes: Record<string, string> = {};
for (const { code, country } of large) {
  const rings = parseRings(draw(country) ?? '');
  const kept = rings.filter((ring) => areaOf(ring) >= RING_MIN);
  shapes[code] = (shapes[code] ?? '') + (kept.length > 0 ? kept : rings).map(drawRing).join('');
}
const points: Record<string, [number, number]> = {};
for (const { code, country } of all) {
  if (shapes[code] !== undefined) continue;
  const [x, y] = draw.centroid(country);
  points[code] = [Math.round(x), Math.round(y)];
}

write(OUTPUT, { width: WIDTH, height: Math.ceil(bounds[1][1]), shapes, points });
const dots = drawWorldDots(
  { type: 'FeatureCollection', features: large.map(({ country }) => country) },
  all.filter(({ code }, at) => all.findIndex((other) => other.code === code) === at),
);
write(DOTS_OUTPUT, dots);
console.log(
  `${Object.keys(shapes).length} shapes, ${Object.keys(points).length} points, ${dots.runs.length} rows of dots`,
);

function write(path: string, content: object): void {
  const text = `${JSON.stringify(content)}\n`;
  writeFileSync(path, text);
  const size = gzipSync(text, { level: 9 }).length / 1024;
  console.log(`${path}: ${size.toFixed(1)} KB gzip`);
}
