import { eq, sql, type SQL } from 'drizzle-orm';
import { KEEP_REPORT_CURRENT_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { weekly_mails } from '#worker/db/schema-accounts.ts';
import { users } from '#worker/db/schema-users.ts';

const oldestReadInUse = (now: number): number => now - KEEP_REPORT_CURRENT_DAYS * DAY_MS;

/**
 * True in SQL for an account whose report is kept up to date, because it was read lately or is
 * mailed every week.
 */
export const isReportUsed = (userId: SQL, now: number): SQL => sql`(
  exists (select 1 from ${users} u where u.id = ${userId} and u.report_read_at > ${oldestReadInUse(now)})
  or exists (select 1 from ${weekly_mails} w where w.user_id = ${userId}))`;

/**
 * Selects the accounts whose report is kept up to date. An account can appear twice, because with
 * UNION instead of UNION ALL SQLite would read all users in order.
 */
export const selectReportsInUse = (now: number): SQL<{ user_id: string }> =>
  sql`select id as user_id from ${users} where report_read_at > ${oldestReadInUse(now)} union all select user_id from ${weekly_mails}`;

/**
 * Records that an account's report was read, at most once a day. Returns the time in ms since which
 * the report has been kept up to date, which is `now` if this call starts it.
 */
export async function recordReportRead(db: Db, userId: string, now: number): Promise<number> {
  const user = await db
    .select({ readAt: users.report_read_at, since: users.report_used_since })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  const readAt = user?.readAt ?? 0;
  const since = readAt > oldestReadInUse(now) ? (user?.since ?? now) : now;
  if (readAt <= now - DAY_MS)
    await db
      .update(users)
      .set({ report_read_at: now, report_used_since: since })
      .where(eq(users.id, userId));
  return since;
}
