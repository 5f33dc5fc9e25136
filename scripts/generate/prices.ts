/** The prices of the platform's paid plan. Every cost in this repository is computed from them. */

/** `usd` is the price of `per` units beyond the `included` ones of a month. */
type Price = {
  what: string;
  unit: string;
  usd: number;
  per: number;
  included: number;
  source: string;
};

const MILLION = 1_000_000;
/** When the prices and limits were last compared with their sources. */
export const PRICES_READ_ON = '2026-11-22';

const WORKERS = 'https://developers.cloudflare.com/workers/platform/pricing/';
const D1 = 'https://developers.cloudflare.com/d1/platform/pricing/';
const KV = 'https://developers.cloudflare.com/kv/platform/pricing/';
const QUEUES = 'https://developers.cloudflare.com/queues/platform/pricing/';
const LOGS = 'https://developers.cloudflare.com/workers/observability/logs/workers-logs/';

export const PRICES = {
  requests: {
    what: 'Worker requests',
    unit: 'request',
    usd: 0.3,
    per: MILLION,
    included: 10 * MILLION,
    source: WORKERS,
  },
  cpuMs: {
    what: 'Worker CPU time',
    unit: 'ms',
    usd: 0.02,
    per: MILLION,
    included: 30 * MILLION,
    source: WORKERS,
  },
  kvReads: {
    what: 'KV reads',
    unit: 'read',
    usd: 0.5,
    per: MILLION,
    included: 10 * MILLION,
    source: KV,
  },
  kvWrites: {
    what: 'KV writes and deletions',
    unit: 'write',
    usd: 5,
    per: MILLION,
    included: MILLION,
    source: KV,
  },
  kvStorage: { what: 'KV storage', unit: 'GB-month', usd: 0.5, per: 1, included: 1, source: KV },
  queueOperations: {
    what: 'Queue operations',
    unit: 'operation',
    usd: 0.4,
    per: MILLION,
    included: MILLION,
    source: QUEUES,
  },
  rowsRead: {
    what: 'D1 rows read',
    unit: 'row',
    usd: 0.001,
    per: MILLION,
    included: 25_000 * MILLION,
    source: D1,
  },
  rowsWritten: {
    what: 'D1 rows written',
    unit: 'row',
    usd: 1,
    per: MILLION,
    included: 50 * MILLION,
    source: D1,
  },
  d1Storage: { what: 'D1 storage', unit: 'GB-month', usd: 0.75, per: 1, included: 5, source: D1 },
  logLines: {
    what: 'Log lines',
    unit: 'line',
    usd: 0.6,
    per: MILLION,
    included: 20 * MILLION,
    source: LOGS,
  },
} as const satisfies Record<string, Price>;

export type Priced = keyof typeof PRICES;
export const PRICED = Object.keys(PRICES).filter((name): name is Priced => name in PRICES);

/**
 * The platform's limits that a growing deployment can reach. Bytes are per database, messages per
 * queue.
 */
export const LIMITS = {
  d1Bytes: {
    value: 10_000_000_000,
    source: 'https://developers.cloudflare.com/d1/platform/limits/',
  },
  queueMessagesPerSecond: {
    value: 5_000,
    source: 'https://developers.cloudflare.com/queues/platform/limits/',
  },
} as const;

/**
 * The billed CPU time of a redirect or a queue batch in ms: ten times the measured value, as a
 * safety margin.
 */
export const CPU_MS_PER_INVOCATION = 1;

/** A queue bills each write, read and deletion of a message once per 64 KB. */
const BYTES_PER_OPERATION = 64_000;
export const queueOperations = (messageBytes: number): number =>
  3 * Math.max(1, Math.ceil(messageBytes / BYTES_PER_OPERATION));

/** Returns the list price of `amount` units in US dollars, ignoring included units. */
export const priceOf = (name: Priced, amount: number): number =>
  (PRICES[name].usd * amount) / PRICES[name].per;

/** Formats the prices as a Markdown table for the documentation. */
export function priceTable(): string {
  const rows = PRICED.map((name) => {
    const { what, unit, usd, per, included, source } = PRICES[name];
    const of =
      per === 1 ? `a ${unit}` : `${per.toLocaleString('en')} ${unit === 'ms' ? unit : `${unit}s`}`;
    return `| ${what} | $${usd} for ${of} | ${included.toLocaleString('en')} | [source](${source}) |`;
  });
  return ['| what | price | included a month | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
