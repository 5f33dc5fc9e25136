import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './client.ts';

/** Which rows of a table expire. */
export type Expiry = {
  /** Names the rows in the job's result, in the plural. */
  what: string;
  table: SQLiteTable;
  /** The columns of the primary key, or `rowid`. */
  key: SQL;
  /** The condition of an expired row. */
  isExpired: (now: number) => SQL;
};

/** D1 stops statements that run for too long, so rows are deleted in steps. */
export const ROWS_PER_DELETE = 2_000;
export const DELETES_PER_RUN = 25;

/** Deletes expired rows in steps, at most 50,000 of each kind per run. The next run deletes the rest. */
export async function deleteExpiredRows(db: Db, expiries: readonly Expiry[], now: number): Promise<string> {
  const done: string[] = [];
  for (const { what, table, key, isExpired } of expiries) {
    let rows = 0;
    for (let i = 0; i < DELETES_PER_RUN; i++) {
      const { meta } = await db.run(
        sql`delete from ${table} where (${key}) in (select ${key} from ${table} where ${isExpired(now)} limit ${ROWS_PER_DELETE})`,
      );
      rows += meta.changes;
      if (meta.changes < ROWS_PER_DELETE) break;
    }
    if (rows > 0) done.push(`${rows} ${what}`);
  }
  return done.join(', ') || 'nothing expired';
}
