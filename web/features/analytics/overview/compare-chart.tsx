import { line } from 'd3-shape';
import { useState, type PointerEvent } from 'react';
import { formatNumber, numberFormat, plural } from '#contract/language.ts';
import { CHART_HEIGHT, ChartAxes, layOutChart } from '#web/features/analytics/chart-marks.tsx';

/** Colors and dashes, because color never carries meaning alone. */
export const LINES = [
  { stroke: 'stroke-chart-1', dashes: undefined },
  { stroke: 'stroke-chart-3', dashes: '6 3' },
  { stroke: 'stroke-chart-2', dashes: '2 3' },
  { stroke: 'stroke-chart-4', dashes: '10 3 2 3' },
  { stroke: 'stroke-chart-5', dashes: '4 4' },
] as const;

/** The clicks of one link or tag, one number for each point of the chart. */
export type ComparedLine = { name: string; values: readonly number[] };

const formatCompact = numberFormat({ notation: 'compact' });

/** A sample of a line, for the legend. */
export const LineSample = ({ index }: { index: number }) => (
  <svg aria-hidden="true" width={24} height={8} className="shrink-0">
    <line
      x1={1}
      x2={23}
      y1={4}
      y2={4}
      strokeWidth={2}
      strokeDasharray={LINES[index]?.dashes}
      className={`${LINES[index]?.stroke ?? ''} forced-colors:stroke-[CanvasText]`}
    />
  </svg>
);

/** The clicks on several links or tags over time, as lines and as a table. */
export function CompareChart({
  lines,
  points,
  width,
}: {
  lines: readonly ComparedLine[];
  points: readonly { id: number; name: string; tick: string }[];
  width: number;
}) {
  const [examined, setExamined] = useState<number | null>(null);
  const last = points.length - 1;
  const at = examined === null ? null : Math.min(examined, last);
  const layout = layOutChart(
    points.map((_, index) => ({
      value: Math.max(0, ...lines.map(({ values }) => values[index] ?? 0)),
      previous: null,
    })),
    Math.max(1, width),
    { soFar: false, whole: true },
  );
  const centreOf = (index: number): number => layout.spotOf(index).centre;
  const onPointer = (event: PointerEvent): void =>
    setExamined(layout.indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const describe = (index: number): string =>
    lines.map(({ name, values }) => `${name}: ${plural(values[index] ?? 0, 'click')}`).join(', ');
  return (
    <figure className="m-0 min-w-0">
      <div
        dir="ltr"
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setExamined(null)}
        className="relative h-60 min-w-0 touch-pan-y rounded-sm select-none has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        <input
          type="range"
          aria-label="Chart: clicks compared"
          aria-valuetext={`${points[at ?? last]?.name ?? ''}: ${describe(at ?? last)}`}
          min={0}
          max={last}
          value={at ?? last}
          onChange={(event) => setExamined(event.target.valueAsNumber)}
          onFocus={() => setExamined(last)}
          onBlur={() => setExamined(null)}
          className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
        />
        {width > 0 && (
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
            className="block size-full"
          >
            <ChartAxes
              layout={layout}
              formatY={formatCompact}
              tickOf={(index) => points[index]?.tick ?? ''}
              soFar={false}
            />
            {lines.map(({ name, values }, index) => (
              <path
                key={name}
                d={
                  line<number>()
                    .x((_, point) => centreOf(point))
                    .y((value) => layout.yOf(value))([...values]) ?? ''
                }
                strokeDasharray={LINES[index]?.dashes}
                strokeLinejoin="round"
                className={`fill-none stroke-2 ${LINES[index]?.stroke ?? ''} forced-colors:stroke-[CanvasText]`}
              />
            ))}
            {at !== null && (
              <line
                x1={centreOf(at)}
                x2={centreOf(at)}
                y1={8}
                y2={layout.baseline}
                className="stroke-line-strong"
                strokeDasharray="3 3"
              />
            )}
          </svg>
        )}
        {at !== null && (
          <div
            style={{
              left: centreOf(at),
              transform: `translateX(-${(centreOf(at) / Math.max(1, width)) * 100}%)`,
            }}
            className="pointer-events-none absolute top-0 w-max max-w-full rounded-md border border-line bg-raised px-3 py-2 text-13 shadow-float"
          >
            <p className="text-ink-3">{points[at]?.name}</p>
            {lines.map(({ name, values }, index) => (
              <p key={name} className="flex items-center gap-2">
                <LineSample index={index} />
                <span className="truncate">{name}</span>
                <span className="ms-auto font-medium tabular-nums">
                  {formatNumber(values[at] ?? 0)}
                </span>
              </p>
            ))}
          </div>
        )}
      </div>
      <div className="sr-only">
        <table>
          <caption>Clicks compared</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              {lines.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={point.id}>
                <th scope="row">{point.name}</th>
                {lines.map(({ name, values }) => (
                  <td key={name}>{formatNumber(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
