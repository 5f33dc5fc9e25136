import { numberFormat } from '#contract/language.ts';
import { type PointerEvent, useState } from 'react';
import { CHART_HEIGHT, ChartAxes, ChartMarks, layOutChart, type Values } from './chart-marks.tsx';

/** A value with its full time, and a short time for the axis. */
export type ChartPoint = Values & { id: string | number; name: string; tick: string };

const formatCompact = numberFormat({ notation: 'compact' });

/**
 * A chart of one figure over time: bars, or an area if there are many points. The pointer and the
 * arrow keys select single points; screen readers get a table. `soFar` means that the last point's
 * period has not ended.
 */
export function TimeChart({
  points,
  width,
  label,
  caption,
  columns,
  format,
  describe,
  whole,
  soFar = false,
}: {
  points: readonly ChartPoint[];
  /** In pixels. Nothing is drawn at 0. */
  width: number;
  label: string;
  caption: string;
  /** The table headings for the times and for the figure. */
  columns: readonly [string, string];
  format: (value: number) => string;
  describe: (value: number) => string;
  whole: boolean;
  soFar?: boolean;
}) {
  const [examined, setExamined] = useState<number | null>(null);
  const last = points.length - 1;
  const at = examined === null ? null : Math.min(examined, last);
  const layout = layOutChart(points, Math.max(1, width), { soFar, whole });
  const nameOf = (index: number): string =>
    `${points[index]?.name ?? ''}${soFar && index === last ? ', so far' : ''}`;
  const describePoint = (index: number): string => {
    const { value = null, previous = null } = points[index] ?? {};
    return [
      value === null ? 'No visitors' : describe(value),
      previous !== null && `before: ${format(previous)}`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  };

  const onPointer = (event: PointerEvent): void =>
    setExamined(layout.indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left));

  const spot = at === null ? null : layout.spotOf(at);
  return (
    <figure className="m-0 min-w-0">
      <div
        // Charts run from left to right in every language.
        dir="ltr"
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setExamined(null)}
        className="relative h-60 min-w-0 touch-pan-y rounded-sm select-none has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        {/* A slider provides arrow keys, Home and End. */}
        <input
          type="range"
          aria-label={label}
          aria-valuetext={`${nameOf(at ?? last)}: ${describePoint(at ?? last)}`}
          min={0}
          max={last}
          value={at ?? last}
          onChange={(event) => setExamined(event.target.valueAsNumber)}
          onFocus={() => setExamined(last)}
          onBlur={() => setExamined(null)}
          onKeyDown={(event) => event.key === 'Escape' && setExamined(null)}
          className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
        />
        {width > 0 && (
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
            className="block size-full"
          >
            {spot !== null && layout.isBars && (
              <rect
                x={spot.x}
                y={spot.top}
                width={spot.width}
                height={layout.baseline - spot.top}
                className="fill-sunken forced-colors:fill-[GrayText]"
              />
            )}
            <ChartAxes
              layout={layout}
              formatY={formatCompact}
              tickOf={(index) => points[index]?.tick ?? ''}
              soFar={soFar}
            />
            <ChartMarks layout={layout} />
            {spot !== null && !layout.isBars && (
              <>
                <line
                  x1={spot.centre}
                  x2={spot.centre}
                  y1={spot.top}
                  y2={layout.baseline}
                  className="stroke-line-strong"
                  strokeDasharray="3 3"
                />
                <circle
                  cx={spot.centre}
                  cy={spot.y}
                  r={4}
                  className="fill-chart-1 stroke-surface stroke-2"
                />
              </>
            )}
          </svg>
        )}
        {at !== null && spot !== null && (
          <div
            data-chart-point=""
            // The box shifts left by a share of its width that grows with its position, so it never
            // leaves the chart.
            style={{
              left: spot.centre,
              transform: `translateX(-${(spot.centre / Math.max(1, width)) * 100}%)`,
            }}
            className="pointer-events-none absolute top-0 w-max max-w-full rounded-md border border-line bg-raised px-3 py-2 text-13 shadow-float"
          >
            <p className="font-medium tabular-nums">{describePoint(at)}</p>
            <p className="text-ink-3">{nameOf(at)}</p>
          </div>
        )}
      </div>
      <ChartTable points={points} caption={caption} columns={columns} format={format} />
    </figure>
  );
}

function ChartTable({
  points,
  caption,
  columns,
  format,
}: {
  points: readonly ChartPoint[];
  caption: string;
  columns: readonly [string, string];
  format: (value: number) => string;
}) {
  const compares = points.some(({ previous }) => previous !== null);
  const text = (value: number | null): string => (value === null ? '–' : format(value));
  return (
    // A table is at least as wide as its text, so a box of 1 px around it hides it.
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{columns[0]}</th>
            <th scope="col">{columns[1]}</th>
            {compares && <th scope="col">Previous period</th>}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.id}>
              <th scope="row">{point.name}</th>
              <td>{text(point.value)}</td>
              {compares && <td>{text(point.previous)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
