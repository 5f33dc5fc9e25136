import { sql } from 'drizzle-orm';
import { KEEP_NOTICED_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { deleteExpiredRows, type Expiry } from '#worker/job-runtime/delete-expired-rows.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { allowsPasswords } from '#worker/redirect/sign-in-settings.ts';
import { sessionMaxMs } from './service/settings.ts';
import {
  auth_factor_resets,
  auth_flows,
  auth_identities,
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_passkey_challenges,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';

/** The rows that expire. Sessions last `maxMs`. */
const expiriesOf = (maxMs: number): readonly Expiry[] => [
  {
    table: auth_one_time_tokens,
  },
  {
    table: auth_sessions,
    isExpired: (now) =>
      sql`created_at <= ${now - maxMs} or not_after <= ${now} - iif(notice_hash is null, 0, ${KEEP_NOTICED_DAYS * DAY_MS})`,
  },
  {
    table: auth_pending_sign_ins,
  },
  {
    table: auth_factor_resets,
  },
  {
    table: auth_flows,
  },
  {
    table: auth_passkey_challenges,
  },
  {
    // An account whose address was never confirmed must not block the owner of the address forever.
    table: auth_users,
    key: sql`id`,
    isExpired: (now) => sql`email_confirmed_at is null
      and coalesce(confirmation_sent_at, created_at) <= ${now - KEEP_UNCONFIRMED_DAYS * DAY_MS}
      and not exists (select 1 from ${auth_one_time_tokens} t where t.user_id = ${auth_users}.id)`,
  },
];

/** Deletes expired rows of the embedded sign-in, as many per run as the budget allows. */
export async function deleteExpiredSignInData(
  env: Pick<Env, 'DB' | 'AUTH_SESSION_MAX_DAYS' | 'PASSWORD_SIGN_IN' | 'OIDC_ISSUER'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openDb(env.DB);
  if (!allowsPasswords(env)) await deletePasswords(db, env.OIDC_ISSUER.trim());
  return deleteExpiredRows(db, expiriesOf(sessionMaxMs(env)), now, budget);
}

/**
 * Ends passwords, mailed links, and the sessions that began with one. The provider and passkeys stay.
 * Waits until somebody has signed in at the provider, so that a wrong setting locks nobody out.
 */
async function deletePasswords(db: Db, issuer: string): Promise<void> {
  const isProven = sql`exists (select 1 from ${auth_identities} where issuer = ${issuer})`;
  await runBatch(db, [
    sql`update ${auth_users} set password_hash = null where password_hash is not null and ${isProven}`,
    sql`delete from ${auth_one_time_tokens} where ${isProven}`,
    sql`delete from ${auth_pending_sign_ins} where ${isProven}`,
    sql`delete from ${auth_sessions} where ifnull(amr ->> '$[0].method', '') not in ('oauth', 'webauthn') and ${isProven}`,
  ]);
}
