import { sql } from 'drizzle-orm';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { deleteAgain } from '#worker/account/delete-account.ts';
import { hashUserId } from '#worker/auth/accounts/delete-sign-in.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { auth_users } from '#worker/db/schema-auth.ts';
import { deleted_users, users } from '#worker/db/schema.ts';
import { decodePart, MANIFEST, parseManifest, sha256, type Manifest, type PartStore, type Rows } from './backup-format.ts';
import { MERGED, readSchemaVersion, readTables } from './backup-tables.ts';
import { raiseLinkIds, reconcileEdge, rememberCodes, type EdgeStores, type Reconciled } from './reconcile-edge.ts';

export type RestoreOptions = {
  /** Replace the rows of a database that is not empty. */
  replace: boolean;
  /** Bring back links that were disabled or deleted after the copy. */
  reopen: boolean;
  /** Applies the migrations that the backup lacks, once it is loaded. */
  upgrade?: () => Promise<void>;
};

export type RestoreResult =
  | ({ ok: true; rows: number; deletedAccounts: number } & Reconciled)
  | { ok: false; reason: 'no_backup' | 'damaged' | 'other_schema' | 'not_empty'; message: string };

type Refusal = Extract<RestoreResult, { ok: false }>;

const CHARS_PER_STATEMENT = 600_000;
const USERS_PER_QUERY = 1_000;

/**
 * Replaces the contents of the database by a backup. Run it again if it is interrupted. Nothing is changed before the whole
 * backup has been read and its checksums match. Ids and codes that were given out after the copy are never given out again, and
 * KV is brought in line with the database.
 */
export async function restoreBackup(
  env: EdgeStores,
  store: PartStore,
  { replace, reopen, upgrade }: RestoreOptions,
  now: number,
): Promise<RestoreResult> {
  const db = openDb(env.DB);
  const manifest = await verifyBackup(store);
  if ('ok' in manifest) return manifest;
  const refusal = (await checkSchema(db, manifest)) ?? (replace ? null : await checkEmpty(db));
  if (refusal !== null) return refusal;

  await rememberCodes(db);
  await raiseLinkIds(env, manifest.sequences['links'] ?? 0);
  await clearTables(db, manifest);
  for (const { name } of manifest.parts) await loadPart(db, await readPart(store, name));
  await raiseOtherIds(db, manifest);
  await upgrade?.();
  const deletedAccounts = await deleteAccountsAgain(db, now);
  const reconciled = await reconcileEdge(env, { reopen }, now);
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  return { ok: true, rows, deletedAccounts, ...reconciled };
}

const refuse = (reason: Refusal['reason'], message: string): Refusal => ({ ok: false, reason, message });

/** The manifest, once every part has been read and is as it was written. */
export async function verifyBackup(store: PartStore): Promise<Manifest | Refusal> {
  const bytes = await store.read(MANIFEST);
  if (bytes === null) return refuse('no_backup', 'There is no finished backup here: it has no manifest.json.');
  const manifest = parseManifest(bytes);
  if (manifest === null) return refuse('damaged', 'The manifest of this backup cannot be read. Use another copy.');
  const rows: Record<string, number> = {};
  for (const { name, sha256: expected } of manifest.parts) {
    const part = await store.read(name);
    if (part === null || sha256(part) !== expected)
      return refuse('damaged', `The part ${name} is missing or has changed since it was written. Use another copy.`);
    for (const { table, lines } of decodePart(part)) rows[table] = (rows[table] ?? 0) + lines.length;
  }
  for (const [table, { rows: expected }] of Object.entries(manifest.tables))
    if ((rows[table] ?? 0) !== expected) return refuse('damaged', `The backup lacks rows of ${table}. Use another copy.`);
  return manifest;
}

async function checkSchema(db: Db, manifest: Manifest): Promise<Refusal | null> {
  const current = await readSchemaVersion(db);
  if (manifest.schema === current) return null;
  const advice =
    manifest.schema > current
      ? 'Update Hop and apply its migrations first.'
      : 'Restore it into an empty database, which is then migrated, or with the release that wrote it.';
  return refuse('other_schema', `The backup has the schema ${manifest.schema}, this database ${current || 'none'}. ${advice}`);
}

async function checkEmpty(db: Db): Promise<Refusal | null> {
  const [row] = await db.all(
    sql`select 1 where exists (select 1 from links) or exists (select 1 from users) or exists (select 1 from auth_users)`,
  );
  return row === undefined ? null : refuse('not_empty', 'The database is not empty. To replace what it holds, add --replace.');
}

async function clearTables(db: Db, manifest: Manifest): Promise<void> {
  const tables = await readTables(db);
  for (const { name, choice } of tables)
    if (choice !== 'leave' && !MERGED.has(name)) await db.$client.prepare(`DELETE FROM "${name}"`).run();
  const known = new Set(tables.map(({ name }) => name));
  for (const [name, { sql: create }] of Object.entries(manifest.tables))
    if (!known.has(name)) await db.$client.prepare(create).run();
}

async function readPart(store: PartStore, name: string): Promise<Rows[]> {
  const bytes = await store.read(name);
  if (bytes === null) throw new Error(`The part ${name} is missing.`);
  return decodePart(bytes);
}

/** The rows travel as JSON text: D1 parses it, so that every value keeps its type. */
async function loadPart(db: Db, groups: readonly Rows[]): Promise<void> {
  for (const { table, columns, lines } of groups) {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ');
    const insert = db.$client.prepare(`INSERT OR REPLACE INTO "${table}" (${names}) SELECT ${values} FROM json_each(?1)`);
    for (let at = 0; at < lines.length;) {
      const chunk: string[] = [];
      for (let chars = 0; at < lines.length && (chunk.length === 0 || chars < CHARS_PER_STATEMENT); at++) {
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

/** Accounts that the replaced database knew as deleted do not come back. Returns how many there were in the copy. */
async function deleteAccountsAgain(db: Db, now: number): Promise<number> {
  let deleted = 0;
  for (let last = ''; ;) {
    const rows = await db.all<{ id: string; email: string }>(
      sql`select id, max(email) as email from (select id, email from ${users} union all select id, email from ${auth_users})
        where id > ${last} group by id order by id limit ${USERS_PER_QUERY}`,
    );
    const hashes = JSON.stringify(rows.map(({ id, email }) => [id, hashUserId(id), email]));
    const gone = await db.all<{ id: string; email: string }>(
      sql`select value ->> 0 as id, value ->> 2 as email from json_each(${hashes})
        where value ->> 1 in (select id_hash from ${deleted_users})`,
    );
    for (const account of gone) await runBatch(db, deleteAgain(account, DELETED_OWNER + crypto.randomUUID(), now));
    deleted += gone.length;
    const next = rows.at(-1)?.id;
    if (next === undefined) return deleted;
    last = next;
  }
}
