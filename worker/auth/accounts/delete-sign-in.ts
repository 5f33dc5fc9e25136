import { sql, type SQL } from 'drizzle-orm';
import {
  auth_factor_resets,
  auth_identities,
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_recovery_codes,
  auth_passkeys,
  auth_sessions,
  auth_users,
  dev_mails,
} from '#worker/db/schema-auth.ts';
import { deleted_users } from '#worker/db/schema-users.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';

/**
 * Statements that delete an account of the sign-in service with its sessions, identity, second factor,
 * mailed links and codes, and emails in the local mailbox. They belong to the batch that deletes the person, and run
 * while `when` holds. They also record the id as deleted, so that tokens of either sign-in service
 * are rejected.
 */
export function deleteSignInStatements(userId: string, now: number, when: SQL): SQL[] {
  return [
    sql`delete from ${auth_sessions} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_identities} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_pending_sign_ins} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_recovery_codes} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_factor_resets} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_passkeys} where user_id = ${userId} and ${when}`,
    sql`delete from ${auth_one_time_tokens} where user_id = ${userId} and ${when}`,
    sql`delete from ${dev_mails} where "to" in (select email from ${auth_users} where id = ${userId}) and ${when}`,
    sql`delete from ${auth_users} where id = ${userId} and ${when}`,
    sql`insert into ${deleted_users} (id_hash, deleted_at) select ${hashUserId(userId)}, ${now} where ${when} on conflict do nothing`,
  ];
}
