import { sql } from 'drizzle-orm';
import type { PlanType } from '#contract/site.ts';
import type { Db } from '#worker/db/client.ts';
import { resetUsageStatement, setPlanStatement } from '#worker/plans/subscription.ts';
import { recordStatement } from './log.ts';
import { freePlanStatement, keepsAnAdmin, planFacts, roleFacts, setRoleStatement, userExists } from './store.ts';

export type Done = { ok: true } | { ok: false; reason: 'unknown_user' | 'last_admin' };

/** Puts a person on a plan; what they used stays used. Recorded in the same batch. `now` in ms. */
export async function changePlan(db: Db, adminId: string, userId: string, plan: PlanType, now: number): Promise<Done> {
  const entry = { at: now, adminId, action: 'update_plan', subject: `user:${userId}`, before: planFacts(userId) };
  const known = userExists(userId);
  const [, , changed] = await db.batch([
    freePlanStatement(db, userId, now),
    recordStatement(db, { ...entry, after: { plan_type: plan } }, known),
    setPlanStatement(db, userId, plan, now),
  ]);
  return changed.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/** Sets the running cycle's use to nothing; the cycle goes on. Recorded in the same batch. */
export async function resetUsage(db: Db, adminId: string, userId: string, now: number): Promise<Done> {
  const entry = { at: now, adminId, action: 'reset_usage', subject: `user:${userId}`, before: planFacts(userId) };
  const [, , changed] = await db.batch([
    freePlanStatement(db, userId, now),
    recordStatement(db, { ...entry, after: { current_usage: 0 } }, userExists(userId)),
    resetUsageStatement(db, userId, now),
  ]);
  return changed.length > 0 ? { ok: true } : { ok: false, reason: 'unknown_user' };
}

/** Gives or takes the admin role; it acts at the person's next request. One administrator always remains. */
export async function changeRole(db: Db, adminId: string, userId: string, role: 'user' | 'admin', now: number): Promise<Done> {
  const entry = { at: now, adminId, action: 'set_role', subject: `user:${userId}`, before: roleFacts(userId), after: { role } };
  const allowed = keepsAnAdmin(userId, role);
  const [, changed, known] = await db.batch([
    recordStatement(db, entry, sql`${userExists(userId)} and ${allowed}`),
    setRoleStatement(db, userId, role, allowed),
    db.select({ known: sql<number>`${userExists(userId)}` }).from(sql`(select 1)`),
  ]);
  if (changed.length > 0) return { ok: true };
  return { ok: false, reason: known[0]?.known === 1 ? 'last_admin' : 'unknown_user' };
}
