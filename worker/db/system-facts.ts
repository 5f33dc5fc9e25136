import { eq, lt, ne, or, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { Db } from './client.ts';
import { system_facts } from './schema-system.ts';

/** One row of `system_facts`. `at` in ms since 1970. */
export type SystemFact = { name: string; at: number; value: string };

export const LOST = 'lost:';
export const SIZE = 'size:';
export const QUEUE = 'queue:';
export const ALERT = 'alert:';
/** The responses of isolates that saw a 5xx, and how many were 5xx (db/recent-counts.ts). */
export const ERRORS = 'errors';
/** For how many ms the queue's consumers occupied a database (db/recent-counts.ts). */
export const BUSY = 'busy:';
/** How often each job runs (job-runtime/job-intervals.ts). */
export const SCHEDULE = 'schedule';
/** Every completed backup saves this fact. */
export const BACKUP = 'backup';

/**
 * `fails:mail` and `fails:webhook`: a channel whose last attempt failed. `at` is its first failure
 * since its last success, `value` the reason of the last one.
 */
export const FAILS = 'fails:';
export type Channel = 'mail' | 'webhook';

const KEEP_LOST_DAYS = 7;
const KEEP_SIZES_DAYS = 90;

export async function saveFact(db: Db, { name, at, value }: SystemFact): Promise<void> {
  await db
    .insert(system_facts)
    .values({ name, at, value })
    .onConflictDoUpdate({ target: system_facts.name, set: { at, value } });
}

/**
 * Stores whether a channel works. `reason` is null if it does. Writes a row only if that changes.
 * Never throws: the database may be what the alert is about.
 */
export async function recordChannel(
  db: Db,
  channel: Channel,
  reason: string | null,
  now: number,
): Promise<void> {
  const { name, value } = system_facts;
  const fact = FAILS + channel;
  const record =
    reason === null
      ? db.delete(system_facts).where(eq(name, fact))
      : db
          .insert(system_facts)
          .values({ name: fact, at: now, value: reason })
          .onConflictDoUpdate({
            target: name,
            set: { value: reason },
            setWhere: ne(value, reason),
          });
  try {
    await record;
  } catch (error) {
    logEvent('channel_not_recorded', errorFacts(error));
  }
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
