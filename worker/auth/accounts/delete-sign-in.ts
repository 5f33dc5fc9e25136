import { sql, type SQL } from 'drizzle-orm';
import { auth_users } from '#worker/db/schema-auth.ts';
import { deleted_users } from '#worker/db/schema-users.ts';
import { hashUserId } from '#worker/secrets/hash-user-id.ts';

/**
 * Statements that delete an account of the sign-in service. A trigger deletes its sessions,
 * identities, passkeys, second factor, and mailed links and codes, because a request on the
 * platform's free plan may run 50 statements. They belong to the batch that deletes the person, and
 * run while `when` holds. They also record the id as deleted, so that tokens of either sign-in
 * service are rejected.
 */
export function deleteSignInStatements(userId: string, now: number, when: SQL): SQL[] {
  return [
    sql`delete from ${auth_users} where id = ${userId} and ${when}`,
    sql`insert into ${deleted_users} (id_hash, deleted_at) select ${hashUserId(userId)}, ${now} where ${when} on conflict do nothing`,
  ];
}
