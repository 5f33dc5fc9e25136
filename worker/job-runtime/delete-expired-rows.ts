import { getTableName, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from './job-budget.ts';

export type Expiry = {
  table: SQLiteTable;
  /** The columns of the primary key, for a table without a `rowid`. */
  key?: SQL;
  /** Without it, `expires_at` says when a row expires. */
  isExpired?: (now: number) => SQL;
};

const isPast = (now: number): SQL => sql`expires_at <= ${now}`;

/** D1 stops statements that run for too long, so rows are deleted in steps. */
export const ROWS_PER_DELETE = 2_000;
/** The most rows of a kind that are counted: counting must not cost more than deleting. */
const COUNTED_MAX = 100_000;

/**
 * Deletes expired rows in steps, as many as the budget allows. The kinds take turns, so that a
 * large backlog of one does not keep the others waiting. The next run deletes the remaining rows,
 * which the result counts.
 */
export async function deleteExpiredRows(
  db: Db,
  expiries: readonly Expiry[],
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const deleted: Record<string, number> = {};
  let unfinished: readonly Expiry[] = expiries;
  while (unfinished.length > 0 && budget.canContinue()) {
    const full: Expiry[] = [];
    for (const expiry of unfinished) {
      const { table, key = sql`rowid`, isExpired = isPast } = expiry;
      const { meta } = await db.run(
        sql`delete from ${table} where (${key}) in (select ${key} from ${table} where ${isExpired(now)} limit ${ROWS_PER_DELETE})`,
      );
      const name = getTableName(table);
      if (meta.changes > 0) deleted[name] = (deleted[name] ?? 0) + meta.changes;
      if (meta.changes === ROWS_PER_DELETE) full.push(expiry);
    }
    unfinished = full;
  }
  return { deleted, left: await countExpired(db, unfinished, now) };
}

async function countExpired(db: Db, expiries: readonly Expiry[], now: number): Promise<number> {
  let rows = 0;
  for (const { table, isExpired = isPast } of expiries) {
    const [found] = await db.all<{ n: number }>(
      sql`select count(*) as n from (select 1 from ${table} where ${isExpired(now)} limit ${COUNTED_MAX})`,
    );
    rows += found?.n ?? 0;
  }
  return rows;
}
