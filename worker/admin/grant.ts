import { sql, type SQL } from 'drizzle-orm';
import { isDemoted } from '#worker/account/address-standing.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log, users } from '#worker/db/schema.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { roleFacts } from './store.ts';

/** Whether an administrator has taken the role from this account, or from an earlier one with this address. */
export async function isRoleWithheld(db: Db, userId: string, hash: string | null): Promise<boolean> {
  const [row] = await db.all<{ withheld: number }>(sql`select ${isDemoted(hash)} or ${wasDemoted(userId)} as withheld`);
  return row?.withheld === 1;
}

/**
 * Makes an administrator of a user whose address is in ADMIN_EMAILS and proven, and records it, once. False where an
 * administrator has demoted or suspended the person, or the person has deleted the account, in the meantime.
 */
export async function grantByList(
  db: Db,
  { id, email }: { id: string; email: string },
  hash: string | null,
  now: number,
): Promise<boolean> {
  const allowed = sql`exists (select 1 from ${users} where id = ${id} and email = ${email} and role = 'user' and suspended_at is null)
    and not ${isDemoted(hash)} and not ${wasDemoted(id)}`;
  const entry = {
    at: now,
    adminId: 'system',
    action: 'grant_admin',
    subject: `user:${id}`,
    before: roleFacts(id),
    after: { role: 'admin' },
    reason: 'ADMIN_EMAILS lists this address.',
  };
  const [, , row] = await runBatch(db, [
    recordStatement(db, entry, allowed),
    sql`update ${users} set role = 'admin' where id = ${id} and ${allowed}`,
    // Of parallel requests one grants; the others read what it wrote.
    sql`select 1 from ${users} where id = ${id} and role = 'admin'`,
  ]);
  return row !== undefined && row.length > 0;
}

/** True in SQL where the last decision about this account's role was a demotion. It holds after a change of address, too. */
export function wasDemoted(userId: string): SQL {
  return sql`coalesce((select after ->> 'role' = 'user' from ${admin_log}
    where subject = ${`user:${userId}`} and action = 'set_role' order by id desc limit 1), 0)`;
}
