import { and, eq, sql, type SQL } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_identities, auth_one_time_tokens, auth_users } from '#worker/db/schema-auth.ts';
import { users } from '#worker/db/schema-users.ts';
import { ROLE_REASONS } from '#worker/messages/features.ts';
import { hasAnotherAdmin } from '#worker/users/user-state.ts';
import { endForeignAccess, setProven } from '#worker/auth/service/prove-mailbox.ts';
import {
  isNotSuspended,
  sessionStatements,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import type { Claims } from './ask-provider.ts';

export type ProviderIdentity = typeof auth_identities.$inferSelect;

export const findIdentity = (
  db: Db,
  issuer: string,
  subject: string,
): Promise<ProviderIdentity | undefined> =>
  db
    .select()
    .from(auth_identities)
    .where(and(eq(auth_identities.issuer, issuer), eq(auth_identities.subject, subject)))
    .get();

/** The account's identity at this issuer. An account has at most one. */
export const findIdentityOf = (
  db: Db,
  userId: string,
  issuer: string,
): Promise<ProviderIdentity | undefined> =>
  db
    .select()
    .from(auth_identities)
    .where(and(eq(auth_identities.user_id, userId), eq(auth_identities.issuer, issuer)))
    .get();

/**
 * Connects a person of the provider with an account while `when` holds. Does nothing if one of the
 * two is already connected: two requests at once must not move an identity.
 */
export const connectStatement = (
  { issuer, userId, now }: { issuer: string; userId: string; now: number },
  { subject, email }: Claims,
  when: SQL,
  provenEmail: string | null = null,
): SQL =>
  insertSelected(
    auth_identities,
    {
      issuer,
      subject,
      user_id: userId,
      email,
      proven_email: provenEmail,
      linked_at: now,
      used_at: now,
    },
    sql`where ${when} on conflict do nothing`,
  );

export async function connect(
  db: Db,
  place: { issuer: string; userId: string; now: number },
  claims: Claims,
  when: SQL,
  provenEmail: string | null = null,
): Promise<boolean> {
  const { connected } = await runNamedBatch(db, {
    connected: connectStatement(place, claims, when, provenEmail),
  });
  return connected.changes === 1;
}

/**
 * Connects a person who has proven the account's mailbox with a mailed code. What was set up before
 * the first proof of the mailbox ends, as with a mailed link, and all mailed links become void. An
 * account that asks for a second factor is not connected: a mailbox is only one.
 */
export async function connectByMailbox(
  db: Db,
  place: { issuer: string; userId: string; now: number },
  claims: Claims,
  email: string,
): Promise<boolean> {
  const { userId, now } = place;
  const owner = (extra = sql`1`) =>
    sql`(select id from ${auth_users} where id = ${userId} and email = ${email} and ${isNotSuspended(now)}
      and (proven_at is null or totp_confirmed_at is null) and ${extra})`;
  const { connected } = await runNamedBatch(db, {
    ended: endForeignAccess(owner(sql`proven_at is null`), now),
    proven: sql`update ${auth_users} set ${setProven(sql`proven_at is not null`, now)} where id in ${owner()}`,
    voided: sql`delete from ${auth_one_time_tokens} where user_id in ${owner()}`,
    connected: connectStatement(place, claims, sql`exists ${owner()}`, email),
  });
  return connected.changes === 1;
}

/** Keeps the address that a connected person has proven now. */
export const keepProvenEmail = (
  db: Db,
  { issuer, subject }: Pick<ProviderIdentity, 'issuer' | 'subject'>,
  email: string,
) =>
  db
    .update(auth_identities)
    .set({ proven_email: email })
    .where(and(eq(auth_identities.issuer, issuer), eq(auth_identities.subject, subject)));

/**
 * Disconnects the provider while the account has a password, so that a way in remains. Whom the
 * provider makes an administrator stays connected: their next sign-in there may end that.
 */
export async function disconnect(db: Db, userId: string, issuer: string): Promise<boolean> {
  const gone = await db
    .delete(auth_identities)
    .where(
      sql`${auth_identities.user_id} = ${userId} and ${auth_identities.issuer} = ${issuer} and in_admin_group = 0
        and exists (select 1 from ${auth_users} a where a.id = ${userId} and a.password_hash is not null)`,
    )
    .returning({ subject: auth_identities.subject });
  return gone.length > 0;
}

/**
 * Starts a session of a connected account in one batch, which also applies its group: a member
 * who has left OIDC_ADMIN_GROUP is no administrator any more, unless there is no other one.
 * The role of somebody who has joined the group is granted by the first request of the session.
 * Returns undefined, without any change, if the identity was disconnected or the account suspended.
 */
export async function startProviderSession(
  db: Db,
  identity: Pick<ProviderIdentity, 'issuer' | 'subject' | 'user_id'>,
  claims: Claims,
  session: SessionRow,
): Promise<Account | undefined> {
  const { user_id: id } = identity;
  const now = session.created_at;
  const isOwn = sql`issuer = ${identity.issuer} and subject = ${identity.subject} and user_id = ${id}`;
  const holds = sql`exists (select 1 from ${auth_identities} where ${isOwn})
    and exists (select 1 from ${auth_users} where id = ${id} and ${isNotSuspended(now)})`;
  const leaves = claims.inAdminGroup
    ? sql`0`
    : sql`${holds} and exists (select 1 from ${auth_identities} where ${isOwn} and in_admin_group = 1)
      and exists (select 1 from ${users} where id = ${id} and role = 'admin')`;
  const mayLeave = sql`${leaves} and ${hasAnotherAdmin(id)}`;
  const entry = {
    at: now,
    adminId: 'system',
    action: 'leave_admin_group',
    subject: `user:${id}`,
    before: { role: 'admin' },
    after: { role: 'user' },
    reason: ROLE_REASONS.leftGroup,
  };
  const { account } = await runNamedBatch(db, {
    record: recordAction(entry, mayLeave),
    demote: sql`update ${users} set role = 'user' where id = ${id} and ${mayLeave}`,
    // The last administrator stays in the group here, so that a later sign-in tries again.
    group: sql`update ${auth_identities} set email = ${claims.email}, used_at = ${now},
      in_admin_group = iif(${claims.inAdminGroup ? 1 : 0} or ${leaves}, 1, 0) where ${isOwn} and ${holds}`,
    session: sessionStatements(session, sql`where ${holds}`),
    account: sql<Account>`update ${auth_users} set last_sign_in_at = ${now}, updated_at = ${now}
      where id = ${id} and ${holds} returning *`,
  });
  return account.rows[0];
}
