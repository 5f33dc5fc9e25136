import { sql, type SQL } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { auth_identities } from '#worker/db/schema-auth.ts';
import { users } from '#worker/db/schema-users.ts';
import { ROLE_REASONS } from '#worker/messages/features.ts';
import { hasAnotherAdmin } from '#worker/users/user-state.ts';

/**
 * Two statements, for the batch that removes the identities of the account that `owner` selects: if
 * the provider's group has made it an administrator, the role ends, because nothing would notice
 * later that the person has left the group. Only identities that were connected at `since` or later
 * count. The last administrator keeps the role.
 */
export function leaveGroupStatements(owner: SQL, now: number, since: SQL): SQL[] {
  const member = sql`(select i.user_id from ${auth_identities} i
    join ${users} u on u.id = i.user_id and u.role = 'admin' and ${hasAnotherAdmin(sql`u.id`)}
    where i.in_admin_group = 1 and i.user_id in ${owner} and i.linked_at >= ${since} limit 1)`;
  const entry = {
    at: now,
    adminId: 'system',
    action: 'leave_admin_group',
    subject: sql`'user:' || ${member}`,
    before: { role: 'admin' },
    after: { role: 'user' },
    reason: ROLE_REASONS.disconnected,
  };
  return [
    recordAction(entry, sql`${member} is not null`),
    sql`update ${users} set role = 'user' where id = ${member}`,
  ];
}
