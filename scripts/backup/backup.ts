/**
 * `npm run backup -- FILE [--remote] [--config FILE]` copies the database to a file; `npm run backup -- --list` names the nightly
 * copies in the bucket.
 */
import { parseArgs } from 'node:util';
import { finishedAt, listCopies } from '#worker/backup/copies.ts';
import { startBackup, writeBackup } from '#worker/backup/write-backup.ts';
import { openDb } from '#worker/db/client.ts';
import { writeArchive } from './archive.ts';
import { PLACE_OPTIONS, runCommand, typedPath, withStorage } from './command.ts';

const USAGE = 'Usage: npm run backup -- FILE [--remote] [--config FILE], or npm run backup -- --list [--remote]';

await runCommand(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...PLACE_OPTIONS, list: { type: 'boolean' } } });
  const [file] = positionals;
  if (values.list === true) return withStorage(values, listNightly);
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const path = typedPath(file);
  return withStorage(values, async (env) => {
    const db = openDb(env.DB);
    const progress = await startBackup(db, Date.now());
    await writeArchive(path, async (store) => void (await writeBackup(db, store, progress, Date.now)));
    const { tables, parts, schema } = progress.manifest;
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    console.log(
      `Wrote ${path}: ${tables['links']?.rows ?? 0} links, ${rows} rows, ${Math.ceil(bytes / 1024)} KB, schema ${schema}.`,
    );
    return 0;
  });
});

async function listNightly(env: Pick<Env, 'BACKUPS'>): Promise<number> {
  for (const date of await listCopies(env)) {
    const at = await finishedAt(env, date);
    console.log(`${date}  ${at === null ? 'unfinished' : `finished ${new Date(at).toISOString()}`}`);
  }
  return 0;
}
