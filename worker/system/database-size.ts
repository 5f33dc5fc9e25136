import { DAY_MS } from '#contract/time.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { sql } from 'drizzle-orm';
import { expireSetAside } from '#worker/clicks/queue/set-aside.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteOldFacts, saveFact, SIZE } from '#worker/db/system-facts.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';

/** The size of the database on a UTC day, which is counted in days since 1970. */
export type SizeOnDay = { day: number; bytes: number };

/** A shorter history does not show the growth. */
const DAYS_MIN = 7;
/** A longer history does not show the present growth. */
const DAYS_MAX = 30;

/**
 * The number of days until a database reaches its limit, if it grows as in its last 30 recorded
 * days. Null if it does not grow, or if too few days are known.
 */
export function daysUntilFull(
  sizes: readonly SizeOnDay[],
  bytes: number,
  limitBytes: number,
): number | null {
  const sorted = sizes.toSorted((a, b) => a.day - b.day);
  const last = sorted.at(-1);
  const first = sorted.find(({ day }) => last !== undefined && day >= last.day - DAYS_MAX);
  if (first === undefined || last === undefined || last.day - first.day < DAYS_MIN) return null;
  const perDay = (last.bytes - first.bytes) / (last.day - first.day);
  return perDay <= 0 ? null : Math.max(0, Math.floor((limitBytes - bytes) / perDay));
}

/** The time at which the database is full at its present growth, in ms; null if not foreseeable. */
export function fullAt(
  { bytes, sizes }: { bytes: number; sizes: readonly SizeOnDay[] },
  limitBytes: number,
  now: number,
): number | null {
  const days = daysUntilFull(sizes, bytes, limitBytes);
  return days === null ? null : now + days * DAY_MS;
}

/**
 * Stores the size of the database once a day, to compute its growth, and deletes facts that the
 * system page no longer shows.
 */
export async function recordSize(env: Pick<Env, 'DB'>, now: number): Promise<JobResult> {
  const db = openDb(env.DB);
  const { meta } = await db.run(sql`select 1`);
  await saveFact(db, { name: `${SIZE}${dayNumber(now)}`, at: now, value: String(meta.size_after) });
  await deleteOldFacts(db, now);
  const lost = await expireSetAside(db, now);
  return { done: { bytes: meta.size_after, clicks_lost: lost } };
}
