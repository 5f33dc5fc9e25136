import { sql, type SQL } from 'drizzle-orm';
import { auth_sessions, auth_users } from '#worker/db/schema-auth.ts';

/** Long after anybody's time: a suspension ends when an administrator lifts it. Year 9999, in ms. */
const FAR_FUTURE = Date.UTC(9999, 0, 1);

/** The statements that suspend an account's sign-in where `when` holds: no grant works, and every session ends. */
export function suspendSignIn(userId: string, when: SQL): SQL[] {
  return [
    sql`update ${auth_users} set banned_until = ${FAR_FUTURE} where id = ${userId} and ${when}`,
    sql`delete from ${auth_sessions} where user_id = ${userId} and ${when}`,
  ];
}

export function liftSignIn(userId: string, when: SQL): SQL {
  return sql`update ${auth_users} set banned_until = null where id = ${userId} and ${when}`;
}
