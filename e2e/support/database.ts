import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';
import { DATABASE_PORT, STATE } from './state-folder.ts';
import { WAIT_MS } from './wait.ts';

export type Row = Record<string, SQLOutputValue>;

/**
 * Queries the D1 file of the running product, to check what is stored instead of what a page shows.
 */
export const query = (sql: string, ...params: SQLInputValue[]): Row[] =>
  withLocalDatabase(STATE, (db) => db.prepare(sql).all(...params));

/** Changes the D1 of the running product, for states that no page can create. */
export async function execute(sql: string, ...params: SQLInputValue[]): Promise<void> {
  const port = readFileSync(DATABASE_PORT, 'utf8');
  const body = JSON.stringify([sql, ...params]);
  const response = await fetch(`http://localhost:${port}`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
}

/** Queries every 100 ms until there is a row. Throws after `WAIT_MS`. */
export async function untilRow(sql: string, ...params: (string | number)[]): Promise<Row> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const [row] = query(sql, ...params);
    if (row !== undefined) return row;
    if (Date.now() > end)
      throw new Error(`No row within ${WAIT_MS} ms: ${sql} (${params.join(', ')})`);
    await sleep(100);
  }
}
