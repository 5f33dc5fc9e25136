import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Opens the local D1 in the state folder `state` for `work` to read, beside a server that may be using it. */
export const withLocalDatabase = <T>(state: string, work: (db: DatabaseSync) => T): T =>
  open(state, work, true);

/**
 * Runs statements in one transaction and returns all their rows. A request of a running server that
 * writes meanwhile fails, so nothing else happens while the database is locked.
 */
export const changeLocalDatabase = (state: string, statements: readonly string[]) =>
  open(
    state,
    (db) => {
      const prepared = statements.map((statement) => db.prepare(statement));
      db.exec('begin immediate');
      const rows = prepared.flatMap((statement) => statement.all());
      db.exec('commit');
      return rows;
    },
    false,
  );

function open<T>(state: string, work: (db: DatabaseSync) => T, readOnly: boolean): T {
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: state, exclude: ['**/metadata.sqlite'] });
  if (file === undefined) throw new Error(`There is no database in ${state}.`);
  const db = new DatabaseSync(join(state, file), { readOnly, timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
