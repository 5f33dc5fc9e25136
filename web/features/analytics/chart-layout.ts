import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { BARS_MAX } from './chart-series.ts';

/**
 * Chart sizes in pixels. Below the baseline are two lines of text: a date, and 'so far' under the
 * last one.
 */
export const CHART_HEIGHT = 240;
const LEFT = 40;
const RIGHT = 8;
const TOP = 8;
const BASELINE = CHART_HEIGHT - 44;
const BAR_WIDTH_MAX = 56;
/** The minimum distance between the centers of two dates below the baseline. */
const TICK_GAP = 76;
const TICKS_Y = 4;

/**
 * The value of a period, and of the same time in the previous period. Null means that there is no
 * value.
 */
export type Values = { value: number | null; previous: number | null };

/**
 * Computes the layout of a chart of `values`. The last value is drawn separately if it is `soFar`,
 * because its period has not ended. If the values are `whole`, the axis only has whole numbers.
 * Lines are straight and break at missing values, so that no value is invented.
 */
export function layOutChart(
  values: readonly Values[],
  width: number,
  { soFar, whole }: { soFar: boolean; whole: boolean },
) {
  const indexes = values.map((_, index) => index);
  const last = values.length - 1;
  const isBars = values.length <= BARS_MAX;
  const band = scaleBand(indexes, [LEFT, width - RIGHT])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const point = scalePoint(indexes, [LEFT, width - RIGHT]);
  const centreOf = (index: number): number =>
    isBars ? (band(index) ?? 0) + band.bandwidth() / 2 : (point(index) ?? 0);
  const step = isBars ? band.step() : point.step();
  const numbers = values.flatMap(({ value, previous }) => [value ?? 0, previous ?? 0]);
  const y = scaleLinear([0, Math.max(1, ...numbers)], [BASELINE, TOP]).nice(TICKS_Y);

  const barWidth = Math.min(band.bandwidth(), BAR_WIDTH_MAX);
  const bars = values.map(({ value }, index) => ({
    x: centreOf(index) - barWidth / 2,
    y: y(value ?? 0),
    width: barWidth,
    height: BASELINE - y(value ?? 0),
    soFar: soFar && index === last,
  }));

  const path = (of: keyof Values, from: number, to: number): string =>
    line<number>()
      .defined((index) => values[index]?.[of] != null)
      .x(centreOf)
      .y((index) => y(values[index]?.[of] ?? 0))(indexes.slice(from, to + 1)) ?? '';
  const fill =
    area<number>()
      .defined((index) => values[index]?.value != null)
      .x(centreOf)
      .y0(BASELINE)
      .y1((index) => y(values[index]?.value ?? 0))(indexes) ?? '';
  /** A line needs two adjacent values, so a single one is a dot. */
  const dotsOf = (of: keyof Values) =>
    indexes
      .filter(
        (index) =>
          values[index]?.[of] != null &&
          values[index - 1]?.[of] == null &&
          values[index + 1]?.[of] == null,
      )
      .map((index) => ({ x: centreOf(index), y: y(values[index]?.[of] ?? 0) }));

  const every = Math.max(1, Math.ceil(TICK_GAP / step));
  return {
    isBars,
    bars: isBars ? bars.filter(({ height }) => height > 0) : [],
    area: isBars
      ? null
      : {
          fill,
          line: path('value', 0, soFar ? last - 1 : last),
          lineSoFar: soFar ? path('value', last - 1, last) : '',
        },
    dots: isBars ? [] : dotsOf('value'),
    previousLine: path('previous', 0, last),
    previousDots: dotsOf('previous'),
    ticksX: indexes
      .filter((index) => (last - index) % every === 0)
      .map((index) => ({ index, x: centreOf(index), anchor: anchorAt(centreOf(index), width) })),
    ticksY: y
      .ticks(TICKS_Y)
      .filter((value) => !whole || Number.isInteger(value))
      .map((value) => ({ value, y: y(value) })),
    baseline: BASELINE,
    left: LEFT,
    right: width - RIGHT,
    /** Returns the area of one value, to highlight it. */
    spotOf: (index: number) => ({
      centre: centreOf(index),
      x: centreOf(index) - step / 2,
      y: y(values[index]?.value ?? 0),
      width: step,
      top: TOP,
    }),
    indexAt: (x: number): number =>
      Math.min(last, Math.max(0, Math.round((x - centreOf(0)) / Math.max(1, step)))),
  };
}

export type ChartLayout = ReturnType<typeof layOutChart>;

/** Keeps the first and the last date inside the chart. */
const anchorAt = (x: number, width: number): 'start' | 'middle' | 'end' =>
  x > width - TICK_GAP / 2 ? 'end' : x < TICK_GAP / 2 ? 'start' : 'middle';
