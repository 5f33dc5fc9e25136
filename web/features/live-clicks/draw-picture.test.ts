import { describe, expect, it } from 'vitest';
import { LIVE_CLICKS_MINUTES, type LiveClick } from '#contract/reports/live-clicks.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { drawArcs, drawWorld, heightFor, LANDING, type Scene } from './draw-picture.ts';
import { FLIGHT_MS, REST_AFTER_MS, type Flight } from './flights.ts';
import { placeOf } from './world.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const click = (country: string, minutesAgo = 0): LiveClick => ({
  clickedAt: new Date(NOW - minutesAgo * MINUTE_MS).toISOString(),
  country,
  code: 'a',
  shortUrl: 'https://hop.example/a',
});
const flight = (country: string, startAt = 0): Flight => ({ click: click(country), startAt });

type Drawn = {
  texts: { text: string; x: number; y: number; opacity: number }[];
  /** Filled and stroked circles. */
  circles: { x: number; y: number; radius: number; opacity: number }[];
  /** The last point of each arc. */
  ends: { x: number; y: number; opacity: number }[];
};

/** Draws a scene into a canvas that writes down what it is told. Every text is 40 px wide. */
function draw(paint: typeof drawArcs, change: Partial<Scene>): Drawn {
  const drawn: Drawn = { texts: [], circles: [], ends: [] };
  let circle: { x: number; y: number; radius: number } | null = null;
  let point: { x: number; y: number } | null = null;
  const state = { globalAlpha: 1 };
  const finish = (): void => {
    if (circle !== null) drawn.circles.push({ ...circle, opacity: state.globalAlpha });
    else if (point !== null) drawn.ends.push({ ...point, opacity: state.globalAlpha });
  };
  const context = Object.assign(state, {
    beginPath: () => void ([circle, point] = [null, null]),
    arc: (x: number, y: number, radius: number) => void (circle = { x, y, radius }),
    moveTo: () => undefined,
    lineTo: (x: number, y: number) => void (point = { x, y }),
    fill: finish,
    stroke: finish,
    measureText: () => ({ width: 40 }),
    strokeText: () => undefined,
    fillText: (text: string, x: number, y: number) =>
      void drawn.texts.push({ text, x, y, opacity: state.globalAlpha }),
  });
  const width = change.width ?? 840;
  const colors = { ink: 'ink', land: 'land', landing: 'landing', ground: 'ground', font: 'font' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that are called
  paint(context as unknown as CanvasRenderingContext2D, {
    width,
    height: heightFor(width),
    colors,
    countries: {},
    resting: [],
    flights: [],
    now: 0,
    time: NOW,
    ...change,
  });
  return drawn;
}
const placeIn = (country: string) => placeOf(country, 840) ?? { x: NaN, y: NaN };
const landing = { x: LANDING.x * 840, y: LANDING.y * heightFor(840) };

describe('drawWorld', () => {
  it('a country with more clicks has a larger dot, one without clicks none', () => {
    const { circles } = draw(drawWorld, { countries: { IN: 100, BR: 25, DE: 0, Unknown: 9 } });
    const sizeAt = (country: string): number =>
      Math.max(...circles.filter(({ x }) => x === placeIn(country).x).map(({ radius }) => radius));
    expect([sizeAt('IN'), sizeAt('BR')]).toEqual([10.5, 6.5]);
    expect(circles.filter(({ x }) => x === placeIn('DE').x)).toEqual([]);
    // The land is one path.
    expect(circles).toHaveLength(1 + 4);
  });
});

describe('drawArcs', () => {
  it('an arc that has landed fades from the newest click to the oldest', () => {
    const ages = [0, LIVE_CLICKS_MINUTES / 2, LIVE_CLICKS_MINUTES, 2 * LIVE_CLICKS_MINUTES];
    const { ends } = draw(drawArcs, { resting: ages.map((age) => click('IN', age)) });
    expect(ends.map(({ opacity }) => Number(opacity.toFixed(2)))).toEqual([0.42, 0.27, 0.12, 0.12]);
    for (const { x, y } of ends) {
      expect(x).toBeCloseTo(landing.x);
      expect(y).toBeCloseTo(landing.y);
    }
  });

  it('an arc starts at its time, lands after its flight, and then comes to rest', () => {
    const endAt = (now: number) => draw(drawArcs, { flights: [flight('IN', 50)], now }).ends[0];
    expect(endAt(49)).toBeUndefined();
    expect(endAt(50)?.x).toBeCloseTo(placeIn('IN').x);
    expect(endAt(50 + FLIGHT_MS)).toMatchObject({ opacity: 0.95 });
    expect(endAt(50 + FLIGHT_MS)?.x).toBeCloseTo(landing.x);
    expect(endAt(50 + FLIGHT_MS + REST_AFTER_MS)?.opacity).toBeCloseTo(0.42);
  });

  it('a ring spreads from the landing while an arc comes to rest', () => {
    const rings = (sinceLanding: number): number[] =>
      draw(drawArcs, { flights: [flight('IN')], now: FLIGHT_MS + sinceLanding })
        .circles.filter(({ x }) => x === landing.x)
        .map(({ radius }) => radius);
    expect(rings(-1)).toEqual([5]);
    expect(rings(REST_AFTER_MS / 2)[0]).toBeCloseTo(14);
    expect(rings(REST_AFTER_MS)).toEqual([5]);
  });

  it('names countries below their dots, the latest first, and none over another', () => {
    const flights = ['ZA', 'BE', 'IN', 'NL', 'Unknown'].map((country) => flight(country));
    const { texts } = draw(drawArcs, { flights, now: 300 });
    expect(texts.map(({ text }) => text)).toEqual(['Netherlands', 'India', 'South Africa']);
    expect(texts[1]).toMatchObject({ x: placeIn('IN').x, y: placeIn('IN').y + 20, opacity: 1 });
  });

  it('a name stays in the picture, and is gone when its arc is at rest', () => {
    const [name] = draw(drawArcs, { flights: [flight('NZ')], now: 100 }).texts;
    expect([name?.x, name?.opacity]).toEqual([Math.min(840 - 24, placeIn('NZ').x), 0.5]);
    const later = { flights: [flight('NZ')], now: FLIGHT_MS + REST_AFTER_MS };
    expect(draw(drawArcs, later).texts).toEqual([]);
  });

  it.each([
    [479, 0],
    [480, 1],
  ])('a picture of %i px has %i names', (width, count) => {
    expect(draw(drawArcs, { width, flights: [flight('IN')], now: 300 }).texts).toHaveLength(count);
  });
});
