import {
  CPU_MS_PER_INVOCATION,
  LIMITS,
  PRICED,
  priceOf,
  type Priced,
} from '#scripts/generate/prices.ts';
import { totalOf } from './meter.ts';
import type { Result } from './run-profile.ts';
import type { Profile } from './traffic.ts';

/** Traffic at 1×, in clicks per month. */
export const BASE_CLICKS = 1_000_000;
export const FACTORS = [1, 10, 100, 1_000] as const;
export const SHARDS = [1, 16] as const;

const MILLION = 1_000_000;
const DAYS_PER_MONTH = 30.4;
const SECONDS_PER_MONTH = DAYS_PER_MONTH * 86_400;
/** The busiest seconds have this many times the average traffic. */
const PEAK = 5;
/** max_batch_timeout in wrangler.toml: how long a batch waits for more messages. */
const BATCH_SECONDS = 1;
const BATCH_MESSAGES = 100;
const CRON_PER_DAY = 24 * 60;
/** An idle run takes 7 ms (RESULTS.md), mostly for D1 calls. */
const CPU_MS_PER_CRON = 10;
/** The consumer records its queue at most once a minute (clicks/queue/record-queue.ts). */
const QUEUE_RECORDS_PER_DAY = 24 * 60;
/** Growth beyond ten years is not reported. */
const MAX_MONTHS = 120;

export type Limit = { factor: number; shards: number; month: number | null; limit: string };
export type Estimate = {
  profile: string;
  what: string;
  clicks: number;
  scaledDownBy: number;
  perClick: Record<
    | 'rowsWritten'
    | 'rowsRead'
    | 'queueMessages'
    | 'queueOperations'
    | 'kvReads'
    | 'kvWrites'
    | 'logLines'
    | 'd1Ms',
    number
  >;
  bytesPerLink: number;
  bytesPerLinkDay: number;
  /** The size of the database at the end of each month, in bytes, as simulated. */
  databaseBytes: number[];
  /** List price per million clicks, by what is billed. */
  dollarsPerMillion: Partial<Record<Priced, number>>;
  totalPerMillion: number;
  /**
   * D1 rows per click by their cause: new links, folds and each job. Rows that a job needs without
   * any links and clicks are excluded.
   */
  rowsPerClick: Record<string, { read: number; written: number }>;
  /**
   * The monthly cost that does not depend on clicks: idle cron, the tables of each day, and the
   * consumer's record of its queue.
   */
  fixedDollarsPerMonth: number;
  limits: Limit[];
};

/** Derives cost and growth from the usage of a simulated profile. */
export function estimate(profile: Profile, result: Result): Estimate {
  const { clicks, usages, ofDay } = result;
  const all = totalOf(usages);
  const messages = result.messages / clicks;
  const messagesPerBatch = Math.min(
    BATCH_MESSAGES,
    1 + messages * (BASE_CLICKS / SECONDS_PER_MONTH) * BATCH_SECONDS,
  );
  const batches = messages / messagesPerBatch;
  const months = result.bytes.byMonth.length;
  // Storage is billed by the GB-month. The empty database does not count.
  const gigabyteMonths = result.bytes.byMonth.reduce(
    (sum, bytes) => sum + (bytes - result.bytes.empty) / 1e9,
    0,
  );
  const used: Record<Priced, number> = {
    requests: 1 + batches,
    cpuMs: (1 + batches) * CPU_MS_PER_INVOCATION,
    kvReads: result.kvReadShare,
    kvWrites: all.kvWrites / clicks,
    kvStorage: 0,
    queueOperations: result.queueOperations / clicks,
    rowsRead: all.rowsRead / clicks,
    rowsWritten: all.rowsWritten / clicks,
    d1Storage: gigabyteMonths / clicks,
    logLines: result.logSampleRate + all.logLines / clicks,
  };
  const dollars = Object.fromEntries(
    PRICED.map((name) => [name, priceOf(name, used[name] * MILLION)] as const).filter(
      ([, usd]) => usd > 0,
    ),
  );
  // On a busy machine, the time of an idle cron can exceed the time that the jobs took for few
  // clicks.
  const clickMs = Math.max(0, all.d1Ms - (usages['new links']?.d1Ms ?? 0)) / clicks;
  return {
    profile: profile.name,
    what: profile.what,
    clicks,
    scaledDownBy: Math.round(BASE_CLICKS / (clicks / months)),
    perClick: {
      rowsWritten: used.rowsWritten,
      rowsRead: used.rowsRead,
      queueMessages: messages,
      queueOperations: used.queueOperations,
      kvReads: used.kvReads,
      kvWrites: used.kvWrites,
      logLines: used.logLines,
      d1Ms: clickMs,
    },
    bytesPerLink: (result.bytes.withLinks - result.bytes.empty) / result.links,
    bytesPerLinkDay:
      ((result.bytes.byMonth.at(-1) ?? 0) - result.bytes.withLinks) / result.linkDays,
    databaseBytes: result.bytes.byMonth,
    dollarsPerMillion: dollars,
    totalPerMillion: Object.values(dollars).reduce((sum, usd) => sum + usd, 0),
    rowsPerClick: Object.fromEntries(
      Object.entries(usages).map(([part, { rowsRead, rowsWritten }]) => [
        part,
        { read: rowsRead / clicks, written: rowsWritten / clicks },
      ]),
    ),
    fixedDollarsPerMonth:
      priceOf('rowsWritten', (ofDay.rowsWritten + QUEUE_RECORDS_PER_DAY) * DAYS_PER_MONTH) +
      priceOf('rowsRead', ofDay.rowsRead * DAYS_PER_MONTH) +
      priceOf('kvWrites', ofDay.kvWrites * DAYS_PER_MONTH) +
      priceOf('requests', CRON_PER_DAY * DAYS_PER_MONTH) +
      priceOf('cpuMs', CRON_PER_DAY * DAYS_PER_MONTH * CPU_MS_PER_CRON),
    limits: FACTORS.flatMap((factor) =>
      SHARDS.map((shards) => firstLimit(result, { factor, shards, messages, clickMs })),
    ),
  };
}

/**
 * Returns the limit that is reached first, and in which month. The database has a single writer,
 * and its size keeps growing at the rate of the last months.
 */
function firstLimit(
  { clicks, bytes }: Result,
  {
    factor,
    shards,
    messages,
    clickMs,
  }: { factor: number; shards: number; messages: number; clickMs: number },
): Limit {
  const peak = (BASE_CLICKS * factor * PEAK) / SECONDS_PER_MONTH;
  const at = (month: number | null, limit: string): Limit => ({ factor, shards, month, limit });
  if (peak * messages > LIMITS.queueMessagesPerSecond.value)
    return at(1, 'messages per second of the queue');
  if ((peak * clickMs) / shards > 1_000) return at(1, "time of a database's one writer");
  const scale = (BASE_CLICKS * factor) / (clicks / bytes.byMonth.length);
  const growth = ((bytes.byMonth.at(-1) ?? 0) - (bytes.byMonth.at(-4) ?? 0)) / 3;
  for (let month = 1; month <= MAX_MONTHS; month++) {
    const seen =
      bytes.byMonth[month - 1] ??
      (bytes.byMonth.at(-1) ?? 0) + growth * (month - bytes.byMonth.length);
    const ofClicks = ((seen - bytes.withLinks) * scale) / shards;
    const ofLinks = (bytes.withLinks - bytes.empty) * scale;
    const largest = shards === 1 ? ofClicks + ofLinks : Math.max(ofClicks, ofLinks);
    if (largest > LIMITS.d1Bytes.value)
      return at(
        month,
        ofClicks >= ofLinks ? 'size of a click database' : 'size of the main database',
      );
  }
  return at(null, 'none');
}
