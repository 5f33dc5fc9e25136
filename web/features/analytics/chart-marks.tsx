import type { ChartLayout } from './chart-layout.ts';

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

/**
 * Draws the values as bars or as an area, and those of the previous period as a dashed line. A
 * period that has not ended is paler and dashed.
 */
export function ChartMarks({ layout }: { layout: ChartLayout }) {
  const { bars, area, dots, previousLine, previousDots } = layout;
  return (
    <>
      {bars.map(({ soFar, ...bar }) => (
        <rect
          key={bar.x}
          {...bar}
          rx={2}
          data-so-far={soFar ? '' : undefined}
          className={soFar ? `${MARK} stroke-chart-1 forced-colors:stroke-[Highlight]` : MARK}
          {...(soFar && { fillOpacity: 0.3, strokeDasharray: '3 2' })}
        />
      ))}
      {area !== null && (
        <>
          <path d={area.fill} className={MARK} fillOpacity={0.12} />
          <path d={area.line} className={LINE} strokeLinejoin="round" />
          <path d={area.lineSoFar} className={LINE} strokeDasharray="3 3" />
        </>
      )}
      {dots.map((dot) => (
        <circle key={dot.x} cx={dot.x} cy={dot.y} r={2.5} className={MARK} />
      ))}
      {previousLine !== '' && (
        <>
          {/* Dashes have an edge in the card's color, because bars are about as dark as the line. */}
          <path
            d={previousLine}
            className="fill-none stroke-surface"
            strokeWidth={4.5}
            strokeDasharray="4 4"
          />
          <path
            d={previousLine}
            className="fill-none stroke-ink-2 forced-colors:stroke-[CanvasText]"
            strokeWidth={1.5}
            strokeDasharray="4 4"
          />
        </>
      )}
      {previousDots.map((dot) => (
        <circle
          key={dot.x}
          cx={dot.x}
          cy={dot.y}
          r={2}
          className="fill-ink-3 forced-colors:fill-[CanvasText]"
        />
      ))}
    </>
  );
}
