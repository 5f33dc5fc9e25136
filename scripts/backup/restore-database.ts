import { parseArgs } from 'node:util';
import { MANIFEST, parseManifest, type PartStore } from '#worker/backup/backup-format.ts';
import { partsOf, readLastBackup } from '#worker/backup/copies.ts';
import { reconcilePlatformCopy, type Reconciled } from '#worker/backup/reconcile-edge.ts';
import { restoreBackup } from '#worker/backup/restore-backup.ts';
import type { RemoteEnv } from '#scripts/local-env.ts';
import { readArchive } from './archive.ts';
import { PLACE_OPTIONS, typedPath, withStorage, type OpenStorage } from './command.ts';
import { applyMigrations, migrationNames } from './migrations.ts';

const USAGE = `Usage: npm run restore -- FILE | --nightly [DATE] | --platform
  --remote [--env NAME]      restore a deployment, not the local state
  --replace                  replace what the database holds
  --reopen                   bring back links that were disabled or deleted after the copy`;

type Options = { replace: boolean; reopen: boolean };

/** Runs `npm run restore -- …args`. */
export async function restoreDatabase(args: readonly string[], openStorage: OpenStorage = withStorage): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...PLACE_OPTIONS, nightly: flag, platform: flag, replace: flag, reopen: flag },
  });
  const [given] = positionals;
  const isUnderstood = values.platform ? positionals.length === 0 && !values.nightly : positionals.length === 1 || values.nightly;
  if (!isUnderstood || positionals.length > 1) throw new Error(USAGE);
  return openStorage(values, async (env) => {
    if (values.platform) {
      console.log(describe(await reconcilePlatformCopy(env, values, Date.now())));
      return;
    }
    if (!values.nightly) return readArchive(typedPath(given ?? ''), (store) => restore(env, store, values));
    const date = given ?? (await readLastBackup(env))?.date;
    if (date === undefined) throw new Error('The bucket has no finished copy.');
    console.log(`Restoring the copy of ${date}.`);
    return restore(env, partsOf(env, date), values);
  });
}

/** Gives the database the schema of the backup, restores it, and applies the migrations since. */
async function restore(env: RemoteEnv, store: PartStore, options: Options): Promise<void> {
  const manifest = parseManifest((await store.read(MANIFEST)) ?? new Uint8Array());
  if (manifest !== null && (await migrationNames()).includes(manifest.schema)) await applyMigrations(env.DB, manifest.schema);
  const result = await restoreBackup(env, store, { ...options, upgrade: () => applyMigrations(env.DB) }, Date.now());
  if (!result.ok) throw new Error(result.message);
  const { rows, deletedAccounts } = result;
  console.log(`Restored ${rows} rows. ${describe(result)}`);
  if (deletedAccounts > 0) console.log(`${deletedAccounts} accounts that were deleted after the copy stay deleted.`);
}

function describe({ lost, changed, stopped }: Reconciled): string {
  const sentences = [`${changed} edge records were brought up to date.`];
  if (stopped > 0) sentences.push(`${stopped} links that were disabled or deleted later stay so.`);
  if (lost > 0) sentences.push(`${lost} codes of later links answer 404 and are given to nobody.`);
  return sentences.join(' ');
}
