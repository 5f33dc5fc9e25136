import type { MetricSeries } from '#worker/metrics/counters.ts';
import { boundsOf, METRIC_DEFINITIONS } from '#worker/metrics/definitions.ts';

/** What was observed between two times, in ms since 1970. */
export type MetricsWindow = { startedAt: number; endedAt: number; series: readonly MetricSeries[] };

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

/** AGGREGATION_TEMPORALITY_DELTA: isolates come and go, so each sends what it has seen since. */
const DELTA = 1;

/**
 * An ExportMetricsServiceRequest in JSON: 64-bit integers are strings, and enums are numbers
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). `resource` names the sender;
 * it includes the isolate, because a stream of deltas may have a single writer
 * (https://opentelemetry.io/docs/specs/otel/metrics/data-model/#single-writer).
 */
export function encodeOtlp(window: MetricsWindow, resource: Readonly<Record<string, string>>) {
  const byName = Map.groupBy(window.series, ({ name }) => name);
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: Object.entries(resource).map(([key, text]) => attribute(key, text)),
        },
        scopeMetrics: [
          {
            scope: { name: 'hop' },
            metrics: [...byName].map(([name, series]) => {
              const { kind, unit } = METRIC_DEFINITIONS[name];
              const dataPoints = series.map((one) => dataPoint(one, window));
              const data = { aggregationTemporality: DELTA, dataPoints };
              return kind === 'histogram'
                ? { name, unit, histogram: data }
                : { name, unit, sum: { ...data, isMonotonic: true } };
            }),
          },
        ],
      },
    ],
  };
}

function dataPoint({ name, values, count, sum, buckets }: MetricSeries, window: MetricsWindow) {
  const { kind, unit, attributes } = METRIC_DEFINITIONS[name];
  const common = {
    attributes: attributes.flatMap((key, at) => {
      const value = values[at] ?? '';
      return value === '' ? [] : [attribute(key, value)];
    }),
    startTimeUnixNano: toNanoseconds(window.startedAt),
    timeUnixNano: toNanoseconds(window.endedAt),
  };
  if (kind === 'histogram')
    return {
      ...common,
      count: String(count),
      sum: toSeconds(sum),
      bucketCounts: buckets.map(String),
      explicitBounds: boundsOf(name).map(toSeconds),
    };
  return unit === 's' ? { ...common, asDouble: toSeconds(sum) } : { ...common, asInt: String(sum) };
}

const attribute = (key: string, value: string): Attribute => ({
  key,
  value: key === 'http.response.status_code' ? { intValue: value } : { stringValue: value },
});

const toSeconds = (ms: number): number => ms / 1000;
/** A whole number beyond what a double holds exactly. */
const toNanoseconds = (ms: number): string => `${Math.floor(ms)}000000`;
