import { numberFormat } from '#contract/language.ts';
import { ChartFrame } from './chart-frame.tsx';
import { ChartAxes, ChartMarks, layOutChart, type Values } from './chart-marks.tsx';

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
  const last = points.length - 1;
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

  return (
    <figure className="m-0 min-w-0">
      <ChartFrame
        layout={layout}
        width={width}
        last={last}
        label={label}
        describe={(index) => `${nameOf(index)}: ${describePoint(index)}`}
        renderPopup={(index) => (
          <>
            <p className="font-medium tabular-nums">{describePoint(index)}</p>
            <p className="text-ink-3">{nameOf(index)}</p>
          </>
        )}
      >
        {(at) => {
          const spot = at === null ? null : layout.spotOf(at);
          return (
            <>
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
            </>
          );
        }}
      </ChartFrame>
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
