import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Opens the local D1 in the state folder `state` for `work` to read, beside a server that may be using it. */
export function withLocalDatabase<T>(state: string, work: (db: DatabaseSync) => T): T {
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: state, exclude: ['**/metadata.sqlite'] });
  if (file === undefined) throw new Error(`There is no database in ${state}.`);
  const db = new DatabaseSync(join(state, file), { readOnly: true, timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
