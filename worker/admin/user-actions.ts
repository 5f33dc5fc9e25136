import { sql } from 'drizzle-orm';
import type { PlanType } from '#contract/site.ts';
import { addressHash, clearDemotion, demoteAddress } from '#worker/users/address-standing.ts';
import { hasAnotherAdmin, hasEmail, readEmail, userExists } from '#worker/users/user-state.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { planFacts } from '#worker/plans/plan-at.ts';
import { insertFreeSubscription } from '#worker/plans/quota.ts';
import {
  renewImportStatement,
  resetUsageStatement,
  setPlanStatement,
} from '#worker/plans/subscription.ts';
import { roleFacts } from './store.ts';

export type UserActionResult = { ok: true } | { ok: false; reason: 'unknown_user' | 'last_admin' };

/**
 * Changes a user's plan and keeps the usage. The audit entry is in the same batch. `now` in ms
 * since 1970.
 */
export async function changePlan(
  db: Db,
  adminId: string,
  userId: string,
  plan: PlanType,
  now: number,
): Promise<UserActionResult> {
  const entry = {
    at: now,
    adminId,
    action: 'update_plan',
    subject: `user:${userId}`,
    before: planFacts(userId, now),
  };
  const { changed } = await runNamedBatch(db, {
    subscribe: insertFreeSubscription(userId, now),
    record: recordAction({ ...entry, after: { plan_type: plan } }, userExists(userId)),
    changed: setPlanStatement(db, userId, plan, now),
  });
  return changed.rows.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/** Sets the usage of the running cycle to zero; the cycle stays. */
export const resetUsage = (db: Db, adminId: string, userId: string, now: number) =>
  resetCounter(db, adminId, userId, now, {
    action: 'reset_usage',
    after: { current_usage: 0 },
    reset: resetUsageStatement,
  });

/** Renews the allowance of links to import (docs/decisions.md#d6). */
export const renewImport = (db: Db, adminId: string, userId: string, now: number) =>
  resetCounter(db, adminId, userId, now, {
    action: 'renew_import',
    after: { imported_links: 0 },
    reset: renewImportStatement,
  });

/** Sets a counter of a subscription to zero. The audit entry is in the same batch. */
async function resetCounter(
  db: Db,
  adminId: string,
  userId: string,
  now: number,
  {
    action,
    after,
    reset,
  }: { action: string; after: Record<string, number>; reset: typeof resetUsageStatement },
): Promise<UserActionResult> {
  const before = planFacts(userId, now);
  const entry = { at: now, adminId, action, subject: `user:${userId}`, before, after };
  const { changed } = await runNamedBatch(db, {
    subscribe: insertFreeSubscription(userId, now),
    record: recordAction(entry, userExists(userId)),
    changed: reset(db, userId, now),
  });
  return changed.rows.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/** `secret` is AUTH_SECRET; `now` in ms since 1970. */
export type RoleChange = {
  adminId: string;
  userId: string;
  role: 'user' | 'admin';
  secret: string;
  now: number;
};

/**
 * Gives or removes the admin role, which takes effect at the user's next request. One administrator
 * who is not suspended always remains. A demotion is stored by address, so that ADMIN_EMAILS does
 * not give the role back to a new account.
 */
export async function changeRole(
  db: Db,
  { adminId, userId, role, secret, now }: RoleChange,
): Promise<UserActionResult> {
  const entry = {
    at: now,
    adminId,
    action: 'set_role',
    subject: `user:${userId}`,
    before: roleFacts(userId),
    after: { role },
  };
  for (;;) {
    const email = await readEmail(db, userId);
    if (email === undefined) return { ok: false, reason: 'unknown_user' };
    const hash = addressHash(secret, email);
    const sameEmail = hasEmail(userId, email);
    const allowed = role === 'admin' ? sameEmail : sql`${sameEmail} and ${hasAnotherAdmin(userId)}`;
    const { changed, unchangedEmail } = await runNamedBatch(db, {
      record: recordAction(entry, allowed),
      remember: role === 'admin' ? clearDemotion(hash, allowed) : demoteAddress(hash, now, allowed),
      changed: sql`update ${users} set role = ${role} where id = ${userId} and ${allowed} returning id`,
      unchangedEmail: sql`select 1 from ${users} where ${sameEmail}`,
    });
    if (changed.rows.length > 0) return { ok: true };
    if (unchangedEmail.rows.length > 0) return { ok: false, reason: 'last_admin' };
    // The email has changed since it was read, so the loop tries again with the new one.
  }
}
