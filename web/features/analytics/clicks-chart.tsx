import { CLOCK, formatUtcMonthDay, localDateFormat } from '#web/shared/texts/format.ts';
import {
  buildSeries,
  isRunning,
  type ChartReport,
  type Point,
  type Series,
} from './chart-series.ts';
import { metricValue, NO_CLICKS_IN_RANGE, type MetricInfo } from './metrics.ts';
import { TimeChart } from './time-chart.tsx';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** In pixels. */
const NARROW = 480;

/** True for a chart that shows weeks instead of many days. Its width is 0 until it is measured. */
export const isNarrow = (width: number): boolean => width > 0 && width < NARROW;

const formatHour = localDateFormat(CLOCK);
const formatFullHour = localDateFormat({ month: 'short', day: 'numeric', ...CLOCK });
const formatFullDay = localDateFormat({ dateStyle: 'full', timeZone: 'UTC' });
const formatMonth = localDateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

const STEPS: Readonly<
  Record<
    Series['step'],
    { unit: string; column: string; tick: (at: number) => string; name: (point: Point) => string }
  >
> = {
  hour: {
    unit: 'hour',
    column: 'Hour',
    tick: formatHour,
    name: ({ at }) => formatFullHour(at),
  },
  day: {
    unit: 'day',
    column: 'Date',
    tick: formatUtcMonthDay,
    name: ({ at }) => formatFullDay(at),
  },
  week: {
    unit: 'week',
    column: 'Week',
    tick: formatUtcMonthDay,
    name: ({ at, lastDay }) => formatUtcMonthDay(at, lastDay),
  },
  month: {
    unit: 'month',
    column: 'Month',
    tick: formatMonth,
    name: ({ at }) => formatMonth(at),
  },
};

/**
 * Shows a figure of a report over time. Visitors are counted per day, so clicks per visitor never
 * shows hours.
 */
export function ClicksChart({ report, metric }: { report: ChartReport; metric: MetricInfo }) {
  const [box, width] = useElementWidth<HTMLDivElement>();
  const series = buildSeries(report, {
    hours: metric.value !== 'per-visitor',
    narrow: isNarrow(width),
  });
  const step = STEPS[series.step];
  const caption = `${metric.column} by ${step.unit}`;
  const points = series.points.map((point) =>
    Object.assign(formatPoint(series.step, point), {
      value: metricValue(metric.value, point),
      previous: point.previous && metricValue(metric.value, point.previous),
    }),
  );
  const isEmpty = points.every(
    ({ value, previous }) => (value ?? 0) === 0 && (previous ?? 0) === 0,
  );
  return (
    <div ref={box} className="min-w-0">
      {isEmpty ? (
        <p className="flex h-60 items-center justify-center text-14 text-ink-3">
          {NO_CLICKS_IN_RANGE}
        </p>
      ) : (
        <TimeChart
          points={points}
          width={width}
          label={`Chart: ${caption}`}
          caption={caption}
          columns={[step.column, metric.column]}
          format={metric.format}
          describe={metric.describe}
          whole={metric.value !== 'per-visitor'}
          soFar={isRunning(report)}
        />
      )}
    </div>
  );
}

/** Returns the full time of a point, and a short one for the axis. */
export const formatPoint = (step: Series['step'], point: Point) => ({
  id: point.at,
  name: STEPS[step].name(point),
  tick: STEPS[step].tick(point.at),
});

export function useElementWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = (): void => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
