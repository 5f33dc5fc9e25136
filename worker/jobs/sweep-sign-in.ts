import { KEEP_IDLE_SESSIONS_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';

const DAY = 86_400_000;
const ROWS_PER_RUN = 1_000;

type Sweep = { what: string; sql: string; before: (now: number) => number };

/** What the embedded sign-in no longer needs. Each deletes a bounded number of rows; the rest comes next time. */
const SWEEPS: readonly Sweep[] = [
  {
    what: 'mailed links',
    sql: 'DELETE FROM auth_one_time_tokens WHERE rowid IN (SELECT rowid FROM auth_one_time_tokens WHERE expires_at <= ?1 LIMIT ?2)',
    before: (now) => now,
  },
  {
    what: 'codes',
    sql: 'DELETE FROM auth_codes WHERE rowid IN (SELECT rowid FROM auth_codes WHERE expires_at <= ?1 LIMIT ?2)',
    // A while longer than it works: until then the answer is "expired" rather than "unknown".
    before: (now) => now - DAY,
  },
  {
    what: 'idle sessions',
    sql: 'DELETE FROM auth_sessions WHERE rowid IN (SELECT rowid FROM auth_sessions WHERE refreshed_at <= ?1 LIMIT ?2)',
    before: (now) => now - KEEP_IDLE_SESSIONS_DAYS * DAY,
  },
  {
    // Nobody has shown that the address is theirs: whoever squatted on it must not keep its owner out for ever.
    what: 'unconfirmed accounts',
    sql: `DELETE FROM auth_users WHERE rowid IN (
      SELECT a.rowid FROM auth_users a
      WHERE a.email_confirmed_at IS NULL AND coalesce(a.confirmation_sent_at, a.created_at) <= ?1
        AND NOT EXISTS (SELECT 1 FROM auth_one_time_tokens t WHERE t.user_id = a.id)
      LIMIT ?2)`,
    before: (now) => now - KEEP_UNCONFIRMED_DAYS * DAY,
  },
];

/** Deletes what has ended in the sign-in's tables. */
export async function sweepSignIn(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const done: string[] = [];
  for (const { what, sql, before } of SWEEPS) {
    const { meta } = await env.DB.prepare(sql).bind(before(now), ROWS_PER_RUN).run();
    if (meta.changes > 0) done.push(`${meta.changes} ${what}`);
  }
  return done.join(', ') || 'nothing ended';
}
