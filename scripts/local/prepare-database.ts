import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFromBefore } from '#worker/db/baseline.ts';
import { FROM_BEFORE } from '#worker/messages/backup.ts';
import { hasDemoAccounts } from '#scripts/demo/has-demo-accounts.ts';
import { discardUnfinishedDemo, NO_DEMO } from '#scripts/demo/unfinished.ts';
import { run } from '#scripts/shared/place.ts';
import { readLocal } from '#scripts/shared/read-local.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

/**
 * Applies the missing migrations to the local databases under `state`. With `origin`, it also
 * writes demo data into an empty database, and returns whether the demo accounts exist. Exits with
 * an error if a database is from before version 1.0.0.
 */
export async function prepareDatabase(state: string, origin?: string): Promise<boolean> {
  if (isFromBefore(readOldestMigration(state))) {
    console.error(`The local database in ${state} ${FROM_BEFORE}
To keep its links, export them with the version that made it, and import the file here.
To start empty, delete the folder: rm -r ${state}`);
    process.exit(1);
  }
  if (discardUnfinishedDemo(state))
    console.log('The last start was interrupted while it wrote the demo data: starting again.');
  let hasDemo: boolean | undefined;
  const prepare = async (done: string) => {
    const args = ['scripts/demo/migrate-and-seed.ts', state, ...(origin ? [origin] : [])];
    const { code, output } = await run(process.execPath, args, { quiet: true });
    if (code !== 0 && code !== NO_DEMO)
      throw new Error(`The local database could not be prepared:\n${output}`);
    console.log(`${done}${output}`.trim());
    hasDemo = code === 0;
  };
  const migrate = () => prepare('Migrated the local database.\n');
  const isThere = () => existsSync(join(state, 'v3', 'd1'));
  await onceFor(join(state, 'migrated'), hashOf(['migrations']), migrate, isThere);
  if (origin === undefined) return false;
  hasDemo ??= hasDemoAccounts(state);
  if (hasDemo === undefined) await prepare('');
  return hasDemo === true;
}

/** Returns the first migration of a local database, or '' if it has none. */
const readOldestMigration = (state: string): string =>
  readLocal(state, 'd1_migrations', 'SELECT min(name) AS name FROM d1_migrations')
    .map(({ name }) => String(name ?? ''))
    .toSorted()[0] ?? '';
