import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/**
 * A backup is a list of named parts and `manifest.json`, which is written last: a copy without a
 * manifest is unfinished. They are objects of a bucket, or files of a tar archive. A part is
 * gzipped lines of JSON: `{"table":…,"columns":[…]}` starts the rows of a table, and each row is an
 * array of the values of these columns.
 */
export type PartStore = {
  read: (name: string) => Promise<Uint8Array | null>;
  write: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Another copy in the same bucket; an archive has only one. */
  ofDate?: (date: string) => PartStore;
};

export const MANIFEST = 'manifest.json';
/**
 * The MAC of the manifest. It covers the whole copy, because the manifest contains checksums. It is
 * written before the manifest; older copies do not have it.
 */
export const MANIFEST_MAC = 'manifest.mac';
/**
 * The date of a differential copy's base, so that nobody needs to read manifests to know which
 * copies must be kept. Full copies do not have it.
 */
export const BASE_DATE = 'base';

const count = z.int().check(z.nonnegative());
/** The full copy that a differential one adds to, and the SHA-256 of its manifest. */
const baseSchema = z.object({ date: z.string(), startedAt: count, sha256: z.string() });
export type Base = z.infer<typeof baseSchema>;

/** Releases that know only full copies refuse the format of a differential one. */
const FULL = 1;
const DIFFERENTIAL = 2;
export const manifestSchema = z.object({
  format: z.literal([FULL, DIFFERENTIAL]),
  /** Only of a differential copy. */
  base: z.optional(baseSchema),
  /** The last migration of the copied database. */
  schema: z.string().check(z.regex(/^\d{4}_\w+\.sql$/)),
  /**
   * In ms. The copy contains at least the data stored at `startedAt`, and none that is newer than
   * `finishedAt`.
   */
  startedAt: count,
  finishedAt: count,
  /** The highest id that each table with generated ids has assigned. */
  sequences: z.record(z.string(), count),
  tables: z.record(z.string(), z.object({ rows: count })),
  parts: z.array(z.object({ name: z.string(), bytes: count, sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const newManifest = (schema: string, startedAt: number, base?: Base): Manifest => ({
  format: base === undefined ? FULL : DIFFERENTIAL,
  ...(base !== undefined && { base }),
  schema,
  startedAt,
  finishedAt: 0,
  sequences: {},
  tables: {},
  parts: [],
});

const text = new TextDecoder();
export const encodeJson = (value: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(value));
export const decodeJson = (bytes: Uint8Array): unknown => JSON.parse(text.decode(bytes));

/** Null if the text is not a manifest, or has another format. */
export function parseManifest(bytes: Uint8Array): Manifest | null {
  try {
    return manifestSchema.safeParse(decodeJson(bytes)).data ?? null;
  } catch {
    return null;
  }
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Rows of a table. `lines` are JSON arrays. */
export type Rows = { table: string; columns: string[]; lines: string[] };

export function encodePart(groups: readonly Rows[]): Uint8Array {
  const lines = groups.flatMap(({ table, columns, lines: rows }) => [
    JSON.stringify({ table, columns }),
    ...rows,
  ]);
  return gzipSync(`${lines.join('\n')}\n`);
}

const headerSchema = z.object({ table: z.string(), columns: z.array(z.string()) });

/** The rows of a part, unparsed, because the database parses them. */
export function decodePart(bytes: Uint8Array): Rows[] {
  const groups: Rows[] = [];
  for (const line of text.decode(gunzipSync(bytes)).split('\n')) {
    if (line.startsWith('{')) groups.push({ ...headerSchema.parse(JSON.parse(line)), lines: [] });
    else if (line !== '') groups.at(-1)?.lines.push(line);
  }
  return groups;
}

/**
 * The key that signs copies, derived from AUTH_SECRET. Somebody who can only write to the bucket
 * has neither, so Hop wrote every copy that has a valid MAC.
 */
export type CopyKey = Uint8Array;

/**
 * The purpose of a MAC. It keeps the MAC of a copy in progress from being valid for a finished
 * copy, or for another date.
 */
type Purpose = 'manifest' | 'deleted-accounts' | `progress:${string}`;

/**
 * The restore commands read the key from this fact, because the platform never shows a secret. No
 * copy contains the table, and a restore does not touch it.
 */
const FACT = 'backup:key';

export const copyKeyOf = (authSecret: string): CopyKey => deriveKey(authSecret, 'backup');

export const macOf = (key: CopyKey, purpose: Purpose, bytes: Uint8Array): string =>
  createHmac('sha256', key).update(`${purpose}\n`).update(bytes).digest('hex');

export function isMacOf(mac: string, key: CopyKey, purpose: Purpose, bytes: Uint8Array): boolean {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, purpose, bytes))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const signed = z.object({ mac: z.string(), json: z.string() });
const bytesOf = (json: string): Uint8Array => new TextEncoder().encode(json);

/**
 * A value with its MAC, for objects that the Worker reads again: otherwise it would act on what
 * somebody else wrote to the bucket. Without a key the MAC is empty.
 */
export function encodeSigned(value: unknown, key: CopyKey | null, purpose: Purpose): Uint8Array {
  const json = JSON.stringify(value);
  return encodeJson({ mac: key === null ? '' : macOf(key, purpose, bytesOf(json)), json });
}

/** Null if the holder of `key` did not write it. Without a key nothing is checked. */
export function decodeSigned<T>(
  bytes: Uint8Array,
  key: CopyKey | null,
  purpose: Purpose,
  schema: z.ZodMiniType<T>,
): T | null {
  try {
    const { mac, json } = signed.parse(decodeJson(bytes));
    if (key !== null && !isMacOf(mac, key, purpose, bytesOf(json))) return null;
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Stores the key for the commands if it is missing or derived from another AUTH_SECRET. */
export async function storeCopyKey(db: Db, key: CopyKey, now: number): Promise<void> {
  const value = Buffer.from(key).toString('hex');
  if ((await readFact(db)) !== value) await saveFact(db, { name: FACT, at: now, value });
}

/**
 * The key that the Worker has stored. Null if it has not run yet, or if the database does not have
 * the table.
 */
export async function readStoredCopyKey(db: Db): Promise<CopyKey | null> {
  const hasTable = await db.$client
    .prepare("SELECT 1 FROM sqlite_master WHERE name = 'system_facts'")
    .first();
  const value = hasTable === null ? undefined : await readFact(db);
  return value === undefined ? null : Buffer.from(value, 'hex');
}

const readFact = async (db: Db): Promise<string | undefined> =>
  (
    await db
      .select({ value: system_facts.value })
      .from(system_facts)
      .where(eq(system_facts.name, FACT))
      .get()
  )?.value;
