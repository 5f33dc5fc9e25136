/** One kind of rows that end. `key`: the table's primary key, or `rowid`; `when` finds the ended rows, with `?1` for `limit`. */
export type Expiry = { what: string; table: string; key: string; when: string; limit: (now: number) => number | string };

/** D1 ends a statement that works for too long, so that a run deletes in steps. */
export const ROWS_PER_DELETE = 2_000;
export const DELETES_PER_RUN = 25;

/** Deletes the rows that have ended, step by step: 50,000 of each kind per run at most, the rest comes next time. */
export async function deleteExpiredRows(db: D1Database, expiries: readonly Expiry[], now: number): Promise<string> {
  const done: string[] = [];
  for (const { what, table, key, when, limit } of expiries) {
    const step = db
      .prepare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${when} LIMIT ${ROWS_PER_DELETE})`)
      .bind(limit(now));
    let rows = 0;
    for (let i = 0; i < DELETES_PER_RUN; i++) {
      const { meta } = await step.run();
      rows += meta.changes;
      if (meta.changes < ROWS_PER_DELETE) break;
    }
    if (rows > 0) done.push(`${rows} ${what}`);
  }
  return done.join(', ') || 'nothing ended';
}
