import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { STATE } from './state-folder.ts';

export type Row = Record<string, SQLOutputValue>;

/**
 * Queries the D1 file of the running product, to check what is stored instead of what a page shows.
 */
export function query(sql: string, ...params: SQLInputValue[]): Row[] {
  const db = new DatabaseSync(databaseFile(), { readOnly: true, timeout: 5000 });
  try {
    return db.prepare(sql).all(...params);
  } finally {
    db.close();
  }
}

/** Changes the D1 file of the running product, for states that no page can create. */
export function execute(sql: string, ...params: SQLInputValue[]): void {
  const db = new DatabaseSync(databaseFile(), { timeout: 5000 });
  try {
    db.prepare(sql).run(...params);
  } finally {
    db.close();
  }
}

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

function databaseFile(): string {
  const folder = join(STATE, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  const file = readdirSync(folder).find(
    (name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite',
  );
  if (file === undefined) throw new Error(`There is no database in ${folder}.`);
  return join(folder, file);
}
