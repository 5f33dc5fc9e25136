import { eq, sql, type SQL } from 'drizzle-orm';
import { KEEP_REPORT_CURRENT_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { weekly_mails } from '#worker/db/schema-accounts.ts';
import { users } from '#worker/db/schema-users.ts';

const firstReadInUse = (now: number): number => now - KEEP_REPORT_CURRENT_DAYS * DAY_MS;

/**
 * True in SQL for an account whose report is kept up to date: it was read lately, or is mailed once
 * a week.
 */
export const isReportUsed = (userId: SQL, now: number): SQL => sql`(
  exists (select 1 from ${users} u where u.id = ${userId} and u.report_read_at > ${firstReadInUse(now)})
  or exists (select 1 from ${weekly_mails} w where w.user_id = ${userId}))`;

/**
 * The accounts whose report is kept up to date, some of them twice: for UNION, SQLite would read
 * all users in order.
 */
export const selectReportsInUse = (now: number): SQL<{ user_id: string }> =>
  sql`select id as user_id from ${users} where report_read_at > ${firstReadInUse(now)} union all select user_id from ${weekly_mails}`;

/**
 * Notes that an account's report is read, at most once a day. Returns since when it is in use, in
 * ms: `now` if it was not kept up to date until this moment.
 */
export async function noteReportRead(db: Db, userId: string, now: number): Promise<number> {
  const user = await db
    .select({ readAt: users.report_read_at, since: users.report_used_since })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  const readAt = user?.readAt ?? 0;
  const since = readAt > firstReadInUse(now) ? (user?.since ?? now) : now;
  if (readAt <= now - DAY_MS)
    await db
      .update(users)
      .set({ report_read_at: now, report_used_since: since })
      .where(eq(users.id, userId));
  return since;
}
