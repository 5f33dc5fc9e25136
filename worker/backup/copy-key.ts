import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/**
 * The key under which copies are signed, derived from AUTH_SECRET. Somebody who can only write to
 * the bucket has neither of them, so a copy with a valid MAC is as Hop wrote it.
 */
export type CopyKey = Uint8Array;

/**
 * What a MAC is for, so that one of a copy in progress does not sign a finished one, nor that of
 * another date.
 */
type Purpose = 'manifest' | `progress:${string}`;

/**
 * The commands read the key here, because the platform shows a secret to nobody. A restore leaves
 * the table as it is, and no copy contains it.
 */
const FACT = 'backup:key';

export const copyKeyOf = (authSecret: string): CopyKey => deriveKey(authSecret, 'backup');

export const macOf = (key: CopyKey, purpose: Purpose, bytes: Uint8Array): string =>
  createHmac('sha256', key).update(`${purpose}\n`).update(bytes).digest('hex');

export function isMacOf(mac: string, key: CopyKey, purpose: Purpose, bytes: Uint8Array): boolean {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(key, purpose, bytes))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Stores the key for the commands, where it is missing or of another AUTH_SECRET. */
export async function storeCopyKey(db: Db, key: CopyKey, now: number): Promise<void> {
  const value = Buffer.from(key).toString('hex');
  if ((await readFact(db)) !== value) await saveFact(db, { name: FACT, at: now, value });
}

/**
 * The key that the Worker has stored. Null if it has not run yet, and in a database without the
 * table.
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
