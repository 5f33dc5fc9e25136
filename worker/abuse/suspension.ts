import { sql, type SQL } from 'drizzle-orm';
import { addressHash, suspendAddress, unsuspendAddress } from '#worker/users/address-standing.ts';
import { hasAnotherAdmin, hasEmail, isUserSuspended, readEmail } from '#worker/users/user-state.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import {
  unsuspendAccountStatement,
  suspendAccountStatements,
} from '#worker/auth/accounts/suspend-account.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { liftHolds, placeHold } from './holds.ts';

export type SuspensionChange = {
  adminId: string;
  /** A user's id, or the label of a deleted account's links. */
  userId: string;
  reason: string;
  /** AUTH_SECRET, which keys the hash of the email. */
  secret: string;
  now: number;
  /** Statements for the same batch, which close the report that led to the action. */
  alongside: (when: SQL) => Statement[];
};

/** `changed` are the ids of the links whose state changed. The caller publishes them. */
export type SuspensionResult =
  | { ok: true; changed: number[] }
  | { ok: false; reason: 'unknown_user' | 'last_admin' | 'suspends_yourself' };

const UNKNOWN = { ok: false, reason: 'unknown_user' } as const;

/**
 * Suspends a user. One batch ends the sessions, stops new links, stores the suspension of the
 * address and holds the links; more batches follow for a user with very many links. A link created
 * meanwhile is held or rejected, because the quota statement rejects a suspended user. For a
 * deleted account, only the links are held.
 */
export async function suspendUser(db: Db, change: SuspensionChange): Promise<SuspensionResult> {
  const { adminId, userId, reason, now } = change;
  if (userId === adminId) return { ok: false, reason: 'suspends_yourself' };
  const guard = sql`(${hasAnotherAdmin(userId)} or not exists (select 1 from ${users} where id = ${userId} and role = 'admin'))`;
  const hold = (alongside: Statement[], condition: SQL) =>
    placeHold(db, {
      hold: { kind: 'user', value: '', reason },
      where: sql`${links}.user_id = ${userId}`,
      now,
      alongside,
      condition,
    });
  for (;;) {
    const email = await readEmail(db, userId);
    if (email === undefined) {
      const alongside = await recordForLabel(db, change, 'disable_links');
      return alongside === null ? UNKNOWN : { ok: true, changed: await hold(alongside, sql`1`) };
    }
    const statements = updateUser(change, email, {
      action: 'suspend_user',
      guard,
      links: sql`select count(*) from ${links} where user_id = ${userId} and status <> 'deleted'`,
      statements: (hash, when) => [
        suspendAddress(hash, reason, now, when),
        ...suspendAccountStatements(userId, when),
      ],
      set: sql`suspended_at = ${now}, suspended_reason = ${reason}`,
    });
    // Another administrator may lift the suspension meanwhile, so links are held only while it is
    // stored.
    const changed = await hold([...statements.before, statements.update], isUserSuspended(userId));
    const state = await db.get<{ same_email: number; done: number }>(
      sql`select ${hasEmail(userId, email)} as same_email, (${isUserSuspended(userId)} or ${guard}) as done`,
    );
    // If the email has changed since it was read, the batch did nothing, because it named the old
    // address. The loop tries again.
    if (state.same_email === 1) {
      if (state.done === 0) return { ok: false, reason: 'last_admin' };
      // Holds links that were created between the selection of the links and their batch.
      return { ok: true, changed: [...changed, ...(await hold([], isUserSuspended(userId)))] };
    }
  }
}

/** Lifts a suspension and everything it did. Links with another hold stay disabled. */
export async function liftSuspension(db: Db, change: SuspensionChange): Promise<SuspensionResult> {
  const { userId, now } = change;
  const held = sql`kind = 'user' and link_id in (select id from ${links} where user_id = ${userId})`;
  const lift = (alongside: Statement[]) =>
    liftHolds(db, sql`${held} and not ${isUserSuspended(userId)}`, now, alongside);
  for (;;) {
    const email = await readEmail(db, userId);
    if (email === undefined) {
      const alongside = await recordForLabel(db, change, 'enable_links');
      return alongside === null ? UNKNOWN : { ok: true, changed: await lift(alongside) };
    }
    const statements = updateUser(change, email, {
      action: 'lift_suspension',
      guard: sql`1`,
      links: sql`select count(*) from ${link_holds} where ${held}`,
      statements: (hash, when) => [
        ...unsuspendAddress(hash, when),
        unsuspendAccountStatement(userId, when),
      ],
      set: sql`suspended_at = null, suspended_reason = null`,
    });
    const { update } = await runNamedBatch(db, statements);
    if (update.rows.length > 0) return { ok: true, changed: await lift([]) };
  }
}

type UserUpdate = {
  action: string;
  /** True in SQL if the change is allowed. */
  guard: SQL;
  /** A query for the number of links that the audit entry names. */
  links: SQL;
  statements: (hash: string | null, when: SQL) => Statement[];
  set: SQL;
};

/**
 * Returns the statements that change the user and the record of their address. `update` returns a
 * row if it was allowed.
 */
function updateUser(
  change: SuspensionChange,
  email: string,
  { action, guard, links: countLinks, statements, set }: UserUpdate,
): { before: Statement[]; update: Statement } {
  const { adminId, userId, reason, secret, now, alongside } = change;
  const allowed = sql`${hasEmail(userId, email)} and ${guard}`;
  const before = sql`(select json_object('suspended', json(iif(suspended_at is null, 'false', 'true'))) from ${users} where id = ${userId})`;
  const after = sql`json_object('links', (${countLinks}))`;
  const entry = { at: now, adminId, action, subject: `user:${userId}`, before, after, reason };
  return {
    before: [
      recordAction(entry, allowed),
      ...statements(addressHash(secret, email), allowed),
      ...alongside(allowed),
    ],
    update: sql`update ${users} set ${set} where id = ${userId} and ${allowed} returning id`,
  };
}

/**
 * The statements that record the action and close the report for the links of a deleted account;
 * null if there are no such links.
 */
async function recordForLabel(
  db: Db,
  { adminId, userId, reason, now, alongside }: SuspensionChange,
  action: string,
): Promise<Statement[] | null> {
  const found = await db.get<{ n: number }>(
    sql`select count(*) as n from ${links} where user_id = ${userId}`,
  );
  if (found.n === 0) return null;
  const entry = {
    at: now,
    adminId,
    action,
    subject: `user:${userId}`,
    after: { links: found.n },
    reason,
  };
  return [recordAction(entry), ...alongside(sql`1`)];
}
