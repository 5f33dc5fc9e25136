/**
 * Everything that is measured, under the names, units and kinds of OpenTelemetry, so that a
 * dashboard knows them. Durations are observed in ms and sent in seconds. `attributes` are the
 * names of the values that each observation carries, in their order. Every attribute has few
 * values, which bounds the memory. docs/operations.md#metrics describes them.
 */
export const METRIC_DEFINITIONS = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: ['http.route', 'http.response.status_code'],
  },
  /** Calls of D1, as the Worker sees them. */
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: ['db.operation.name', 'error.type'],
  },
  /** The age of the oldest new message of each batch. */
  'hop.queue.lag': {
    kind: 'histogram',
    unit: 's',
    attributes: ['queue'],
  },
  'hop.fold.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: ['error.type'],
  },
  'hop.fold.clicks': {
    kind: 'counter',
    unit: '{click}',
    attributes: [],
  },
  /** How long statements occupied a database, as D1 reports it. */
  'hop.d1.busy': {
    kind: 'counter',
    unit: 's',
    attributes: ['database'],
  },
  /** Clicks that neither the queue nor D1 took. */
  'hop.clicks.lost': {
    kind: 'counter',
    unit: '{click}',
    attributes: [],
  },
  /**
   * Clicks on links with a click limit: counted, over the limit (`reached`), or not countable, with
   * a redirect (`open`) or without (`closed`).
   */
  'hop.clicks.limited': {
    kind: 'counter',
    unit: '{click}',
    attributes: ['outcome'],
  },
  'hop.mails': {
    kind: 'counter',
    unit: '{mail}',
    attributes: ['outcome'],
  },
  'hop.webhooks': {
    kind: 'counter',
    unit: '{attempt}',
    attributes: ['outcome'],
  },
} as const satisfies Record<
  string,
  {
    kind: 'histogram' | 'counter';
    unit: string;
    attributes: readonly string[];
  }
>;

export type MetricName = keyof typeof METRIC_DEFINITIONS;

/** The upper bounds of a histogram's buckets, in ms. A last bucket has no bound. */
export const BOUNDS_MS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
/** Lag is measured in minutes where latency is measured in ms. */
export const LAG_BOUNDS_MS = [
  1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000,
] as const;

export const boundsOf = (name: MetricName): readonly number[] =>
  name === 'hop.queue.lag' ? LAG_BOUNDS_MS : BOUNDS_MS;

/** What `http.route` may be. */
export type Route =
  | '/{code}'
  | '/{code}+'
  | '/{page}'
  | '/api'
  | '/api/v1'
  | typeof READY_ROUTE
  | 'other';

/** Its 503 says that something else is wrong, and is not counted as another failure. */
export const READY_ROUTE = '/api/ready';
