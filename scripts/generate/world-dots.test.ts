import type { ExtendedFeature } from 'd3-geo';
import { expect, it } from 'vitest';
import { drawWorldDots } from './world-dots.ts';

/** A square around a place, clockwise as d3 draws land. */
const square = (longitude: number, latitude: number, reach: number): [number, number][][] => [
  [
    [longitude - reach, latitude - reach],
    [longitude - reach, latitude + reach],
    [longitude + reach, latitude + reach],
    [longitude + reach, latitude - reach],
    [longitude - reach, latitude - reach],
  ],
];

it('land becomes runs of dots, and a country the center of its largest part', () => {
  const country = (...coordinates: [number, number][][][]): ExtendedFeature => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates },
  });
  const large = square(11, 40, 8);
  const { columns, height, runs, countries } = drawWorldDots(
    { type: 'Polygon', coordinates: large },
    [
      { code: 'ZZ', country: country(square(-60, -20, 2)) },
      { code: 'AA', country: country(square(150, -30, 1), large) },
    ],
  );
  expect(columns).toBe(180);
  expect(Object.keys(countries)).toEqual(['AA', 'ZZ']);
  const [x = 0, y = 0] = countries['AA'] ?? [];
  // The middle of the map is at 11° east.
  expect(x).toBe(500);
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(height / 2);
  const land = runs.flatMap((run, row) => (run.length === 0 ? [] : [row]));
  expect(land).toEqual(Array.from({ length: land.length }, (_, at) => (land[0] ?? 0) + at));
  expect(((land[0] ?? 0) + land.length / 2) / runs.length).toBeCloseTo(y / height, 1);
  for (const [sea = 0, dots = 0, ...more] of land.map((row) => runs[row] ?? [])) {
    expect(more).toEqual([]);
    expect(sea + dots / 2).toBeGreaterThan(88);
    expect(sea + dots / 2).toBeLessThan(92);
  }
});

it('dots end at the edge of the map', () => {
  const { runs } = drawWorldDots({ type: 'Sphere' }, []);
  const [[sea = 0, dots = 0, ...more] = []] = runs;
  expect(sea).toBeGreaterThan(20);
  expect(Math.abs(180 - 2 * sea - dots)).toBeLessThanOrEqual(1);
  expect(more).toEqual([]);
});
