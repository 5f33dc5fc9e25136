import { DAY_MS } from '#contract/time.ts';
import { KEEP_IDLE_SESSIONS_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { deleteExpiredRows, type Expiry } from '#worker/db/delete-expired-rows.ts';

/** What the embedded sign-in no longer needs. */
const EXPIRIES: readonly Expiry[] = [
  { what: 'mailed links', table: 'auth_one_time_tokens', key: 'rowid', when: 'expires_at <= ?1', limit: (now) => now },
  // A while longer than it works: until then the answer is "expired" rather than "unknown".
  { what: 'codes', table: 'auth_codes', key: 'rowid', when: 'expires_at <= ?1', limit: (now) => now - DAY_MS },
  {
    what: 'idle sessions',
    table: 'auth_sessions',
    key: 'rowid',
    when: 'refreshed_at <= ?1',
    limit: (now) => now - KEEP_IDLE_SESSIONS_DAYS * DAY_MS,
  },
  {
    // Nobody has shown that the address is theirs: whoever squatted on it must not keep its owner out for ever.
    what: 'unconfirmed accounts',
    table: 'auth_users',
    key: 'id',
    when: `email_confirmed_at IS NULL AND coalesce(confirmation_sent_at, created_at) <= ?1
      AND NOT EXISTS (SELECT 1 FROM auth_one_time_tokens t WHERE t.user_id = auth_users.id)`,
    limit: (now) => now - KEEP_UNCONFIRMED_DAYS * DAY_MS,
  },
];

/** Deletes what has ended in the sign-in's tables: as much as is due, a bounded number of rows per run. */
export function deleteExpiredSignInData(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  return deleteExpiredRows(env.DB, EXPIRIES, now);
}
