import { sql } from 'drizzle-orm';
import { isAddressDemoted, wasDemoted } from '#worker/users/address-standing.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { roleFacts } from './store.ts';
import { ROLE_REASONS } from '#worker/messages/features.ts';

/**
 * True if an administrator has removed the admin role from this account or from an earlier account
 * with this address.
 */
export async function isAdminWithheld(
  db: Db,
  userId: string,
  hash: string | null,
): Promise<boolean> {
  const row = await db.get<{ withheld: number }>(
    sql`select ${isAddressDemoted(hash)} or ${wasDemoted(userId)} as withheld`,
  );
  return row.withheld === 1;
}

/**
 * Makes a user an administrator whose email is in ADMIN_EMAILS and confirmed, or who is in the
 * provider's group, and records it once. Returns false if the user has been demoted, suspended or
 * deleted in the meantime.
 */
export async function grantAdmin(
  db: Db,
  { id, email }: { id: string; email: string },
  hash: string | null,
  reason: 'listed' | 'joinedGroup',
  now: number,
): Promise<boolean> {
  const allowed = sql`exists (select 1 from ${users} where id = ${id} and email = ${email} and role = 'user' and suspended_at is null)
    and not ${isAddressDemoted(hash)} and not ${wasDemoted(id)}`;
  const entry = {
    at: now,
    adminId: 'system',
    action: 'grant_admin',
    subject: `user:${id}`,
    before: roleFacts(id),
    after: { role: 'admin' },
    reason: ROLE_REASONS[reason],
  };
  const { admin } = await runNamedBatch(db, {
    record: recordAction(entry, allowed),
    grant: sql`update ${users} set role = 'admin' where id = ${id} and ${allowed}`,
    // One of several parallel requests grants the role; the others read it.
    admin: sql`select 1 from ${users} where id = ${id} and role = 'admin'`,
  });
  return admin.rows.length > 0;
}
