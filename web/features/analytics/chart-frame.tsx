import { useState, type PointerEvent, type ReactNode } from 'react';
import { CHART_HEIGHT, type ChartLayout } from './chart-marks.tsx';

/**
 * The frame of a chart over time. The pointer and the arrow keys examine a point, Escape ends that;
 * `children` draw the chart, and `renderPopup` describes the examined point beside it.
 */
export function ChartFrame({
  layout,
  width,
  last,
  label,
  describe,
  renderPopup,
  children,
}: {
  layout: ChartLayout;
  /** In pixels. Nothing is drawn at 0. */
  width: number;
  /** The index of the last point. */
  last: number;
  label: string;
  /** The point at an index, for screen readers. */
  describe: (index: number) => string;
  renderPopup: (index: number) => ReactNode;
  /** The marks inside the drawing; `at` is the examined point. */
  children: (at: number | null) => ReactNode;
}) {
  const [examined, setExamined] = useState<number | null>(null);
  const at = examined === null ? null : Math.min(examined, last);
  const onPointer = (event: PointerEvent): void =>
    setExamined(layout.indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const centre = at === null ? 0 : layout.spotOf(at).centre;
  return (
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
        aria-valuetext={describe(at ?? last)}
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
          {children(at)}
        </svg>
      )}
      {at !== null && (
        <div
          data-chart-point=""
          // The box shifts left by a share of its width that grows with its position, so it never
          // leaves the chart.
          style={{
            left: centre,
            transform: `translateX(-${(centre / Math.max(1, width)) * 100}%)`,
          }}
          className="pointer-events-none absolute top-0 w-max max-w-full rounded-md border border-line bg-raised px-3 py-2 text-13 shadow-float"
        >
          {renderPopup(at)}
        </div>
      )}
    </div>
  );
}
