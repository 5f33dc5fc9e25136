import { sql } from 'drizzle-orm';
import { KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { deleteExpiredRows, type Expiry } from '#worker/job-runtime/delete-expired-rows.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { sessionMaxMs } from './service/settings.ts';
import { auth_one_time_tokens, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';

/** The rows that expire. Sessions last `maxMs`. */
const expiriesOf = (maxMs: number): readonly Expiry[] => [
  {
    what: 'mailed links',
    table: auth_one_time_tokens,
    key: sql`rowid`,
    isExpired: (now) => sql`expires_at <= ${now}`,
  },
  {
    what: 'expired sessions',
    table: auth_sessions,
    key: sql`rowid`,
    isExpired: (now) => sql`created_at <= ${now - maxMs}`,
  },
  {
    // An account whose address was never confirmed must not block the owner of the address forever.
    what: 'unconfirmed accounts',
    table: auth_users,
    key: sql`id`,
    isExpired: (now) => sql`email_confirmed_at is null
      and coalesce(confirmation_sent_at, created_at) <= ${now - KEEP_UNCONFIRMED_DAYS * DAY_MS}
      and not exists (select 1 from ${auth_one_time_tokens} t where t.user_id = ${auth_users}.id)`,
  },
];

/** Deletes expired rows of the embedded sign-in, as many per run as the budget allows. */
export function deleteExpiredSignInData(
  env: Pick<Env, 'DB' | 'AUTH_SESSION_MAX_DAYS'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  return deleteExpiredRows(openDb(env.DB), expiriesOf(sessionMaxMs(env)), now, budget);
}
