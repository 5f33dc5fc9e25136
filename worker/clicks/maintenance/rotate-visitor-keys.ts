import { dayNumber } from '#contract/reports/periods.ts';
import { eq, lte } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { visitor_keys } from '#worker/db/schema-clicks.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import {
  ensureDailyKey,
  generateDailyKey,
  dailyKeyExpiry,
  dailyKeyName,
} from '#worker/redirect/daily-key.ts';

/**
 * Creates today's and tomorrow's visitor keys in D1 and KV before they are needed, and destroys
 * keys in both once their 48 hours are over. Without its key, a visitor id can no longer be traced
 * to an address (docs/decisions.md#d20).
 */
export async function rotateVisitorKeys(
  env: Pick<Env, 'DB' | 'LINKS'>,
  now: number,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const today = dayNumber(now);
  for (const day of [today, today + 1]) await ensureDailyKey(env, day, generateDailyKey());
  const expired = await db
    .select({ day: visitor_keys.day })
    .from(visitor_keys)
    .where(lte(visitor_keys.day, newestExpiredDay(now)));
  for (const { day } of expired) {
    // KV first: if it fails, the row in D1 makes the next run try again.
    await env.LINKS.delete(dailyKeyName(day));
    await db.delete(visitor_keys).where(eq(visitor_keys.day, day));
  }
  return { done: { visitor_keys_destroyed: expired.length } };
}

function newestExpiredDay(now: number): number {
  let day = dayNumber(now);
  while (dailyKeyExpiry(day) > now) day--;
  return day;
}
