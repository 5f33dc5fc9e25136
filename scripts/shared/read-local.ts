import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns the rows of a query on each local database below `state` that has the table. */
export const readLocal = (state: string, table: string, query: string) =>
  globSync('v3/d1/*/*.sqlite', { cwd: state }).flatMap((file) => {
    const db = new DatabaseSync(join(state, file), { readOnly: true });
    try {
      const isThere = 'SELECT 1 FROM sqlite_master WHERE name = ?';
      return db.prepare(isThere).get(table) === undefined ? [] : db.prepare(query).all();
    } finally {
      db.close();
    }
  });
