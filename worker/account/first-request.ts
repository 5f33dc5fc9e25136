import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/site.ts';
import { hashUserId } from '#worker/auth/accounts/delete-account.ts';
import { suspendAccountStatements } from '#worker/auth/accounts/suspend-account.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { address_standing, deleted_users, users } from '#worker/db/schema.ts';
import { moveQuotaTo } from './address-standing.ts';
import { isSuspended } from './user-state.ts';

export type NewUser = { role: 'user' | 'admin'; suspension: { reason: string } | null };

/**
 * Makes the row of a person at their first verified request, with what is remembered about their address: a suspended
 * address makes a suspended account, and the quota used in the running cycle stays used. One atomic batch; of parallel
 * first requests one inserts, all read. Null where the account was deleted meanwhile.
 */
export async function recordFirstRequest(
  db: Db,
  person: { id: string; email: string },
  hash: string | null,
  now: number,
): Promise<NewUser | null> {
  const { id, email } = person;
  const known = sql`exists (select 1 from ${users} where id = ${id})`;
  const results = await runBatch(db, [
    sql`insert into ${users} (id, email, role, created_at, last_seen_at, suspended_at, suspended_reason)
      select ${id}, ${email}, 'user', ${now}, ${now}, standing.suspended_at, standing.suspended_reason
      from (select 1) left join ${address_standing} as standing on standing.address_hash = ${hash}
      where not exists (select 1 from ${deleted_users} where id_hash = ${hashUserId(id)}) on conflict do nothing`,
    ...suspendAccountStatements(id, isSuspended(id)),
    ...moveQuotaTo(hash, id, PLANS.free.monthlyLimit, now, known),
    sql`select role, suspended_at, suspended_reason from ${users} where id = ${id}`,
  ]);
  const row = results.at(-1)?.[0];
  if (row === undefined) return null;
  const reason = row['suspended_reason'];
  return {
    role: row['role'] === 'admin' ? 'admin' : 'user',
    suspension: row['suspended_at'] === null ? null : { reason: typeof reason === 'string' ? reason : '' },
  };
}
