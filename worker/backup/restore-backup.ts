import { sql } from 'drizzle-orm';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { deleteAgain } from '#worker/account/delete-account.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';
import { createWindows } from '#worker/clicks/fold/tables.ts';
import { jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { auth_users } from '#worker/db/schema-auth.ts';
import { deleted_users, users } from '#worker/db/schema-users.ts';
import {
  decodePart,
  MANIFEST,
  MANIFEST_MAC,
  parseManifest,
  sha256,
  type Manifest,
  type PartStore,
  type Rows,
  isMacOf,
  type CopyKey,
} from './backup-format.ts';
import { FROM_BEFORE, isFromBefore } from '#worker/db/baseline.ts';
import { MERGED, readSchemaVersion, readTables, type BackupTable } from './backup-tables.ts';
import { dateOf } from './copies.ts';
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

export type RestoreOptions = {
  /** Replaces the rows of a database that is not empty. */
  replace: boolean;
  /** Reopens links that were disabled or deleted after the copy. */
  reopen: boolean;
  /** The key that must have signed the copy; null if the command does not know it. */
  key: CopyKey | null;
  /** Restores the copy even if nothing shows that Hop has written it. */
  unverified: boolean;
  /** The date under which the copy is stored; undefined for a file. */
  date?: string;
  /** Applies the migrations up to that of the backup, and all others once it is loaded. */
  migrate?: (last?: string) => Promise<void>;
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
      deletedAccounts: number;
      kept: KeptDecisions;
      hasAdmin: boolean;
    } & Reconciled)
  | {
      ok: false;
      reason: 'no_backup' | 'damaged' | 'unverified' | 'other_schema' | 'not_empty';
      message: string;
    };

type Refusal = Extract<RestoreResult, { ok: false }>;

const CHARS_PER_STATEMENT = 600_000;
const USERS_PER_QUERY = 1_000;

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
  const { manifest, columns } = backup;
  if (isFromBefore(manifest.schema))
    return refuse(
      'other_schema',
      `This backup ${FROM_BEFORE} Restore it with the version that wrote it, export the links there, and import that file here.`,
    );
  await migrate?.(manifest.schema);
  const refusal = (await checkSchema(db, manifest)) ?? (replace ? null : await checkEmpty(db));
  if (refusal !== null) return refusal;
  await createDayTables(db, columns);
  const tables = await readTables(db);
  const unknownColumns = checkColumns(tables, columns);
  if (unknownColumns !== null) return unknownColumns;

  await rememberCodes(db);
  await setDecisionsAside(db, tables);
  await raiseLinkIds(env, manifest.sequences['links'] ?? 0);
  await clearTables(db, tables);
  const restored = new Map(
    tables.filter(({ choice }) => choice === 'copy').map((table) => [table.name, table]),
  );
  for (const part of manifest.parts) await loadPart(db, restored, await readPart(store, part));
  await raiseOtherIds(db, manifest);
  const kept = await applyDecisions(db, tables);
  await migrate?.();
  await holdLinksOfSuspended(db, now);
  const deletedAccounts = await deleteAccountsAgain(db, now);
  const reconciled = await reconcileEdge(env, { reopen }, now);
  const skipped = [...columns.keys()].filter((name) => !restored.has(name));
  const rows = Object.entries(manifest.tables).reduce(
    (sum, [name, table]) => sum + (restored.has(name) ? table.rows : 0),
    0,
  );
  return {
    ok: true,
    copiedAt: manifest.startedAt,
    rows,
    skipped,
    deletedAccounts,
    kept,
    hasAdmin: await hasAdmin(db),
    ...reconciled,
  };
}

const refuse = (reason: Refusal['reason'], message: string): Refusal => ({
  ok: false,
  reason,
  message,
});

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** The manifest and the columns, once every part has been read and matches its checksum. */
async function verifyBackup(
  store: PartStore,
  { key, unverified, date }: Pick<RestoreOptions, 'key' | 'unverified' | 'date'>,
): Promise<{ manifest: Manifest; columns: Columns } | Refusal> {
  const bytes = await store.read(MANIFEST);
  if (bytes === null)
    return refuse('no_backup', 'There is no finished backup here: it has no manifest.json.');
  const doubt = unverified ? null : findDoubt(await store.read(MANIFEST_MAC), bytes, key);
  if (doubt !== null) return refuse('unverified', `${doubt} ${UNVERIFIED}`);
  const manifest = parseManifest(bytes);
  if (manifest === null)
    return refuse('damaged', 'The manifest of this backup cannot be read. Use another copy.');
  if (date !== undefined && dateOf(manifest.startedAt) !== date)
    return refuse(
      'damaged',
      `The copy stored as ${date} is that of ${dateOf(manifest.startedAt)}. Use another copy.`,
    );
  const columns = new Map<string, Set<string>>();
  const rows: Record<string, number> = {};
  for (const { name, sha256: expected } of manifest.parts) {
    const part = await store.read(name);
    if (part === null || sha256(part) !== expected)
      return refuse(
        'damaged',
        `The part ${name} is missing or has changed since it was written. Use another copy.`,
      );
    for (const group of decodePart(part)) {
      rows[group.table] = (rows[group.table] ?? 0) + group.lines.length;
      columns.set(group.table, new Set([...(columns.get(group.table) ?? []), ...group.columns]));
    }
  }
  for (const [table, { rows: expected }] of Object.entries(manifest.tables))
    if ((rows[table] ?? 0) !== expected)
      return refuse('damaged', `The backup lacks rows of ${table}. Use another copy.`);
  return { manifest, columns };
}

const UNVERIFIED =
  'Who writes a copy decides who is an administrator and where links lead. If you know where this one has been since it was written, ' +
  'add --unverified to restore it all the same.';

/** Why this installation may not have written the copy; null if its MAC proves that it has. */
function findDoubt(
  mac: Uint8Array | null,
  manifest: Uint8Array,
  key: CopyKey | null,
): string | null {
  if (mac === null)
    return 'This copy is not signed: it was made without AUTH_SECRET, or its signature was removed.';
  if (key === null)
    return 'The signature of this copy cannot be checked: the database does not have the key, which the Worker stores in its first hour. Set AUTH_SECRET for this command to the value that the deployment had when the copy was made.';
  if (isMacOf(new TextDecoder().decode(mac), key, 'manifest', manifest)) return null;
  return 'The signature of this copy does not match: the copy was changed, or it was made with another AUTH_SECRET. If AUTH_SECRET has been replaced since, set it for this command to the value that the deployment had when the copy was made.';
}

/** The tables of days have no migration, because the first fold of a day creates its table. */
async function createDayTables(db: Db, columns: Columns): Promise<void> {
  for (const name of columns.keys()) {
    const [, day] = /^click_windows_(\d{1,6})$/.exec(name) ?? [];
    if (day !== undefined) await db.$client.prepare(createWindows(Number(day))).run();
  }
}

function checkColumns(tables: readonly BackupTable[], columns: Columns): Refusal | null {
  for (const { name, choice, columns: known } of tables) {
    const unknown = [...(columns.get(name) ?? [])].filter(
      (column) => choice === 'copy' && !known.includes(column),
    );
    if (unknown.length > 0)
      return refuse(
        'damaged',
        `The backup has columns of ${name} that no release had: ${unknown.join(', ')}. Use another copy.`,
      );
  }
  return null;
}

async function checkSchema(db: Db, manifest: Manifest): Promise<Refusal | null> {
  const current = await readSchemaVersion(db);
  if (manifest.schema === current) return null;
  const advice =
    manifest.schema > current
      ? 'Update Hop and apply its migrations first.'
      : 'Restore it into an empty database, which is then migrated, or with the release that wrote it.';
  return refuse(
    'other_schema',
    `The backup has the schema ${manifest.schema}, this database ${current || 'none'}. ${advice}`,
  );
}

async function checkEmpty(db: Db): Promise<Refusal | null> {
  const [row] = await db.all(
    sql`select 1 where exists (select 1 from links) or exists (select 1 from users) or exists (select 1 from auth_users)`,
  );
  return row === undefined
    ? null
    : refuse('not_empty', 'The database is not empty. To replace what it holds, add --replace.');
}

async function clearTables(db: Db, tables: readonly BackupTable[]): Promise<void> {
  for (const { name, choice } of tables)
    if (choice !== 'leave' && !MERGED.has(name))
      await db.$client.prepare(`DELETE FROM "${name}"`).run();
}

/**
 * A part is read twice, so its checksum is compared twice: somebody who can write to the bucket
 * must not swap it in between.
 */
async function readPart(
  store: PartStore,
  { name, sha256: expected }: Manifest['parts'][number],
): Promise<Rows[]> {
  const bytes = await store.read(name);
  if (bytes === null || sha256(bytes) !== expected)
    throw new Error(
      `The part ${name} has changed since the restore began. Find out who writes to it, and restore another copy.`,
    );
  return decodePart(bytes);
}

/**
 * Loads rows as JSON text, because D1 then keeps the type of every value. Rows of other tables are
 * left out.
 */
async function loadPart(
  db: Db,
  tables: ReadonlyMap<string, BackupTable>,
  groups: readonly Rows[],
): Promise<void> {
  for (const { table, columns, lines } of groups) {
    const known = tables.get(table);
    if (known === undefined) continue;
    if (!columns.every((column) => known.columns.includes(column)))
      throw new Error(`${table} has other columns.`);
    const names = columns.map((column) => `"${column}"`).join(', ');
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ');
    const insert = db.$client.prepare(
      `INSERT OR REPLACE INTO "${table}" (${names}) SELECT ${values} FROM json_each(?1)`,
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
      await insert.bind(`[${chunk.join(',')}]`).run();
    }
  }
}

async function raiseOtherIds(db: Db, { sequences }: Manifest): Promise<void> {
  for (const [name, seq] of Object.entries(sequences))
    await db.run(sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`);
}

/**
 * Deletes accounts again that the replaced database knew as deleted. Returns how many of them the
 * copy had.
 */
async function deleteAccountsAgain(db: Db, now: number): Promise<number> {
  let deleted = 0;
  for (let last = ''; ;) {
    const rows = await db.all<{ id: string; email: string }>(
      sql`select id, max(email) as email from (select id, email from ${users} union all select id, email from ${auth_users})
        where id > ${last} group by id order by id limit ${USERS_PER_QUERY}`,
    );
    const hashed = rows.map(({ id, email }) => ({ id, id_hash: hashUserId(id), email }));
    const gone = await db.all<{ id: string; email: string }>(
      sql`select id, email from ${jsonRows(['id', 'id_hash', 'email'], hashed)}
        where id_hash in (select id_hash from ${deleted_users})`,
    );
    for (const account of gone)
      await runBatch(db, await deleteAgain(db, account, DELETED_OWNER + crypto.randomUUID(), now));
    deleted += gone.length;
    const next = rows.at(-1)?.id;
    if (next === undefined) return deleted;
    last = next;
  }
}
