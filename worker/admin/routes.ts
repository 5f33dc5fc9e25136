import { Hono } from 'hono';
import { adminAction, adminQuery, type AdminAction } from '#contract/admin.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { requireMember, readJson, readQuery } from '#worker/http/validate.ts';
import { authSecret } from '#worker/auth/settings.ts';
import type { Db } from '#worker/db/client.ts';
import { repairTotals } from './counts.ts';
import { adminLog, adminStats, adminUrls, adminUsers } from './overview.ts';
import { changePlan, changeRole, resetUsage, type Done } from './people.ts';

/** The admin dashboard's calls (spec §7). That the caller is an administrator is the rule in access.ts. */
export const adminRoutes = new Hono<ApiEnv>();

adminRoutes.get('/admin', async (c) => {
  const { action, q, cursor } = readQuery(c, adminQuery);
  const db = c.get('db');
  switch (action) {
    case 'stats':
      return c.json(await adminStats(db));
    case 'users':
      return c.json(await adminUsers(db, q, cursor, c.get('now')));
    case 'urls':
      return c.json(await adminUrls(db, q, cursor));
    case 'log':
      return c.json(await adminLog(db, q, cursor));
  }
});

adminRoutes.post('/admin', async (c) => {
  const action = await readJson(c, adminAction);
  const done = await act(c.get('db'), requireMember(c).id, action, authSecret(c.env), c.get('now'));
  if (done.ok) return c.json({ success: true });
  throw done.reason === 'unknown_user'
    ? new ApiError('not_found', 'There is no such user.')
    : new ApiError('conflict', 'This is the last administrator. Make somebody else an administrator first.');
});

function act(db: Db, adminId: string, action: AdminAction, secret: string, now: number): Promise<Done> {
  switch (action.action) {
    case 'update_plan':
      return changePlan(db, adminId, action.user_id, action.plan_type, now);
    case 'reset_usage':
      return resetUsage(db, adminId, action.user_id, now);
    case 'set_role':
      return changeRole(db, adminId, action.user_id, action.role, secret, now);
    case 'repair_counts':
      return repairTotals(db, adminId, now);
  }
}
