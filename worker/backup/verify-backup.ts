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
import {
  refuseRestore,
  type RestoreProblem,
  type RestoreRefusal,
} from '#worker/messages/backup.ts';

export type VerifyOptions = {
  /** The key that must have signed the copy; null if the command does not know it. */
  key: CopyKey | null;
  /** Restores the copy even if nothing shows that Hop has written it. */
  unverified: boolean;
  /** The date under which the copy is stored; undefined for a file. */
  date?: string;
};

export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** A copy that can be restored. `base` is the full copy that a differential one adds to. */
export type Verified = {
  manifest: Manifest;
  columns: Columns;
  base: { store: PartStore; manifest: Manifest } | null;
};

/**
 * The manifest and the columns, once every part has been read and matches its checksum. The same
 * holds for the base of a differential copy, whose manifest has the checksum of the base's.
 */
export async function verifyBackup(
  store: PartStore,
  { key, unverified, date }: VerifyOptions,
): Promise<Verified | RestoreRefusal> {
  const bytes = await store.read(MANIFEST);
  if (bytes === null) return refuseRestore('no_manifest');
  const doubt = unverified ? null : findDoubt(await store.read(MANIFEST_MAC), bytes, key);
  if (doubt !== null) return refuseRestore(doubt);
  const manifest = parseManifest(bytes);
  if (manifest === null) return refuseRestore('unreadable_manifest');
  const found = dateOf(manifest.startedAt);
  if (date !== undefined && found !== date)
    return refuseRestore('other_date', { name: date, found });
  const columns = await verifyParts(store, manifest);
  if ('ok' in columns || manifest.base === undefined)
    return 'ok' in columns ? columns : { manifest, columns, base: null };
  const base = store.ofDate?.(manifest.base.date);
  const baseBytes = (await base?.read(MANIFEST)) ?? null;
  if (base === undefined || baseBytes === null || sha256(baseBytes) !== manifest.base.sha256)
    return refuseRestore('missing_base', { name: manifest.base.date });
  const baseManifest = parseManifest(baseBytes);
  if (baseManifest === null) return refuseRestore('unreadable_manifest');
  const baseColumns = await verifyParts(base, baseManifest);
  if ('ok' in baseColumns) return baseColumns;
  return { manifest, columns, base: { store: base, manifest: baseManifest } };
}

async function verifyParts(
  store: PartStore,
  manifest: Manifest,
): Promise<Columns | RestoreRefusal> {
  const columns = new Map<string, Set<string>>();
  const rows: Record<string, number> = {};
  for (const part of manifest.parts) {
    const groups = await readPart(store, part);
    if (groups === null) return refuseRestore('changed_part', { name: part.name });
    for (const group of groups) {
      rows[group.table] = (rows[group.table] ?? 0) + group.lines.length;
      columns.set(group.table, new Set([...(columns.get(group.table) ?? []), ...group.columns]));
    }
  }
  for (const [table, { rows: expected }] of Object.entries(manifest.tables))
    if ((rows[table] ?? 0) !== expected) return refuseRestore('missing_rows', { name: table });
  return columns;
}

/** Why this installation may not have written the copy; null if its MAC proves that it has. */
function findDoubt(
  mac: Uint8Array | null,
  manifest: Uint8Array,
  key: CopyKey | null,
): RestoreProblem | null {
  if (mac === null) return 'not_signed';
  if (key === null) return 'no_key';
  return isMacOf(new TextDecoder().decode(mac), key, 'manifest', manifest)
    ? null
    : 'other_signature';
}

/** The rows of a part; null if it is missing or has changed since it was written. */
export async function readPart(
  store: PartStore,
  { name, sha256: expected }: Manifest['parts'][number],
): Promise<Rows[] | null> {
  const bytes = await store.read(name);
  return bytes === null || sha256(bytes) !== expected ? null : decodePart(bytes);
}
