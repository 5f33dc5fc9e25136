import { sql } from 'drizzle-orm';
import { createWindows } from '#worker/clicks/fold/tables.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import type { Manifest, PartStore, Rows } from './backup-format.ts';
import { forgetBase } from './base.ts';
import { rowsOfBase } from './differential.ts';
import { isFromBefore } from '#worker/db/baseline.ts';
import { MERGED, readSchemaVersion, readTables, type BackupTable } from './backup-tables.ts';
import {
  deleteAccountsAgain,
  readerOf,
  type DeletedAgain,
  type ReadObject,
} from './deleted-accounts.ts';
import {
  applyDecisions,
  hasAdmin,
  holdLinksOfSuspended,
  setDecisionsAside,
  type KeptDecisions,
} from './keep-decisions.ts';
import {
  raiseLinkIds,
  reconcileEdge,
  rememberCodes,
  type EdgeStores,
  type Reconciled,
} from './reconcile-edge.ts';
import { readPart, verifyBackup, type Columns, type VerifyOptions } from './verify-backup.ts';
import { refuseRestore, type RestoreRefusal } from '#worker/messages/backup.ts';

export type RestoreOptions = VerifyOptions & {
  /** Replaces the rows of a database that is not empty. */
  replace: boolean;
  /** Reopens links that were disabled or deleted after the copy. */
  reopen: boolean;
  /** Applies the migrations up to that of the backup, and all others once it is loaded. */
  migrate?: (last?: string) => Promise<void>;
  /** Another place that may have the list of deleted accounts than the bucket. */
  otherPlace?: ReadObject;
};

/**
 * `skipped`: tables of the copy that were not restored, because this release does not have them.
 * `copiedAt` in ms.
 */
export type RestoreResult =
  | ({
      ok: true;
      copiedAt: number;
      rows: number;
      skipped: string[];
      kept: KeptDecisions;
      hasAdmin: boolean;
    } & DeletedAgain &
      Reconciled)
  | RestoreRefusal;

const CHARS_PER_STATEMENT = 600_000;

/**
 * Replaces the contents of the database by a backup. Run it again if it is interrupted. Nothing
 * changes before the whole backup has been read and its MAC and checksums match. Tables and columns
 * come from the migrations, whatever the backup names. Newer decisions about people outlive the
 * restore (keep-decisions.ts). Ids and codes assigned after the copy are never assigned again, and
 * KV is made to match the database.
 */
export async function restoreBackup(
  env: EdgeStores,
  store: PartStore,
  options: RestoreOptions,
  now: number,
): Promise<RestoreResult> {
  const { replace, reopen, migrate } = options;
  const db = openDb(env.DB);
  const backup = await verifyBackup(store, options);
  if ('ok' in backup) return backup;
  const { manifest, columns, base } = backup;
  if (isFromBefore(manifest.schema)) return refuseRestore('from_before');
  await migrate?.(manifest.schema);
  const refusal = (await checkSchema(db, manifest)) ?? (replace ? null : await checkEmpty(db));
  if (refusal !== null) return refusal;
  await createDayTables(db, columns);
  const tables = await readTables(db);
  const unknownColumns = checkColumns(tables, columns);
  if (unknownColumns !== null) return unknownColumns;

  await forgetBase(db);
  await rememberCodes(db);
  await setDecisionsAside(db, tables);
  await raiseLinkIds(env, manifest.sequences['links'] ?? 0);
  await clearTables(db, tables);
  const restored = new Map(
    tables.filter(({ choice }) => choice === 'copy').map((table) => [table.name, table]),
  );
  let rows = 0;
  await forEachGroup(store, manifest, async (group) => {
    rows += await loadRows(db, restored, group);
  });
  if (base !== null)
    await forEachGroup(base.store, base.manifest, async (group) => {
      for (const one of rowsOfBase(group, manifest))
        rows += await loadRows(db, restored, one.rows, one.condition);
    });
  await raiseOtherIds(db, manifest);
  const kept = await applyDecisions(db, tables);
  await migrate?.();
  await holdLinksOfSuspended(db, now);
  const places = [readerOf(env), ...(options.otherPlace ? [options.otherPlace] : [])];
  const deletions = await deleteAccountsAgain(db, places, options, now);
  const reconciled = await reconcileEdge(env, { reopen }, now);
  const skipped = [...columns.keys()].filter((name) => !restored.has(name));
  return {
    ok: true,
    copiedAt: manifest.startedAt,
    rows,
    skipped,
    kept,
    ...deletions,
    hasAdmin: await hasAdmin(db),
    ...reconciled,
  };
}

/** The tables of days have no migration, because the first fold of a day creates its table. */
async function createDayTables(db: Db, columns: Columns): Promise<void> {
  for (const name of columns.keys()) {
    const [, day] = /^click_windows_(\d{1,6})$/.exec(name) ?? [];
    if (day !== undefined) await db.$client.prepare(createWindows(Number(day))).run();
  }
}

function checkColumns(tables: readonly BackupTable[], columns: Columns): RestoreRefusal | null {
  for (const { name, choice, columns: known } of tables) {
    const unknown = [...(columns.get(name) ?? [])].filter(
      (column) => choice === 'copy' && !known.includes(column),
    );
    if (unknown.length > 0)
      return refuseRestore('unknown_columns', { name, found: unknown.join(', ') });
  }
  return null;
}

async function checkSchema(db: Db, manifest: Manifest): Promise<RestoreRefusal | null> {
  const current = await readSchemaVersion(db);
  if (manifest.schema === current) return null;
  return refuseRestore(manifest.schema > current ? 'newer_schema' : 'older_schema', {
    found: manifest.schema,
    needed: current,
  });
}

async function checkEmpty(db: Db): Promise<RestoreRefusal | null> {
  const [row] = await db.all(
    sql`select 1 where exists (select 1 from links) or exists (select 1 from users) or exists (select 1 from auth_users)`,
  );
  return row === undefined ? null : refuseRestore('not_empty');
}

async function clearTables(db: Db, tables: readonly BackupTable[]): Promise<void> {
  for (const { name, choice } of tables)
    if (choice !== 'leave' && !MERGED.has(name))
      await db.$client.prepare(`DELETE FROM "${name}"`).run();
}

/** Passes each group of rows of a copy to `load`. */
async function forEachGroup(
  store: PartStore,
  { parts }: Manifest,
  load: (group: Rows) => Promise<void>,
): Promise<void> {
  for (const part of parts) {
    // A part is read twice, so its checksum is compared twice: somebody who can write to the bucket
    // must not swap it in between.
    const groups = await readPart(store, part);
    if (groups === null)
      throw new Error(
        `The part ${part.name} has changed since the restore began. Find out who writes to it, and restore another copy.`,
      );
    for (const group of groups) await load(group);
  }
}

/**
 * Loads rows as JSON text, because D1 then keeps the type of every value. Rows of other tables are
 * left out. `condition` is on the JSON array `value` of a row. Returns the number of rows.
 */
async function loadRows(
  db: Db,
  tables: ReadonlyMap<string, BackupTable>,
  { table, columns, lines }: Rows,
  condition = 'true',
): Promise<number> {
  const known = tables.get(table);
  if (known === undefined) return 0;
  if (!columns.every((column) => known.columns.includes(column)))
    throw new Error(`${table} has other columns.`);
  const names = columns.map((column) => `"${column}"`).join(', ');
  const values = columns.map((_, index) => `value ->> ${index}`).join(', ');
  let rows = 0;
  const insert = db.$client.prepare(
    `INSERT OR REPLACE INTO "${table}" (${names}) SELECT ${values} FROM json_each(?1) WHERE ${condition}`,
  );
  for (let at = 0; at < lines.length;) {
    const chunk: string[] = [];
    for (
      let chars = 0;
      at < lines.length && (chunk.length === 0 || chars < CHARS_PER_STATEMENT);
      at++
    ) {
      const line = lines[at] ?? '';
      chunk.push(line);
      chars += line.length;
    }
    rows += (await insert.bind(`[${chunk.join(',')}]`).run()).meta.changes;
  }
  return rows;
}

async function raiseOtherIds(db: Db, { sequences }: Manifest): Promise<void> {
  for (const [name, seq] of Object.entries(sequences))
    await db.run(sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`);
}
