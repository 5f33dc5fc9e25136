import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isFromBefore } from '#worker/db/baseline.ts';
import { FROM_BEFORE } from '#worker/messages/backup.ts';
import { discardUnfinishedDemo } from '#scripts/demo/unfinished.ts';
import { run } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

/**
 * Applies the missing migrations to the local databases under `state`. Returns whether it checked
 * them, and exits with an error if one is from before version 1.0.0.
 */
export function ensureMigrated(state: string): Promise<boolean> {
  if (isFromBefore(readOldestMigration(state))) {
    console.error(`The local database in ${state} ${FROM_BEFORE}
To keep its links, export them with the version that made it, and import the file here.
To start empty, delete the folder: rm -r ${state}`);
    process.exit(1);
  }
  if (discardUnfinishedDemo(state))
    console.log('The last start was interrupted while it wrote the demo data: starting again.');
  const migrate = async () => {
    const args = ['scripts/backup/migrate-local.ts', state];
    const { code, output } = await run(process.execPath, args, { quiet: true });
    if (code !== 0) throw new Error(`The local database could not be migrated:\n${output}`);
  };
  return onceFor(join(state, 'migrated'), hashOf(['migrations']), migrate, () =>
    existsSync(join(state, 'v3', 'd1')),
  );
}

/** Returns the first migration of a local database, or '' if it has none. */
function readOldestMigration(state: string): string {
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state });
  const names = files.flatMap((file) => {
    const db = new DatabaseSync(join(state, file), { readOnly: true });
    try {
      const isMigrated = `SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'`;
      if (db.prepare(isMigrated).get() === undefined) return [];
      return db.prepare('SELECT min(name) AS name FROM d1_migrations').all();
    } finally {
      db.close();
    }
  });
  return names.map(({ name }) => String(name ?? '')).toSorted()[0] ?? '';
}
