import { line } from 'd3-shape';
import { formatNumber, numberFormat, plural } from '#contract/language.ts';
import { ChartFrame } from '#web/features/analytics/chart-frame.tsx';
import { ChartAxes, layOutChart } from '#web/features/analytics/chart-marks.tsx';

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
  const layout = layOutChart(
    points.map((_, index) => ({
      value: Math.max(0, ...lines.map(({ values }) => values[index] ?? 0)),
      previous: null,
    })),
    Math.max(1, width),
    { soFar: false, whole: true },
  );
  const centreOf = (index: number): number => layout.spotOf(index).centre;
  const describe = (index: number): string =>
    lines.map(({ name, values }) => `${name}: ${plural(values[index] ?? 0, 'click')}`).join(', ');
  return (
    <figure className="m-0 min-w-0">
      <ChartFrame
        layout={layout}
        width={width}
        last={points.length - 1}
        label="Chart: clicks compared"
        describe={(index) => `${points[index]?.name ?? ''}: ${describe(index)}`}
        renderPopup={(at) => (
          <>
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
          </>
        )}
      >
        {(at) => (
          <>
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
          </>
        )}
      </ChartFrame>
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
