import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';
import { suspendAccountStatements } from '#worker/auth/accounts/suspend-account.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { address_standing, deleted_users, users } from '#worker/db/schema-users.ts';
import { restoreUsedQuota } from '#worker/users/address-standing.ts';
import { isUserSuspended, userExists } from '#worker/users/user-state.ts';

export type NewUser = { role: 'user' | 'admin'; suspension: { reason: string } | null };

type UserRow = {
  role: 'user' | 'admin';
  suspended_at: number | null;
  suspended_reason: string | null;
};

/**
 * Inserts the user of a first verified request and applies what is stored about the address: a
 * suspended address makes a suspended account, and the quota used in the running cycle stays used.
 * All of this is one atomic batch, so parallel first requests read the same row. Returns null if
 * the account has been deleted.
 */
export async function recordFirstRequest(
  db: Db,
  { id, email }: { id: string; email: string },
  hash: string | null,
  now: number,
): Promise<NewUser | null> {
  const { user } = await runNamedBatch(db, {
    insert: sql`insert into ${users} (id, email, role, created_at, last_seen_at, suspended_at, suspended_reason)
      select ${id}, ${email}, 'user', ${now}, ${now}, standing.suspended_at, standing.suspended_reason
      from (select 1) left join ${address_standing} as standing on standing.address_hash = ${hash}
      where not exists (select 1 from ${deleted_users} where id_hash = ${hashUserId(id)}) on conflict do nothing`,
    suspend: suspendAccountStatements(id, isUserSuspended(id)),
    restoreQuota: restoreUsedQuota(hash, id, PLANS.free.monthlyLimit, now, userExists(id)),
    user: sql<UserRow>`select role, suspended_at, suspended_reason from ${users} where id = ${id}`,
  });
  const [row] = user.rows;
  if (row === undefined) return null;
  return {
    role: row.role,
    suspension: row.suspended_at === null ? null : { reason: row.suspended_reason ?? '' },
  };
}
