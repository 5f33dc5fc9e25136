import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import {
  isCurrent,
  NEEDED_SCHEMA,
  readSchema,
  readSchemaAndSize,
} from '#worker/db/schema-version.ts';
import { allShards, openShards, shardName } from '#worker/db/shards.ts';
import {
  ALERT,
  BACKUP,
  FAILS,
  LOST,
  QUEUE,
  SIZE,
  type Channel,
  type SystemFact,
} from '#worker/db/system-facts.ts';
import { DAY_MS } from '#contract/time.ts';
import { SAAS_QUOTA } from '#worker/domains/saas/quota.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { intervalsOf } from '#worker/job-runtime/job-intervals.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { isUnsent, readKvAlerts, type KvAlerts } from './alert-state.ts';
import {
  QUEUE_SEEN_MS,
  type ChannelFacts,
  type Facts,
  type JobFacts,
  type ShardFacts,
  type StoredFacts,
} from './facts.ts';
import { busyOf, errorsOf } from './recent-facts.ts';
import { channelsOf } from './send-alert.ts';

export type Reading = { facts: Facts; stored: SystemFact[]; kvAlerts: KvAlerts };

const TIMEOUT_MS = 3_000;
/** A single failed read is not reported. */
const ATTEMPTS = 2;
const BACKLOG = ':backlog';
const MB = 1_000_000;

/**
 * Reads the facts behind the signals with two statements and one read of KV, and one statement for
 * each further database that holds clicks. Never throws; a store that does not answer gives null.
 * `isCron` says that cron is running right now, whatever D1 says about its last run.
 */
export async function readFacts(env: Env, now: number, isCron = false): Promise<Reading> {
  const db = openShards(env);
  const [schema, kv, shards] = await Promise.all([
    measured(() => readSchema(db)),
    measured(() => readKvAlerts(env.LINKS)),
    readShards(db),
  ]);
  const hasSchema = schema !== null && isCurrent(schema.value.found);
  const read = hasSchema ? await measured(() => readStored(env, db, now)) : null;
  const facts: Facts = {
    now,
    versionAt: Date.parse(env.VERSION?.timestamp ?? '') || null,
    databaseMs: schema === null || (hasSchema && read === null) ? null : schema.ms,
    schema: schema && { ...schema.value, needed: NEEDED_SCHEMA, isCurrent: hasSchema },
    shards,
    edgeStoreMs: kv?.ms ?? null,
    stored: read && {
      ...read.value.stored,
      lastCronAt: isCron ? now : read.value.stored.lastCronAt,
    },
    limitBytes: (Number(env.DATABASE_LIMIT_MB) || 10_000) * MB,
    domainsMax: readSaasSettings(env)?.max ?? null,
    backupAt: read?.value.rows.find(({ name }) => name === BACKUP)?.at ?? null,
  };
  return {
    facts,
    stored: read?.value.rows ?? [],
    kvAlerts: kv?.value ?? { writtenAt: 0, since: {} },
  };
}

const readShards = (main: Db): Promise<ShardFacts[]> =>
  Promise.all(
    allShards(main)
      .slice(1)
      .map(async ({ shard, db }) => {
        const read = await measured(() => readSchemaAndSize(db));
        return {
          name: shardName(shard),
          state: read && { ...read.value, isCurrent: isCurrent(read.value.found) },
        };
      }),
  );

/** The value and how long reading it took; null if it did not arrive in time. */
async function measured<T>(read: () => Promise<T>): Promise<{ value: T; ms: number } | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const startedAt = Date.now();
    try {
      return { value: await withTimeout(TIMEOUT_MS, read()), ms: Date.now() - startedAt };
    } catch {
      // The loop tries again, and finally returns null.
    }
  }
  return null;
}

type JobRow = Omit<JobFacts, 'ok' | 'backlog'> & { ok: 0 | 1 };
const storedRow = z.object({
  jobs: z.string(),
  facts: z.string(),
  set_aside: z.string(),
  unreadable: z.number(),
  outbox: z.nullable(z.number()),
});

async function readStored(
  env: Env,
  db: Db,
  now: number,
): Promise<{ stored: StoredFacts; rows: SystemFact[] }> {
  // A single statement, because the platform counts statements. The verification's result is long,
  // and its `ok` is enough here.
  const query = sql`select
    (select json_group_array(json_object('name', name, 'startedAt', started_at, 'finishedAt', finished_at,
      'ok', ok, 'detail', iif(name like '%:result', '', detail), 'failingSince', failing_since))
      from job_runs where name not like '%:sweep') as jobs,
    (select json_group_array(json_object('name', name, 'at', at, 'value', value)) from system_facts) as facts,
    (select json_object('windows', count(*), 'clicks', coalesce(sum(clicks), 0), 'oldestAt', min(at))
      from set_aside_windows) as set_aside,
    (select count(*) from click_faults where at > ${now - DAY_MS}) as unreadable,
    (select min(queued_at) from link_outbox) as outbox`;
  const { results, meta } = await db.run(query);
  const row = storedRow.parse(results[0]);
  const jobRows: JobRow[] = JSON.parse(row.jobs);
  const rows: SystemFact[] = JSON.parse(row.facts);
  const setAside: StoredFacts['setAside'] = JSON.parse(row.set_aside);
  const verification = jobRows.find(({ name }) => name === 'click-proof:result');
  const jobs = jobRows.filter(({ name }) => !name.includes(':')).map((job) => toJob(job, jobRows));
  const lastJobAt = jobs.length === 0 ? null : Math.max(...jobs.map(({ startedAt }) => startedAt));
  return {
    rows,
    stored: {
      lastCronAt: lastJobAt,
      lastJobAt,
      intervals: intervalsOf(rows),
      jobs: jobs.toSorted((a, b) => a.name.localeCompare(b.name)),
      queue: queueOf(rows, 'clicks', now),
      deadLetterQueue: queueOf(rows, 'dead', now),
      setAside,
      unreadable: row.unreadable,
      errors: errorsOf(rows, now),
      busy: busyOf(rows, now),
      lost: lostOf(rows, now),
      outboxSince: row.outbox,
      verification:
        verification === undefined
          ? null
          : { at: verification.startedAt, ok: verification.ok === 1 },
      channels: channelsOf(env).map((channel) => ({ channel, failing: failureOf(rows, channel) })),
      unsentAlerts: unsentOf(rows),
      bytes: meta.size_after,
      sizes: rows
        .filter(({ name }) => name.startsWith(SIZE))
        .map(({ name, value }) => ({ day: Number(name.slice(SIZE.length)), bytes: Number(value) })),
      domains: domainsOf(rows),
    },
  };
}

function toJob(job: JobRow, all: readonly JobRow[]): JobFacts {
  const left = all.find(({ name }) => name === job.name + BACKLOG);
  const backlog = left === undefined ? null : { left: Number(left.detail), since: left.startedAt };
  return { ...job, ok: job.ok === 1, backlog };
}

/** Of several queues for clicks, the latest one that has been seen lately. */
function queueOf(
  rows: readonly SystemFact[],
  queue: 'clicks' | 'dead',
  now: number,
): StoredFacts['queue'] {
  const states = rows
    .filter(({ name }) => name.startsWith(QUEUE + queue))
    .map(({ at, value }) => {
      const { lagMs, failed }: { lagMs: number; failed: number } = JSON.parse(value);
      return { at, lagMs, failed };
    });
  const seen = states.filter(({ at }) => now - at <= QUEUE_SEEN_MS);
  return seen.toSorted((a, b) => b.lagMs - a.lagMs)[0] ?? states[0] ?? null;
}

function domainsOf(rows: readonly SystemFact[]): StoredFacts['domains'] {
  const row = rows.find(({ name }) => name === SAAS_QUOTA);
  return row === undefined ? null : JSON.parse(row.value);
}

function failureOf(rows: readonly SystemFact[], channel: Channel): ChannelFacts['failing'] {
  const row = rows.find(({ name }) => name === FAILS + channel);
  return row === undefined ? null : { since: row.at, fault: row.value };
}

/** The alert about the channels themselves is not counted. */
function unsentOf(rows: readonly SystemFact[]): StoredFacts['unsentAlerts'] {
  const unsent = rows.filter((row) => isUnsent(row) && row.name !== `${ALERT}alerts`);
  const since = unsent.length === 0 ? null : Math.min(...unsent.map(({ at }) => at));
  return { count: unsent.length, since };
}

/**
 * The losses of the last 24 hours. Losses are stored by whole hour, so the sum may cover up to an
 * hour more.
 */
function lostOf(rows: readonly SystemFact[], now: number): StoredFacts['lost'] {
  const lost = rows.filter(({ name, at }) => name.startsWith(LOST) && at > now - DAY_MS);
  if (lost.length === 0) return null;
  const times = lost.map(({ at }) => at);
  const clicks = lost.reduce((sum, { value }) => sum + Number(value), 0);
  return { clicks, firstAt: Math.min(...times), lastAt: Math.max(...times) };
}
