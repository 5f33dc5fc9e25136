import { sql } from 'drizzle-orm';
import {
  KEEP_WEBHOOK_DELIVERIES_DAYS,
  KEEP_WINDOW_IDS_DAYS,
  WEBHOOK_DELIVERIES_MAX,
} from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { NO_ADDRESS } from '#worker/events/webhook-json.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteExpiredRows, type Expiry } from '#worker/job-runtime/delete-expired-rows.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import {
  webhook_click_windows,
  webhook_deliveries,
  webhook_endpoints,
} from '#worker/db/schema-api.ts';

const EXPIRIES: readonly Expiry[] = [
  {
    table: webhook_deliveries,
    key: sql`id`,
    isExpired: (now) =>
      sql`created_at < ${now - KEEP_WEBHOOK_DELIVERIES_DAYS * DAY_MS} and due_at is null`,
  },
  {
    table: webhook_deliveries,
    key: sql`id`,
    isExpired:
      () => sql`id in (select d.id from ${webhook_endpoints} as e cross join ${webhook_deliveries} as d
      on d.endpoint_id = e.id and d.due_at is null and d.id <= (
        select id from ${webhook_deliveries} where endpoint_id = e.id order by id desc limit 1 offset ${WEBHOOK_DELIVERIES_MAX}))`,
  },
  {
    table: webhook_endpoints,
    key: sql`id`,
    isExpired: (now) =>
      sql`url = ${NO_ADDRESS} and max(created_at, coalesce(answered_at, 0)) < ${now - HOUR_MS}`,
  },
  // A change of a link can add such a delivery while its endpoint is being deleted.
  {
    table: webhook_deliveries,
    key: sql`id`,
    isExpired: () => sql`endpoint_id not in (select id from ${webhook_endpoints})`,
  },
  {
    table: webhook_click_windows,
    key: sql`id`,
    isExpired: (now) => sql`seen_at < ${now - KEEP_WINDOW_IDS_DAYS * DAY_MS}`,
  },
];

/**
 * Deletes deliveries that are too old or too many for the log of their endpoint, but none that
 * waits for an attempt.
 */
export function deleteOldDeliveries(
  env: Pick<Env, 'DB'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  return deleteExpiredRows(openDb(env.DB), EXPIRIES, now, budget);
}
