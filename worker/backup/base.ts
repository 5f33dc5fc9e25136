import { eq } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import {
  isMacOf,
  MANIFEST,
  MANIFEST_MAC,
  parseManifest,
  sha256,
  type Base,
  type CopyKey,
  type Manifest,
  type PartStore,
} from './backup-format.ts';
import { readSchemaVersion } from './backup-tables.ts';

/**
 * The database knows its last full copy, because only then its state follows from that copy: after
 * the platform has put the database back, it names an earlier one.
 */
const FACT = 'backup:base';
const FULL_EVERY_DAYS = 7;

export const saveBase = (db: Db, date: string, { startedAt }: Manifest): Promise<void> =>
  saveFact(db, { name: FACT, at: startedAt, value: date });

/** The next copy is then a full one. */
export const forgetBase = (db: Db) => db.delete(system_facts).where(eq(system_facts.name, FACT));

/**
 * The full copy that the copy of `date` can add to. Undefined if it is a week old, or of another
 * schema, or if it is not in the bucket as this Worker has written it.
 */
export async function findBase(
  db: Db,
  store: PartStore,
  key: CopyKey | null,
  date: string,
): Promise<Base | undefined> {
  const fact = await db.select().from(system_facts).where(eq(system_facts.name, FACT)).get();
  if (fact === undefined) return undefined;
  const isRecent = Date.parse(date) - Date.parse(fact.value) < FULL_EVERY_DAYS * DAY_MS;
  const full = isRecent ? store.ofDate?.(fact.value) : undefined;
  const bytes = (await full?.read(MANIFEST)) ?? null;
  const manifest = bytes === null ? null : parseManifest(bytes);
  if (bytes === null || manifest === null || manifest.startedAt !== fact.at) return undefined;
  if (manifest.schema !== (await readSchemaVersion(db))) return undefined;
  const mac = new TextDecoder().decode((await full?.read(MANIFEST_MAC)) ?? new Uint8Array());
  if (key !== null && !isMacOf(mac, key, 'manifest', bytes)) return undefined;
  return { date: fact.value, startedAt: fact.at, sha256: sha256(bytes) };
}
