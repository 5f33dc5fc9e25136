import { boundsOf, METRIC_DEFINITIONS, READY_ROUTE, type MetricName } from './definitions.ts';

/**
 * The observations of one metric with the same values of its attributes. `buckets` counts them by
 * the bounds of a histogram and is empty for a counter. `sum` is in ms if the metric is a time.
 */
export type MetricSeries = {
  name: MetricName;
  values: readonly string[];
  count: number;
  sum: number;
  buckets: number[];
};

/** The bound is never reached, because attributes have few values. It holds whatever a bug does. */
const MAX_SERIES = 400;

/** What this isolate has observed since it last delivered. An object, so that tests can empty it. */
const state = {
  series: new Map<string, MetricSeries>(),
  /** Apart from the others, because looking for its series would be 1 % of a redirect. */
  redirects: newRedirects(),
  failures: 0,
  /** By the name of the binding, in ms, since the isolate began. */
  busyMs: new Map<string, number>(),
};

/**
 * Counts a redirect from the memory of the isolate. It takes 0 ms, because the clock stands still
 * while code runs.
 */
export function countRemembered(): void {
  add(state.redirects, 0);
}

/** Observes a duration in ms, or adds an amount to a counter. `values` are those of its attributes. */
export function observe(name: MetricName, amount: number, ...values: string[]): void {
  const series = seriesOf(state.series, name, values);
  if (series !== null) add(series, amount);
}

function add(series: MetricSeries, amount: number): void {
  // A negative duration comes from a clock that was set back.
  const value = Math.max(0, amount);
  series.count += 1;
  series.sum += value;
  if (series.buckets.length === 0) return;
  const at = boundsOf(series.name).findIndex((bound) => value <= bound);
  addTo(series.buckets, at === -1 ? series.buckets.length - 1 : at, 1);
}

/** Counts for how long D1 says that calls have occupied a database, in ms. */
export function observeBusy(database: string, ms: number): void {
  observe('hop.d1.busy', ms, database);
  state.busyMs.set(database, (state.busyMs.get(database) ?? 0) + ms);
}

/** For how long this isolate has occupied each database since it began, in ms. */
export const busyDatabases = (): ReadonlyMap<string, number> => new Map(state.busyMs);

/** Counts a response. `ms` is the time until it began. */
export function countResponse(route: string, status: number, ms: number): void {
  if (status === 302 && route === '/{code}') return add(state.redirects, ms);
  if (isFailure(route, status)) state.failures += 1;
  observe('http.server.request.duration', ms, route, String(status));
}

export const isFailure = (route: string, status: number): boolean =>
  status >= 500 && route !== READY_ROUTE;

/** True if a response since the last window was a 5xx. */
export const hasFailures = (): boolean => state.failures > 0;

/** Takes everything that was observed since the last call. */
export function takeWindow(): MetricSeries[] {
  const all = [state.redirects, ...state.series.values()];
  state.series = new Map();
  state.redirects = newRedirects();
  state.failures = 0;
  return all.filter(({ count }) => count > 0);
}

/** Adds up two windows. */
export function mergeWindows(
  a: readonly MetricSeries[],
  b: readonly MetricSeries[],
): MetricSeries[] {
  const merged = new Map<string, MetricSeries>();
  for (const { name, values, count, sum, buckets } of [...a, ...b]) {
    const series = seriesOf(merged, name, values);
    if (series === null) continue;
    series.count += count;
    series.sum += sum;
    for (const [at, n] of buckets.entries()) addTo(series.buckets, at, n);
  }
  return [...merged.values()];
}

/** Null if there are too many already. */
function seriesOf(
  all: Map<string, MetricSeries>,
  name: MetricName,
  values: readonly string[],
): MetricSeries | null {
  const key = `${name} ${values.join(' ')}`;
  const known = all.get(key);
  if (known !== undefined) return known;
  if (all.size >= MAX_SERIES) return null;
  const series = newSeries(name, values);
  all.set(key, series);
  return series;
}

function newSeries(name: MetricName, values: readonly string[]): MetricSeries {
  const isHistogram = METRIC_DEFINITIONS[name].kind === 'histogram';
  const buckets = isHistogram ? Array.from({ length: boundsOf(name).length + 1 }, () => 0) : [];
  return { name, values, count: 0, sum: 0, buckets };
}

function newRedirects(): MetricSeries {
  return newSeries('http.server.request.duration', ['/{code}', '302']);
}

function addTo(buckets: number[], at: number, n: number): void {
  buckets[at] = (buckets[at] ?? 0) + n;
}
