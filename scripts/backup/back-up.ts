import { parseArgs } from 'node:util';
import { finishedAt, listCopies, type CopyBucket } from '#worker/backup/copies.ts';
import { startBackup, writeBackup } from '#worker/backup/write-backup.ts';
import { openDb } from '#worker/db/client.ts';
import { typedPath } from '#scripts/shared/place.ts';
import { writeArchive } from './archive.ts';
import { PLACE_OPTIONS, withStorage, type OpenStorage } from './command.ts';
import { outsideBucket } from './outside-bucket.ts';
import { readCopyKey } from './copy-key.ts';

const USAGE =
  'Usage: npm run backup -- FILE [--remote] [--env NAME], or npm run backup -- --list [--remote] [--env NAME], or npm run backup -- --list --s3';

const UNSIGNED =
  'The copy is not signed, because neither AUTH_SECRET nor a key in the database was found: restoring it will need --unverified.';

export async function backUp(
  args: readonly string[],
  openStorage: OpenStorage = withStorage,
): Promise<void> {
  const options = { ...PLACE_OPTIONS, list: { type: 'boolean' }, s3: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file] = positionals;
  if (values.list === true && values.s3 === true) return listNightly({ BACKUPS: outsideBucket() });
  if (values.list === true) return openStorage(values, listNightly);
  if (values.s3 === true) throw new Error(USAGE);
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const path = typedPath(file);
  return openStorage(values, async (env) => {
    const db = openDb(env.DB);
    const key = await readCopyKey(env);
    const progress = await startBackup(db, Date.now());
    await writeArchive(
      path,
      async (store) => void (await writeBackup(db, store, progress, key, Date.now)),
    );
    const { tables, parts, schema } = progress.manifest;
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    console.log(
      `Wrote ${path}: ${tables['links']?.rows ?? 0} links, ${rows} rows, ${Math.ceil(bytes / 1024)} KB, schema ${schema}.`,
    );
    if (key === null) console.log(UNSIGNED);
  });
}

async function listNightly(env: { BACKUPS: CopyBucket }): Promise<void> {
  for (const date of await listCopies(env)) {
    const at = await finishedAt(env, date);
    console.log(
      `${date}  ${at === null ? 'unfinished' : `finished ${new Date(at).toISOString()}`}`,
    );
  }
}
