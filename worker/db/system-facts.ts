import { lt, or, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { Db } from './client.ts';
import { system_facts } from './schema-system.ts';

/** One row of `system_facts`. `at` in ms since 1970. */
export type SystemFact = { name: string; at: number; value: string };

export const LOST = 'lost:';
export const SIZE = 'size:';
export const QUEUE = 'queue:';
export const ALERT = 'alert:';
/** Every completed backup saves this fact. */
export const BACKUP = 'backup';

const KEEP_LOST_DAYS = 7;
const KEEP_SIZES_DAYS = 90;

export async function saveFact(db: Db, { name, at, value }: SystemFact): Promise<void> {
  await db
    .insert(system_facts)
    .values({ name, at, value })
    .onConflictDoUpdate({ target: system_facts.name, set: { at, value } });
}

/** The statement that adds lost clicks to their hour. `at` is the latest loss of the hour. */
export function addLostClicks(db: Db, clicks: number, now: number) {
  return db
    .insert(system_facts)
    .values({ name: `${LOST}${Math.floor(now / HOUR_MS)}`, at: now, value: String(clicks) })
    .onConflictDoUpdate({
      target: system_facts.name,
      set: {
        at: now,
        value: sql`cast(cast(${system_facts.value} as integer) + ${clicks} as text)`,
      },
    });
}

export const deleteOldFacts = (db: Db, now: number) =>
  db
    .delete(system_facts)
    .where(
      or(
        sql`${system_facts.name} like ${`${LOST}%`} and ${lt(system_facts.at, now - KEEP_LOST_DAYS * DAY_MS)}`,
        sql`${system_facts.name} like ${`${SIZE}%`} and ${lt(system_facts.at, now - KEEP_SIZES_DAYS * DAY_MS)}`,
      ),
    );
