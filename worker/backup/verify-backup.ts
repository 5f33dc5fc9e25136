import {
  decodePart,
  isMacOf,
  MANIFEST,
  MANIFEST_MAC,
  parseManifest,
  sha256,
  type CopyKey,
  type Manifest,
  type PartStore,
  type Rows,
} from './backup-format.ts';
import { dateOf } from './copies.ts';

export type VerifyOptions = {
  /** The key that must have signed the copy; null if the command does not know it. */
  key: CopyKey | null;
  /** Restores the copy even if nothing shows that Hop has written it. */
  unverified: boolean;
  /** The date under which the copy is stored; undefined for a file. */
  date?: string;
};

/** Why a copy is not restored. */
export type RestoreRefusal = {
  ok: false;
  reason: 'no_backup' | 'damaged' | 'unverified' | 'other_schema' | 'not_empty';
  message: string;
};

export const refuseRestore = (
  reason: RestoreRefusal['reason'],
  message: string,
): RestoreRefusal => ({
  ok: false,
  reason,
  message,
});

export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** The manifest and the columns, once every part has been read and matches its checksum. */
export async function verifyBackup(
  store: PartStore,
  { key, unverified, date }: VerifyOptions,
): Promise<{ manifest: Manifest; columns: Columns } | RestoreRefusal> {
  const bytes = await store.read(MANIFEST);
  if (bytes === null)
    return refuseRestore('no_backup', 'There is no finished backup here: it has no manifest.json.');
  const doubt = unverified ? null : findDoubt(await store.read(MANIFEST_MAC), bytes, key);
  if (doubt !== null) return refuseRestore('unverified', `${doubt} ${UNVERIFIED}`);
  const manifest = parseManifest(bytes);
  if (manifest === null)
    return refuseRestore(
      'damaged',
      'The manifest of this backup cannot be read. Use another copy.',
    );
  if (date !== undefined && dateOf(manifest.startedAt) !== date)
    return refuseRestore(
      'damaged',
      `The copy stored as ${date} is that of ${dateOf(manifest.startedAt)}. Use another copy.`,
    );
  const columns = new Map<string, Set<string>>();
  const rows: Record<string, number> = {};
  for (const part of manifest.parts) {
    const groups = await readPart(store, part);
    if (groups === null)
      return refuseRestore(
        'damaged',
        `The part ${part.name} is missing or has changed since it was written. Use another copy.`,
      );
    for (const group of groups) {
      rows[group.table] = (rows[group.table] ?? 0) + group.lines.length;
      columns.set(group.table, new Set([...(columns.get(group.table) ?? []), ...group.columns]));
    }
  }
  for (const [table, { rows: expected }] of Object.entries(manifest.tables))
    if ((rows[table] ?? 0) !== expected)
      return refuseRestore('damaged', `The backup lacks rows of ${table}. Use another copy.`);
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

/** The rows of a part; null if it is missing or has changed since it was written. */
export async function readPart(
  store: PartStore,
  { name, sha256: expected }: Manifest['parts'][number],
): Promise<Rows[] | null> {
  const bytes = await store.read(name);
  return bytes === null || sha256(bytes) !== expected ? null : decodePart(bytes);
}
