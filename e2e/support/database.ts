import { setTimeout as sleep } from 'node:timers/promises';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';
import { STATE } from './state-folder.ts';

export type Row = Record<string, SQLOutputValue>;

/**
 * Queries the D1 file of the running product, to check what is stored instead of what a page shows.
 */
export const query = (sql: string, ...params: SQLInputValue[]): Row[] =>
  withLocalDatabase(STATE, (db) => db.prepare(sql).all(...params));

/** Changes the D1 file of the running product, for states that no page can create. */
export const execute = (sql: string, ...params: SQLInputValue[]): unknown =>
  withLocalDatabase(STATE, (db) => db.prepare(sql).run(...params), { readOnly: false });

/** Queries every 100 ms until there is a row. Throws after `within` ms. */
export async function untilRow(
  within: number,
  sql: string,
  ...params: (string | number)[]
): Promise<Row> {
  const end = Date.now() + within;
  for (;;) {
    const [row] = query(sql, ...params);
    if (row !== undefined) return row;
    if (Date.now() > end)
      throw new Error(`No row within ${within} ms: ${sql} (${params.join(', ')})`);
    await sleep(100);
  }
}
