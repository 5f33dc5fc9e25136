import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/**
 * The key that signs copies, derived from AUTH_SECRET. Somebody who can only write to the bucket
 * has neither, so Hop wrote every copy that has a valid MAC.
 */
export type CopyKey = Uint8Array;

/**
 * The purpose of a MAC. It keeps the MAC of a copy in progress from being valid for a finished
 * copy, or for another date.
 */
type Purpose = 'manifest' | `progress:${string}`;

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
