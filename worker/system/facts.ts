import { HOUR_MS } from '#contract/time.ts';
import type { Channel } from '#worker/db/system-facts.ts';
import type { QuotaFact } from '#worker/domains/saas/quota.ts';
import type { JobIntervals } from '#worker/job-runtime/job-intervals.ts';
import type { SizeOnDay } from './database-size.ts';

/** The facts of one reading of the installation. Times in ms since 1970. Null = not known. */
export type Facts = {
  now: number;
  /** When the running version was uploaded; null if the platform does not say. */
  versionAt: number | null;
  /** How long D1 took to answer; null if it did not. */
  databaseMs: number | null;
  schema: {
    found: string;
    needed: string;
    isCurrent: boolean;
    appliedAt: number;
    /** When the first migration was applied. */
    installedAt: number;
  } | null;
  /**
   * The further databases that hold clicks (db/shards.ts). A `state` of null means that the
   * database did not answer.
   */
  shards: ShardFacts[];
  /** How long KV took to answer; null if it did not. */
  edgeStoreMs: number | null;
  /** Null while D1 does not answer or has an old schema. */
  stored: StoredFacts | null;
  limitBytes: number;
  /** How many domains the members may have in all; null where they bring none. */
  domainsMax: number | null;
  /** When the last complete backup was made. */
  backupAt: number | null;
};

export type ShardFacts = {
  name: string;
  state: { found: string; isCurrent: boolean; bytes: number } | null;
};

export type JobFacts = {
  name: string;
  startedAt: number;
  finishedAt: number | null;
  ok: boolean;
  detail: string;
  failingSince: number | null;
  backlog: { left: number; since: number } | null;
};

/** A channel for alerts that is set. `failing`: its last attempt failed, and since when they do. */
export type ChannelFacts = {
  channel: Channel;
  failing: { since: number; fault: string } | null;
};

/**
 * A queue is judged by its last state within this time, because without clicks it has no newer one.
 */
export const QUEUE_SEEN_MS = HOUR_MS;

type QueueFacts = { at: number; lagMs: number; failed: number };

export type StoredFacts = {
  lastCronAt: number | null;
  /** When the last job started. While cron runs, it is the same as `lastCronAt` or a little earlier. */
  lastJobAt: number | null;
  jobs: JobFacts[];
  intervals: JobIntervals | null;
  queue: QueueFacts | null;
  deadLetterQueue: QueueFacts | null;
  setAside: { windows: number; clicks: number; oldestAt: number | null };
  /** Messages of the last day that could not be read. */
  unreadable: number;
  /** The responses of the last 5 to 10 minutes, of isolates that saw a 5xx; null without any. */
  errors: { requests: number; errors: number } | null;
  /** The share of the last whole 5 minutes for which the queue's consumers occupied a database. */
  busy: { name: string; share: number }[];
  lost: { clicks: number; firstAt: number; lastAt: number } | null;
  outboxSince: number | null;
  verification: { ok: boolean; at: number } | null;
  channels: ChannelFacts[];
  /** Alerts that have been sent and have reached nobody. */
  unsentAlerts: { count: number; since: number | null };
  bytes: number;
  sizes: SizeOnDay[];
  /** How many domains members have; null until the platform was first asked. */
  domains: QuotaFact | null;
};
