import { openDb } from '#worker/db/client.ts';
import { addRecent } from '#worker/db/recent-counts.ts';
import { ERRORS } from '#worker/db/system-facts.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import {
  isFailure,
  mergeWindows,
  takeWindow,
  type MetricSeries,
} from '#worker/metrics/counters.ts';
import { hasReceiver, METRICS_WINDOW_MS } from '#worker/metrics/measure-response.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { version } from '#package';
import { encodeOtlp, type MetricsWindow } from './encode-otlp.ts';
import { sendOtlp } from './send-otlp.ts';

const fetchFromNetwork: FetchFunction = (url, init) => fetch(url, init);

const STORE_TIMEOUT_MS = 2_000;
/** How long a receiver that failed is left alone, so that it costs a queue's consumer little time. */
const PAUSE_MS = 60_000;
/** Metrics that could not be sent for this long are dropped. */
const KEEP_MS = 5 * 60_000;

/** `unsent` is bounded, because windows are added up. The id is made when it is first needed. */
type Isolate = { id: string; deliveredAt: number; unsent: MetricsWindow | null; retryAt: number };
const isolate: Isolate = { id: '', deliveredAt: 0, unsent: null, retryAt: 0 };

/**
 * Delivers what this isolate has observed since the last time: failures to D1, and everything to
 * the receivers that are configured. Never throws.
 */
export async function deliverMetrics(
  env: Env,
  now = Date.now(),
  fetcher = fetchFromNetwork,
): Promise<void> {
  // The start of the first window is unknown. The first request has waited for this long.
  const startedAt = isolate.deliveredAt === 0 ? now - METRICS_WINDOW_MS : isolate.deliveredAt;
  isolate.deliveredAt = now;
  const series = takeWindow();
  if (series.length === 0) return;
  const stored = storeFailures(env, series, now);
  if (hasReceiver(env)) {
    writeDataPoints(env, series);
    if (env.OTEL_EXPORTER_OTLP_ENDPOINT)
      await send(env, { startedAt, endedAt: now, series }, fetcher);
  }
  await stored;
}

/** Delivers if the last delivery of this isolate is a window ago. For handlers that cannot wait. */
export async function deliverMetricsSometimes(env: Env, now: number): Promise<void> {
  const age = now - isolate.deliveredAt;
  // A clock that was set back must not stop the deliveries.
  if (age >= 0 && age < METRICS_WINDOW_MS) return;
  await deliverMetrics(env, now);
}

/**
 * Adds the responses of a window with failures to the row that the signal "Errors" reads. While D1
 * does not answer, that is its own signal, and nothing is stored.
 */
async function storeFailures(
  env: Env,
  series: readonly MetricSeries[],
  now: number,
): Promise<void> {
  let requests = 0;
  let errors = 0;
  for (const { name, values, count } of series) {
    if (name !== 'http.server.request.duration') continue;
    requests += count;
    const [route = '', status] = values;
    if (isFailure(route, Number(status))) errors += count;
  }
  if (errors === 0) return;
  try {
    const db = openDb(env.DB);
    await withTimeout(STORE_TIMEOUT_MS, addRecent(db, ERRORS, { requests, errors }, now));
  } catch (error) {
    logEvent('errors_not_stored', { requests, errors, ...errorFacts(error) });
  }
}

/** A data point for each series. Analytics Engine takes 250 of them from an invocation. */
const DATA_POINTS_MAX = 250;

function writeDataPoints(env: Env, series: readonly MetricSeries[]): void {
  const host = configuredOrigins(env).app?.host ?? '';
  for (const { name, values, count, sum, buckets } of series.slice(0, DATA_POINTS_MAX))
    env.METRICS?.writeDataPoint({
      indexes: [name],
      blobs: [host, version, ...values],
      doubles: [count, sum, ...buckets],
    });
}

/** Sends a window to the OTLP receiver, together with those that it did not take. */
async function send(env: Env, window: MetricsWindow, fetcher: FetchFunction): Promise<void> {
  const { retryAt } = isolate;
  const whole = joinWindows(isolate.unsent, window);
  // Another delivery may begin now, and must not send the same again.
  isolate.unsent = null;
  const now = window.endedAt;
  if (now < retryAt && retryAt <= now + PAUSE_MS) {
    isolate.unsent = whole;
    return;
  }
  const sending = await sendOtlp(env, encodeOtlp(whole, resourceOf(env)), fetcher);
  if (sending.outcome === 'sent') {
    isolate.retryAt = 0;
    return;
  }
  if (sending.outcome === 'later') {
    isolate.retryAt = now + PAUSE_MS;
    isolate.unsent = isolate.unsent === null ? whole : joinWindows(whole, isolate.unsent);
  }
  logEvent('metrics_not_sent', { outcome: sending.outcome, error: sending.error });
}

function joinWindows(earlier: MetricsWindow | null, later: MetricsWindow): MetricsWindow {
  if (earlier === null || later.endedAt - earlier.startedAt > KEEP_MS) return later;
  const { startedAt } = earlier;
  return { ...later, startedAt, series: mergeWindows(earlier.series, later.series) };
}

/** Names the sender. The deployment is named by its host. */
function resourceOf(env: Env): Record<string, string> {
  isolate.id ||= crypto.randomUUID();
  return {
    'service.name': 'hop',
    'service.version': version,
    'service.instance.id': isolate.id,
    'deployment.environment.name': configuredOrigins(env).app?.host ?? 'local',
  };
}
