import { sql, type SQL } from 'drizzle-orm';
import { auth_pending_sign_ins, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';

/** Year 9999, in ms, because a suspension lasts until an administrator lifts it. */
const INDEFINITELY = Date.UTC(9999, 0, 1);

/**
 * Statements that suspend an account of the sign-in service while `when` holds: nobody can sign in
 * to it, and its sessions end.
 */
export function suspendAccountStatements(userId: string, when: SQL): SQL[] {
  return [
    sql`update ${auth_users} set banned_until = ${INDEFINITELY} where id = ${userId} and ${when}`,
    sql`delete from ${auth_pending_sign_ins} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_sessions} where user_id = ${userId} and ${when}`,
  ];
}

export function unsuspendAccountStatement(userId: string, when: SQL): SQL {
  return sql`update ${auth_users} set banned_until = null where id = ${userId} and ${when}`;
}
