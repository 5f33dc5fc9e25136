import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { deleteExpiredRows, type Expiry } from '#worker/job-runtime/delete-expired-rows.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { click_faults } from '#worker/db/schema-clicks.ts';
import { api_keys, idempotent_requests } from '#worker/db/schema-api.ts';
import { shared_reports } from '#worker/db/schema-shared-reports.ts';
import { domain_claims, domain_transfers } from '#worker/db/schema-domains.ts';
import { check_hosts } from '#worker/db/schema-health.ts';
import { counters } from '#worker/db/schema-system.ts';
import { link_claims } from '#worker/db/schema-links.ts';
import { allShards, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { CLOSE_MONTHS } from './close-months.ts';
import { readDonePeriod } from '#worker/job-runtime/run-steps.ts';
import { createDays, findExpiredDays, isExpiredTable } from '#worker/clicks/fold/tables.ts';

const KEEP_FAULTS_DAYS = 30;

/** Every condition uses an index, or the first column of the primary key. */
const EXPIRIES: readonly Expiry[] = [
  // The daily counters of every feature that has a limit.
  {
    table: counters,
    key: sql`key`,
  },
  {
    table: check_hosts,
    key: sql`host`,
    isExpired: (now) => sql`free_at <= ${now}`,
  },
  {
    table: link_claims,
    key: sql`link_id`,
  },
  {
    table: domain_claims,
    key: sql`host, owner_id`,
  },
  {
    table: domain_transfers,
    key: sql`domain_id`,
  },
  {
    table: idempotent_requests,
    key: sql`user_id, key`,
  },
  // Keys of apps that have not redeemed their code.
  {
    table: api_keys,
    key: sql`id`,
    isExpired: (now) => sql`code_until <= ${now}`,
  },
  {
    table: shared_reports,
    key: sql`id`,
  },
  {
    table: click_faults,
    key: sql`id`,
    isExpired: (now) => sql`at < ${now - KEEP_FAULTS_DAYS * DAY_MS}`,
  },
];

/**
 * Drops expired tables of window ids and empties those of days, whatever the number of their rows.
 * Deletes expired counters, claims, idempotent requests, codes of apps, shared reports and faults,
 * as many per run as the budget allows.
 */
export async function deleteExpiredData(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const main = openShards(env);
  let dropped = 0;
  for (const { db } of allShards(main))
    dropped += (await dropWindowTables(db, now)) + (await emptyDaysTable(db, now));
  const result = await deleteExpiredRows(main, EXPIRIES, now, budget);
  return { ...result, done: { tables_dropped: dropped } };
}

async function dropWindowTables(db: Db, now: number): Promise<number> {
  const tables = await db.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name glob 'click_windows_*'`,
  );
  const expired = tables.filter(({ name }) => isExpiredTable(name, now));
  // One statement each, because D1 stops statements that run for too long.
  for (const { name } of expired) await db.run(sql.raw(`drop table if exists ${name}`));
  return expired.length;
}

/**
 * Empties the oldest table of days for the next period, once every day that was written to it is
 * part of a month.
 */
async function emptyDaysTable(db: Db, now: number): Promise<number> {
  const expired = findExpiredDays(now);
  if (expired === null || (await readDonePeriod(db, CLOSE_MONTHS)) < expired.lastWritten) return 0;
  const [row] = await db.all(sql.raw(`select 1 from ${expired.table} limit 1`));
  if (row === undefined) return 0;
  await runBatch(db, [sql.raw(`drop table ${expired.table}`), sql.raw(createDays(expired.table))]);
  return 1;
}
