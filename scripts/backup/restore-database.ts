import { parseArgs } from 'node:util';
import type { PartStore } from '#worker/backup/backup-format.ts';
import { partStoreOf, readLastBackup, takeLinkIdMark } from '#worker/backup/copies.ts';
import { deleteAccountsAgain, readerOf, type ReadObject } from '#worker/backup/deleted-accounts.ts';
import { reconcilePlatformCopy } from '#worker/backup/reconcile-edge.ts';
import { restoreBackup } from '#worker/backup/restore-backup.ts';
import { openDb } from '#worker/db/client.ts';
import type { RemoteEnv } from '#scripts/shared/local-env.ts';
import { typedPath } from '#scripts/shared/place.ts';
import { readArchive } from './archive.ts';
import { PLACE_OPTIONS, withStorage, type OpenStorage } from './command.ts';
import { readCopyKey } from './copy-key.ts';
import { outsideBucket } from './outside-bucket.ts';
import { applyMigrations, migrationNames } from './migrations.ts';
import { cannotKnow, reportDeletions, reportEdge, reportRestore } from './report-restore.ts';

const USAGE = `Usage: npm run restore -- FILE | --nightly [DATE] | --s3 [DATE] | --platform
  --remote [--env NAME]      restore a deployment, not the local state
  --replace                  replace what the database holds
  --reopen                   bring back links that were disabled or deleted after the copy
  --unverified               restore a copy although its signature is missing or does not match
The variable AUTH_SECRET, if it is set, names the secret that the copy was signed with.`;

type Options = { replace: boolean; reopen: boolean; unverified: boolean };

export async function restoreDatabase(
  args: readonly string[],
  openStorage: OpenStorage = withStorage,
): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...PLACE_OPTIONS,
      nightly: flag,
      s3: flag,
      platform: flag,
      replace: flag,
      reopen: flag,
      unverified: flag,
    },
  });
  const [given] = positionals;
  const isNamed = values.nightly || values.s3;
  const isUnderstood = values.platform
    ? positionals.length === 0 && !isNamed
    : positionals.length === 1 || isNamed;
  if (!isUnderstood || positionals.length > 1 || (values.nightly && values.s3))
    throw new Error(USAGE);
  const outside = values.s3 ? outsideBucket() : null;
  return openStorage(values, async (env) => {
    if (values.platform) {
      const check = { key: await readCopyKey(env), unverified: values.unverified };
      const deletions = await deleteAccountsAgain(
        openDb(env.DB),
        [readerOf(env)],
        check,
        Date.now(),
      );
      console.log(reportEdge(await reconcilePlatformCopy(env, values, Date.now())));
      for (const line of reportDeletions(deletions)) console.log(line);
      console.log(cannotKnow('The platform has replaced the database', deletions.list));
      return;
    }
    if (!isNamed)
      return readArchive(typedPath(given ?? ''), (store) => restore(env, store, values));
    const place = { BACKUPS: outside ?? env.BACKUPS };
    const date = given ?? (await readLastBackup(place))?.date;
    if (date === undefined) throw new Error('The bucket has no finished copy.');
    console.log(`Restoring the copy of ${date}.`);
    if (outside !== null) await takeLinkIdMark(env, outside);
    return restore(env, partStoreOf(place, date), values, { date, otherPlace: readerOf(place) });
  });
}

/** Applies the schema of the backup, restores the data, and applies the later migrations. */
async function restore(
  env: RemoteEnv,
  store: PartStore,
  options: Options,
  from: { date?: string; otherPlace?: ReadObject } = {},
): Promise<void> {
  const known = await migrationNames();
  // Without a name, all migrations are applied. A backup of a newer release names an unknown
  // migration, so nothing is applied.
  const migrate = async (last?: string) => {
    if (last === undefined || known.includes(last)) await applyMigrations(env.DB, last);
  };
  const key = await readCopyKey(env);
  const result = await restoreBackup(env, store, { ...options, ...from, key, migrate }, Date.now());
  if (!result.ok) throw new Error(result.message);
  for (const line of reportRestore(result)) console.log(line);
}
