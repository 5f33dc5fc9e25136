import { DAY_MS } from '#contract/time.ts';
import { KEEP_IDLE_SESSIONS_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { deleteEnded, type Expiry } from '#worker/db/delete-expired.ts';

/** Rows of the embedded sign-in service that have expired. */
const EXPIRIES: readonly Expiry[] = [
  { what: 'mailed links', table: 'auth_one_time_tokens', key: 'rowid', when: 'expires_at <= ?1', limit: (now) => now },
  // Kept for a day after they stop working: until then the answer is "expired" rather than "unknown".
  { what: 'codes', table: 'auth_codes', key: 'rowid', when: 'expires_at <= ?1', limit: (now) => now - DAY_MS },
  {
    what: 'idle sessions',
    table: 'auth_sessions',
    key: 'rowid',
    when: 'refreshed_at <= ?1',
    limit: (now) => now - KEEP_IDLE_SESSIONS_DAYS * DAY_MS,
  },
  {
    // Nobody has proven that the address is theirs. Deleting the account frees the address for its owner.
    what: 'unconfirmed accounts',
    table: 'auth_users',
    key: 'id',
    when: `email_confirmed_at IS NULL AND coalesce(confirmation_sent_at, created_at) <= ?1
      AND NOT EXISTS (SELECT 1 FROM auth_one_time_tokens t WHERE t.user_id = auth_users.id)`,
    limit: (now) => now - KEEP_UNCONFIRMED_DAYS * DAY_MS,
  },
];

/** Deletes expired rows from the sign-in service's tables, a bounded number per run. Returns what it deleted. */
export function sweepSignIn(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  return deleteEnded(env.DB, EXPIRIES, now);
}
