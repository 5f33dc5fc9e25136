import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import { PASSKEYS_MAX, type Passkey } from '#contract/sign-in/passkeys.ts';
import { insertSelected, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { auth_passkeys, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';
import {
  isNotSuspended,
  sessionStatements,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';

export type PasskeyRow = typeof auth_passkeys.$inferSelect;

/** The passkeys of an account, oldest first. */
export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(auth_passkeys)
    .where(eq(auth_passkeys.user_id, userId))
    .orderBy(asc(auth_passkeys.created_at), asc(auth_passkeys.id));

export const findByCredential = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.select().from(auth_passkeys).where(eq(auth_passkeys.credential_id, credentialId)).get();

/** Returns false if the account has PASSKEYS_MAX, or somebody has this passkey. */
export async function insertPasskey(db: Db, row: PasskeyRow): Promise<boolean> {
  const hasRoom = sql`(select count(*) from ${auth_passkeys} where user_id = ${row.user_id}) < ${PASSKEYS_MAX}`;
  const { meta } = await db.run(
    insertSelected(auth_passkeys, row, sql`where ${hasRoom} on conflict do nothing`),
  );
  return meta.changes === 1;
}

const isOwn = (userId: string, id: string) =>
  and(eq(auth_passkeys.id, id), eq(auth_passkeys.user_id, userId));

/** Undefined if the account has no such passkey. */
export const setPasskeyName = (
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | undefined> =>
  db.update(auth_passkeys).set({ name }).where(isOwn(userId, id)).returning().get();

export const deletePasskey = (
  db: Db,
  userId: string,
  id: string,
): Promise<PasskeyRow | undefined> =>
  db.delete(auth_passkeys).where(isOwn(userId, id)).returning().get();

/**
 * Holds while the passkey is as it was read. Two uses with one counter must not both succeed.
 */
const isUnchanged = ({ id, user_id, counter }: PasskeyRow): SQL =>
  sql`exists (select 1 from ${auth_passkeys} where id = ${id} and user_id = ${user_id} and counter = ${counter})`;

const recordUse = ({ id }: PasskeyRow, counter: number, now: number, when: SQL): SQL =>
  sql`update ${auth_passkeys} set counter = ${counter}, used_at = ${now} where id = ${id} and ${when}`;

/**
 * Starts a session in one batch and stores the passkey's new counter. Returns undefined, without any
 * change, if the passkey was used or removed meanwhile, or the account is suspended.
 */
export async function startPasskeySession(
  db: Db,
  passkey: PasskeyRow,
  counter: number,
  session: SessionRow,
): Promise<Account | undefined> {
  const { user_id: id } = passkey;
  const now = session.created_at;
  const holds = sql`${isUnchanged(passkey)} and exists (select 1 from ${auth_users}
    where id = ${id} and email_confirmed_at is not null and ${isNotSuspended(now)})`;
  const { account } = await runNamedBatch(db, {
    session: sessionStatements(session, sql`where ${holds}`),
    account: sql<Account>`update ${auth_users} set last_sign_in_at = ${now}, updated_at = ${now}
      where id = ${id} and ${holds} returning *`,
    // Last, because the other statements look for the counter that was read.
    use: recordUse(passkey, counter, now, holds),
  });
  return account.rows[0];
}

/**
 * Records in a session that its owner has just used a passkey. Returns false, without any change, if
 * the passkey or the session has changed meanwhile.
 */
export async function recordProof(
  db: Db,
  passkey: PasskeyRow,
  counter: number,
  session: SessionRow,
  amr: string,
  now: number,
): Promise<boolean> {
  const isRecorded = sql`exists (select 1 from ${auth_sessions} where id = ${session.id} and amr = ${amr})`;
  const { proof } = await runNamedBatch(db, {
    proof: sql`update ${auth_sessions} set amr = ${amr}
      where id = ${session.id} and user_id = ${passkey.user_id} and amr = ${session.amr} and ${isUnchanged(passkey)}`,
    use: recordUse(passkey, counter, now, sql`${isUnchanged(passkey)} and ${isRecorded}`),
  });
  return proof.changes === 1;
}

export const toPasskey = ({ id, name, kind, created_at, used_at }: PasskeyRow): Passkey => ({
  id,
  friendly_name: name,
  kind,
  created_at: new Date(created_at).toISOString(),
  ...(used_at !== null && { last_used_at: new Date(used_at).toISOString() }),
});
