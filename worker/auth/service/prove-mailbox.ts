import { sql, type SQL } from 'drizzle-orm';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import {
  auth_identities,
  auth_passkeys,
  auth_pending_sign_ins,
  auth_sessions,
} from '#worker/db/schema-auth.ts';
import { leaveGroupStatements } from './leave-group.ts';

/**
 * Statements that end what somebody else may have set up in an account before its mailbox was
 * proven: sessions and added access. `owner` selects the account's id, or nothing.
 */
export const endForeignAccess = (owner: SQL, now: number): SQL[] => [
  ...endAddedAccess(owner, sql`0`, now),
  sql`delete from ${auth_sessions} where user_id in ${owner}`,
  sql`delete from ${auth_pending_sign_ins} where user_id in ${owner}`,
];

/**
 * Statements that end what was added to an account at `since` or later: API keys, webhooks, passkeys
 * and connected providers, with a role that such a provider gave.
 */
export const endAddedAccess = (owner: SQL, since: SQL, now: number): SQL[] => [
  ...leaveGroupStatements(owner, now, since),
  sql`delete from ${api_keys} where user_id in ${owner} and created_at >= ${since}`,
  sql`delete from ${webhook_endpoints} where user_id in ${owner} and created_at >= ${since}`,
  sql`delete from ${auth_identities} where user_id in ${owner} and linked_at >= ${since}`,
  sql`delete from ${auth_passkeys} where user_id in ${owner} and created_at >= ${since}`,
];

/**
 * What is set in an account, in SQL, once its mailbox is proven. The password is removed unless
 * `keepsPassword` holds, and so is the metadata of an unconfirmed sign-up. Metadata that SQLite
 * cannot parse stays unchanged. A second factor from before the proof may be somebody else's.
 */
export const setProven = (keepsPassword: SQL, now: number): SQL => sql`
  password_hash = case when ${keepsPassword} then password_hash end,
  user_metadata = case
    when email_confirmed_at is null and not ifnull(${keepsPassword}, 0) then json_object('sub', id, 'email', email, 'email_verified', json('true'), 'phone_verified', json('false'))
    when json_valid(user_metadata) then json_set(user_metadata, '$.email_verified', json('true'))
    else user_metadata end,
  totp_secret = iif(proven_at is null, null, totp_secret),
  totp_confirmed_at = iif(proven_at is null, null, totp_confirmed_at),
  proven_at = ifnull(proven_at, ${now}),
  email_confirmed_at = ifnull(email_confirmed_at, ${now}),
  sign_up_secret_hash = null, updated_at = ${now}`;
