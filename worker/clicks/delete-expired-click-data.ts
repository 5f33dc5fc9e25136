import { sql } from 'drizzle-orm';
import { KEEP_WINDOW_IDS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteExpiredRows, type Expiry } from '#worker/db/delete-expired-rows.ts';
import type { JobBudget, JobResult } from '#worker/db/job-budget.ts';
import { click_faults, click_visitors, click_windows } from '#worker/db/schema-clicks.ts';
import { idempotent_requests } from '#worker/db/schema-api.ts';
import { counters, link_claims } from '#worker/db/schema.ts';
import { windowKeyPrefix } from './aggregate-window.ts';
import { dayNumber } from './periods.ts';

const KEEP_FAULTS_DAYS = 30;

/** Every condition searches an index, or the first column of the primary key. */
const EXPIRIES: readonly Expiry[] = [
  // A queue keeps a message for days, not weeks: no window is delivered again after that.
  {
    what: 'windows',
    table: click_windows,
    key: sql`id`,
    isExpired: (now) => sql`id < ${windowKeyPrefix(now - KEEP_WINDOW_IDS_DAYS * DAY_MS)}`,
  },
  // Today and yesterday are kept, so a visitor id is deleted 24 to 48 hours after its click (docs/decisions.md#d20).
  {
    what: 'visitors',
    table: click_visitors,
    key: sql`day, link_id, visitor`,
    isExpired: (now) => sql`day < ${dayNumber(now) - 1}`,
  },
  // Counters of every feature that limits something by day.
  { what: 'counters', table: counters, key: sql`key`, isExpired: (now) => sql`expires_at <= ${now}` },
  { what: 'claims', table: link_claims, key: sql`link_id`, isExpired: (now) => sql`expires_at <= ${now}` },
  { what: 'requests', table: idempotent_requests, key: sql`user_id, key`, isExpired: (now) => sql`expires_at <= ${now}` },
  { what: 'faults', table: click_faults, key: sql`id`, isExpired: (now) => sql`at < ${now - KEEP_FAULTS_DAYS * DAY_MS}` },
];

/** Deletes ids of counted windows, visitor ids, counters, claims, idempotent requests and faults that have expired, as much per run as the budget allows. */
export function deleteExpiredClickData(env: Pick<Env, 'DB'>, now: number, budget?: JobBudget): Promise<JobResult> {
  return deleteExpiredRows(openDb(env.DB), EXPIRIES, now, budget);
}
