import { clsx } from 'clsx';
import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatNumber, plural } from '#contract/language.ts';
import { opacityOf, stepOf, STEPS } from './color-steps.ts';
import { formatShare } from '#web/features/analytics/metrics.ts';
import type { RankedRow } from './ranked-list.tsx';
import world from './world-shapes.json' with { type: 'json' };

const shapes: Readonly<Record<string, string>> = world.shapes;
const points: Readonly<Record<string, readonly number[]>> = world.points;
/** In units of the drawing: a smaller country is a dot of this radius, or has one on its shape. */
const DOT_RADIUS = 6;
const SMALL = 14;

type Place = { outline: string; x: number; y: number };

const dotAt = (x: number, y: number): string => {
  const r = DOT_RADIUS;
  return `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`;
};

/** Returns the box around a shape, whose points are relative to the one before. */
function boxOf(shape: string): { x: number; y: number; width: number; height: number } {
  const xs: number[] = [];
  const ys: number[] = [];
  let [x, y] = [0, 0];
  for (const [, command, offsets = ''] of shape.matchAll(/([Ml])([^Mlz]*)/g))
    for (const point of offsets.trim().split(/\s+/)) {
      const [dx = 0, dy = 0] = point.split(',').map(Number);
      [x, y] = command === 'M' ? [dx, dy] : [x + dx, y + dy];
      xs.push(x);
      ys.push(y);
    }
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Returns where a country is. Null if it is not on the map, for example 'Unknown'. */
function placeOf(country: string): Place | null {
  const [x, y] = points[country] ?? [];
  if (x !== undefined && y !== undefined) return { outline: dotAt(x, y), x, y };
  const shape = shapes[country];
  if (shape === undefined) return null;
  const box = boxOf(shape);
  const [centreX, centreY] = [box.x + box.width / 2, box.y + box.height / 2];
  const isSmall = Math.max(box.width, box.height) < SMALL;
  return {
    outline: isSmall ? shape + dotAt(centreX, centreY) : shape,
    x: centreX,
    y: centreY,
  };
}

/**
 * A map of clicks by country in five shades, with a tooltip for the country under the pointer or
 * focus. `countries` is sorted by clicks, and the list beside the map has the same numbers. Arrow
 * keys move between countries.
 */
export function WorldMap({ countries, total }: { countries: readonly RankedRow[]; total: number }) {
  const drawn = countries.flatMap((row) => {
    const place = placeOf(row.key);
    return place === null ? [] : [{ ...row, ...place }];
  });
  const [pointed, setPointed] = useState<{ key: string; x: number; y: number } | null>(null);
  const [current, setCurrent] = useState(0);
  const [focused, setFocused] = useState(false);
  const first = drawn[0];
  const tied = drawn.filter(({ clicks }) => clicks === first?.clicks).length;
  const active =
    drawn.find(({ key }) => key === pointed?.key) ?? (focused ? drawn[current] : undefined);
  const at = pointed ?? active;
  const elsewhere = total - drawn.reduce((sum, { clicks }) => sum + clicks, 0);

  const onKeyDown = (event: KeyboardEvent<SVGPathElement>, row: RankedRow): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = (current + step + drawn.length) % drawn.length;
      setCurrent(next);
      const paths = event.currentTarget.parentElement?.querySelectorAll<SVGPathElement>('[role]');
      paths?.[next]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') row.onChoose?.();
    else return;
    event.preventDefault();
  };
  const onPointer = (event: PointerEvent<SVGPathElement>, { key }: RankedRow): void => {
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (box === undefined) return;
    setPointed({
      key,
      x: ((event.clientX - box.left) / Math.max(1, box.width)) * world.width,
      y: ((event.clientY - box.top) / Math.max(1, box.height)) * world.height,
    });
  };
  return (
    <div className="px-2">
      <div dir="ltr" className="relative">
        <svg
          viewBox={`0 0 ${world.width} ${world.height}`}
          className="mt-1 block w-full"
          onPointerLeave={() => setPointed(null)}
        >
          <g aria-hidden="true" className="fill-line stroke-surface">
            {Object.entries(shapes).map(([country, path]) => (
              <path key={country} d={path} />
            ))}
          </g>
          <g
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no element for a group
            role="group"
            aria-label="World map, countries with most clicks first"
            className="stroke-surface"
          >
            {drawn.map((row, index) => (
              <path
                key={row.key}
                d={row.outline}
                className={clsx(
                  'fill-chart-1 outline-none forced-colors:fill-[Highlight]',
                  row.onChoose !== null && 'cursor-pointer',
                )}
                fillOpacity={opacityOf(stepOf(row.clicks, first?.clicks ?? 0))}
                // A row that is no filter can still be focused and read.
                role={row.onChoose === null ? 'img' : 'button'}
                tabIndex={index === Math.min(current, drawn.length - 1) ? 0 : -1}
                aria-pressed={row.onChoose === null ? undefined : row.chosen}
                aria-label={`${row.text}: ${plural(row.clicks, 'click')}, ${formatShare(row.clicks / total)}`}
                onPointerEnter={(event) => onPointer(event, row)}
                onPointerMove={(event) => onPointer(event, row)}
                onFocus={() => {
                  setCurrent(index);
                  setFocused(true);
                }}
                onBlur={() => setFocused(false)}
                onClick={() => row.onChoose?.()}
                onKeyDown={(event) => onKeyDown(event, row)}
              />
            ))}
          </g>
          {active !== undefined && (
            <path
              aria-hidden="true"
              d={active.outline}
              className="pointer-events-none fill-none stroke-ink"
              strokeWidth={2.5}
            />
          )}
        </svg>
        {active !== undefined && at !== undefined && (
          <p
            aria-hidden="true"
            data-map-tooltip=""
            // Shifted by a share of its width that grows with its position, so it stays on the map.
            style={{
              left: `${(at.x / world.width) * 100}%`,
              bottom: `calc(${100 - (at.y / world.height) * 100}% + 12px)`,
              transform: `translateX(-${(at.x / world.width) * 100}%)`,
            }}
            className="pointer-events-none absolute w-max max-w-full rounded-md border border-line bg-raised px-3 py-1.5 text-13 whitespace-nowrap shadow-float"
          >
            <span className="font-medium">{active.text}</span>
            <Numbers row={active} prefix=": " total={total} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-13">
        <p aria-hidden="true" className="min-w-0 text-ink-3">
          <span className="text-ink">{first?.text ?? 'No known places'}</span>
          {tied > 1 ? (
            ` and ${tied - 1} more: ${plural(first?.clicks ?? 0, 'click')} each`
          ) : (
            <Numbers row={first} prefix={drawn.length > 1 ? ' has most: ' : ': '} total={total} />
          )}
        </p>
        {first !== undefined && first.clicks > 1 && <Legend largest={first.clicks} />}
      </div>
      {elsewhere > 0 && (
        <p className="mt-0.5 text-12 text-ink-3">
          {plural(elsewhere, 'click')} from places not on the map.
        </p>
      )}
    </div>
  );
}

const Numbers = ({
  row,
  prefix,
  total,
}: {
  row: RankedRow | undefined;
  prefix: string;
  total: number;
}) =>
  row !== undefined && (
    <span className="tabular-nums">
      {prefix}
      {plural(row.clicks, 'click')} ({formatShare(row.clicks / total)})
    </span>
  );

const Legend = ({ largest }: { largest: number }) => (
  <p dir="ltr" className="flex shrink-0 items-center gap-1.5 text-12 text-ink-3 tabular-nums">
    <span className="sr-only">Shades from</span>1
    <svg aria-hidden="true" width={STEPS * 12} height={8}>
      {Array.from({ length: STEPS }, (_, index) => (
        <rect
          key={index}
          x={index * 12}
          width={11}
          height={8}
          className="fill-chart-1 forced-colors:fill-[Highlight]"
          fillOpacity={opacityOf(index + 1)}
        />
      ))}
    </svg>
    <span className="sr-only">to</span>
    {formatNumber(largest)}
  </p>
);
