import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { BARS_MAX } from './chart-series.ts';

const MARK = 'fill-chart-1 forced-colors:fill-[Highlight]';
const LINE = 'fill-none stroke-chart-1 stroke-2 forced-colors:stroke-[Highlight]';
const TEXT = 'fill-ink-3 text-12 tabular-nums forced-colors:fill-[CanvasText]';

/** Draws horizontal lines with their numbers, and the dates below the baseline. */
export function ChartAxes({
  layout,
  formatY,
  tickOf,
  soFar,
}: {
  layout: ChartLayout;
  formatY: (value: number) => string;
  tickOf: (index: number) => string;
  soFar: boolean;
}) {
  const { left, right, baseline, ticksX, ticksY } = layout;
  const last = ticksX.at(-1);
  return (
    <>
      {ticksY.map(({ value, y }) => (
        <g key={value}>
          <line
            x1={left}
            x2={right}
            y1={y}
            y2={y}
            className="stroke-line forced-colors:stroke-[GrayText]"
          />
          <text x={left - 8} y={y} dy="0.32em" textAnchor="end" className={TEXT}>
            {formatY(value)}
          </text>
        </g>
      ))}
      {ticksX.map(({ index, x, anchor }) => (
        <text key={index} x={x} y={baseline + 20} textAnchor={anchor} className={TEXT}>
          {tickOf(index)}
        </text>
      ))}
      {soFar && last !== undefined && (
        <text x={last.x} y={baseline + 36} textAnchor={last.anchor} className={TEXT}>
          so far
        </text>
      )}
    </>
  );
}

const PREVIOUS = 'fill-ink/15 forced-colors:fill-[GrayText]';

/**
 * Draws the values as bars or as an area, in front of the paler ones of the previous period. A
 * period that has not ended is paler and dashed.
 */
export function ChartMarks({ layout }: { layout: ChartLayout }) {
  const { bars, area: filled, dots, previousBars, previousArea, previousDots } = layout;
  return (
    <>
      {previousBars.map((bar) => (
        <rect key={bar.x} {...bar} rx={2} className={PREVIOUS} />
      ))}
      {previousArea !== '' && <path d={previousArea} className={PREVIOUS} />}
      {previousDots.map((dot) => (
        <circle key={dot.x} cx={dot.x} cy={dot.y} r={2.5} className={PREVIOUS} />
      ))}
      {bars.map(({ soFar, ...bar }) => (
        <rect
          key={bar.x}
          {...bar}
          rx={2}
          className={soFar ? `${MARK} stroke-chart-1 forced-colors:stroke-[Highlight]` : MARK}
          {...(soFar && { fillOpacity: 0.3, strokeDasharray: '3 2' })}
        />
      ))}
      {filled !== null && (
        <>
          <path d={filled.fill} className={MARK} fillOpacity={0.12} />
          <path d={filled.line} className={LINE} strokeLinejoin="round" />
          <path d={filled.lineSoFar} className={LINE} strokeDasharray="3 3" />
        </>
      )}
      {dots.map((dot) => (
        <circle key={dot.x} cx={dot.x} cy={dot.y} r={2.5} className={MARK} />
      ))}
    </>
  );
}

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
/** The width of a bar as a share of the paler one behind it. */
const BAR_IN_FRONT = 0.6;
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

  const fullWidth = Math.min(band.bandwidth(), BAR_WIDTH_MAX);
  const compares = values.some(({ previous }) => (previous ?? 0) > 0);
  const barAt = (index: number, value: number, wide: number) => ({
    x: centreOf(index) - wide / 2,
    y: y(value),
    width: wide,
    height: BASELINE - y(value),
  });
  const barWidth = compares ? fullWidth * BAR_IN_FRONT : fullWidth;
  const bars = values.map(({ value }, index) => ({
    ...barAt(index, value ?? 0, barWidth),
    soFar: soFar && index === last,
  }));
  const previousBars = values.map(({ previous }, index) => barAt(index, previous ?? 0, fullWidth));

  const path = (from: number, to: number): string =>
    line<number>()
      .defined((index) => values[index]?.value != null)
      .x(centreOf)
      .y((index) => y(values[index]?.value ?? 0))(indexes.slice(from, to + 1)) ?? '';
  const fillUnder = (of: keyof Values): string =>
    area<number>()
      .defined((index) => values[index]?.[of] != null)
      .x(centreOf)
      .y0(BASELINE)
      .y1((index) => y(values[index]?.[of] ?? 0))(indexes) ?? '';
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
          fill: fillUnder('value'),
          line: path(0, soFar ? last - 1 : last),
          lineSoFar: soFar ? path(last - 1, last) : '',
        },
    dots: isBars ? [] : dotsOf('value'),
    previousBars: isBars ? previousBars.filter(({ height }) => height > 0) : [],
    previousArea: isBars || !compares ? '' : fillUnder('previous'),
    previousDots: isBars ? [] : dotsOf('previous'),
    ticksX: indexes
      .filter((index) => (last - index) % every === 0)
      .map((index) => ({ index, x: centreOf(index), anchor: anchorAt(centreOf(index), width) })),
    ticksY: y
      .ticks(TICKS_Y)
      .filter((value) => !whole || Number.isInteger(value))
      .map((value) => ({ value, y: y(value) })),
    baseline: BASELINE,
    yOf: (value: number): number => y(value),
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

/** Keeps the last date inside the chart. The first has the room of the numbers beside it. */
const anchorAt = (x: number, width: number): 'middle' | 'end' =>
  x > width - TICK_GAP / 2 ? 'end' : 'middle';
