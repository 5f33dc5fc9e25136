import { and, gte, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import {
  auth_identities,
  auth_passkeys,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { leaveGroupStatements } from './leave-group.ts';

/**
 * Statements that end what somebody else may have set up in an account before its mailbox was
 * proven: sessions and added access. `owner` selects the account's id, or nothing.
 */
export const endForeignAccess = (db: Db, owner: SQLWrapper, now: number) =>
  [
    ...endAddedAccess(db, owner, sql`0`, now),
    db.delete(auth_sessions).where(inArray(auth_sessions.user_id, owner)),
    db.delete(auth_pending_sign_ins).where(inArray(auth_pending_sign_ins.user_id, owner)),
  ] as const;

/**
 * Statements that end what was added to an account at `since` or later: API keys, webhooks, passkeys
 * and connected providers, with a role that such a provider gave.
 */
export const endAddedAccess = (db: Db, owner: SQLWrapper, since: SQL, now: number) =>
  [
    ...leaveGroupStatements(db, sql`(${owner.getSQL()})`, now, since),
    db
      .delete(api_keys)
      .where(and(inArray(api_keys.user_id, owner), gte(api_keys.created_at, since))),
    db
      .delete(webhook_endpoints)
      .where(
        and(inArray(webhook_endpoints.user_id, owner), gte(webhook_endpoints.created_at, since)),
      ),
    db
      .delete(auth_identities)
      .where(and(inArray(auth_identities.user_id, owner), gte(auth_identities.linked_at, since))),
    db
      .delete(auth_passkeys)
      .where(and(inArray(auth_passkeys.user_id, owner), gte(auth_passkeys.created_at, since))),
  ] as const;

/**
 * What an account becomes once its mailbox is proven. The password is removed unless `keepsPassword`
 * holds, and so is the metadata of an unconfirmed sign-up. Metadata that SQLite cannot parse stays
 * unchanged.
 */
export function provenColumns(keepsPassword: SQL, now: number) {
  const isUnconfirmed = sql`${auth_users.email_confirmed_at} is null and not ifnull(${keepsPassword}, 0)`;
  return {
    password_hash: sql`case when ${keepsPassword} then ${auth_users.password_hash} end`,
    user_metadata: sql`case
      when ${isUnconfirmed} then json_object('sub', ${auth_users.id}, 'email', ${auth_users.email}, 'email_verified', json('true'), 'phone_verified', json('false'))
      when json_valid(${auth_users.user_metadata}) then json_set(${auth_users.user_metadata}, '$.email_verified', json('true'))
      else ${auth_users.user_metadata} end`,
    // A second factor from before the proof may be somebody else's.
    totp_secret: sql`iif(${auth_users.proven_at} is null, null, ${auth_users.totp_secret})`,
    totp_confirmed_at: sql`iif(${auth_users.proven_at} is null, null, ${auth_users.totp_confirmed_at})`,
    proven_at: sql`ifnull(${auth_users.proven_at}, ${now})`,
    email_confirmed_at: sql`ifnull(${auth_users.email_confirmed_at}, ${now})`,
    sign_up_secret_hash: null,
    updated_at: now,
  };
}
