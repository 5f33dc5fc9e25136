import { sql, type SQL } from 'drizzle-orm';
import { auth_passkeys, auth_users } from '#worker/db/schema-auth.ts';

/** A condition in SQL: the account has an authenticator app or a passkey. */
export const hasSecondFactor = (userId: string | SQL): SQL =>
  sql`(exists (select 1 from ${auth_users} f where f.id = ${userId} and f.totp_confirmed_at is not null)
    or exists (select 1 from ${auth_passkeys} p where p.user_id = ${userId}))`;
