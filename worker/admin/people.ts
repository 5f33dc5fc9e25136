import { sql } from 'drizzle-orm';
import type { PlanType } from '#contract/site.ts';
import { addressHash, clearDemotion, demoteAddress } from '#worker/account/address-standing.ts';
import { hasAddress, hasAnotherAdmin, readAddress } from '#worker/account/user-state.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import { insertFreeSubscription } from '#worker/plans/quota.ts';
import { resetUsageStatement, setPlanStatement } from '#worker/plans/subscription.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { planFacts, roleFacts, userExists } from './store.ts';

export type Done = { ok: true } | { ok: false; reason: 'unknown_user' | 'last_admin' };

/** Puts a person on a plan; what they used stays used. Recorded in the same batch. `now` in ms. */
export async function changePlan(db: Db, adminId: string, userId: string, plan: PlanType, now: number): Promise<Done> {
  const entry = { at: now, adminId, action: 'update_plan', subject: `user:${userId}`, before: planFacts(userId) };
  const known = userExists(userId);
  const [, , changed] = await db.batch([
    insertFreeSubscription(db, userId, now),
    recordStatement(db, { ...entry, after: { plan_type: plan } }, known),
    setPlanStatement(db, userId, plan, now),
  ]);
  return changed.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/** Sets the running cycle's use to nothing; the cycle goes on. Recorded in the same batch. */
export async function resetUsage(db: Db, adminId: string, userId: string, now: number): Promise<Done> {
  const entry = { at: now, adminId, action: 'reset_usage', subject: `user:${userId}`, before: planFacts(userId) };
  const [, , changed] = await db.batch([
    insertFreeSubscription(db, userId, now),
    recordStatement(db, { ...entry, after: { current_usage: 0 } }, userExists(userId)),
    resetUsageStatement(db, userId, now),
  ]);
  return changed.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/**
 * Gives or takes the admin role; it acts at the person's next request. One administrator who is not suspended always
 * remains. A demotion is remembered by address, so that ADMIN_EMAILS does not give the role back to a new account.
 */
export async function changeRole(
  db: Db,
  adminId: string,
  userId: string,
  role: 'user' | 'admin',
  secret: string,
  now: number,
): Promise<Done> {
  const entry = { at: now, adminId, action: 'set_role', subject: `user:${userId}`, before: roleFacts(userId), after: { role } };
  for (;;) {
    const email = await readAddress(db, userId);
    if (email === undefined) return { ok: false, reason: 'unknown_user' };
    const hash = addressHash(secret, email);
    const same = hasAddress(userId, email);
    const allowed = role === 'admin' ? same : sql`${same} and ${hasAnotherAdmin(userId)}`;
    const results = await runBatch(db, [
      recordStatement(db, entry, allowed),
      ...(role === 'admin' ? clearDemotion(hash, allowed) : [demoteAddress(hash, now, allowed)]),
      sql`update ${users} set role = ${role} where id = ${userId} and ${allowed} returning id`,
      sql`select 1 from ${users} where ${same}`,
    ]);
    const [changed, unchangedAddress] = results.slice(-2);
    if ((changed?.length ?? 0) > 0) return { ok: true };
    if ((unchangedAddress?.length ?? 0) > 0) return { ok: false, reason: 'last_admin' };
  }
}
