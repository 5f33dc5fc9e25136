import { Hono, type Context } from 'hono';
import {
  adminAction,
  adminClaimRequest,
  adminQuery,
  type AdminAction,
} from '#contract/moderation/admin.ts';
import { appLinksChange, appLinksQuery } from '#contract/pages/app-links.ts';
import { listAuditLog } from '#worker/audit/list-audit-log.ts';
import { logRefusedAdmin } from '#worker/auth/service/sign-in-log.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import type { Db } from '#worker/db/client.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { appLinkKey } from '#worker/http/cache-keys.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import {
  changeAppLinks,
  findAppLinkDomain,
  readAppLinks,
  type AppLinkDomain,
} from './app-links.ts';
import { claimAdmin } from './claim-admin.ts';
import { listAdminLinks, listAdminUsers, readAdminStats } from './overview.ts';
import { repairTotals } from './repair-totals.ts';
import {
  changePlan,
  changeRole,
  renewImport,
  resetUsage,
  type UserActionResult,
} from './user-actions.ts';

/**
 * The routes of the admin dashboard. Only administrators may call them (api/access.ts), except the
 * claim, with which a member becomes an administrator.
 */
export const adminRoutes = new Hono<ApiEnv>();

adminRoutes.get('/admin', async (c) => {
  const query = readQuery(c, adminQuery);
  const { action, cursor } = query;
  const filter = { ...query, q: query.q.trim() };
  const db = c.get('db');
  switch (action) {
    case 'stats':
      return c.json(await readAdminStats(db, c.get('now')));
    case 'users':
      return c.json(await listAdminUsers(db, filter, cursor, c.get('now')));
    case 'urls':
      return c.json(await listAdminLinks(db, filter, cursor));
    case 'log':
      return c.json(await listAuditLog(db, filter.q, cursor));
  }
});

adminRoutes.post('/admin', async (c) => {
  const action = readJson(c, adminAction);
  const result = await runAction(
    c.get('db'),
    requireMember(c).id,
    action,
    authSecret(c.env),
    c.get('now'),
  );
  if (result.ok) return c.json({ success: true });
  throw apiError(result.reason);
});

adminRoutes.post('/admin/claim', async (c) => {
  const member = await limitWrites(c);
  const { token } = readJson(c, adminClaimRequest);
  if (!(await claimAdmin(c.get('db'), member.id, token, c.env.ADMIN_CLAIM, c.get('now')))) {
    logRefusedAdmin('admin_claim_refused', c.env, c.req.raw, member);
    throw apiError('claim_used');
  }
  return c.json({ success: true });
});

adminRoutes.get('/admin/app-links', async (c) => {
  const domain = await appLinkDomain(c, readQuery(c, appLinksQuery).domain);
  return c.json(await readAppLinks(c.get('db'), c.get('origins'), domain));
});

adminRoutes.post('/admin/app-links', async (c) => {
  const change = readJson(c, appLinksChange);
  const domain = await appLinkDomain(c, change.domain);
  await changeAppLinks(c.get('db'), requireMember(c).id, domain, change, c.get('now'));
  await evict([appLinkKey(c.get('origins'), domain.id, change.file)]);
  return c.json(await readAppLinks(c.get('db'), c.get('origins'), domain));
});

/** The domain of the operator with this name. */
async function appLinkDomain(c: Context<ApiEnv>, name: string): Promise<AppLinkDomain> {
  const { shared } = configuredDomains(c.env);
  const domain = await findAppLinkDomain(c.get('db'), shared, name);
  if (domain === null) throw apiError('unknown_domain');
  return domain;
}

function runAction(
  db: Db,
  adminId: string,
  action: AdminAction,
  secret: string,
  now: number,
): Promise<UserActionResult> {
  switch (action.action) {
    case 'update_plan':
      return changePlan(db, adminId, action.user_id, action.plan_type, now);
    case 'reset_usage':
      return resetUsage(db, adminId, action.user_id, now);
    case 'renew_import':
      return renewImport(db, adminId, action.user_id, now);
    case 'set_role':
      return changeRole(db, { adminId, userId: action.user_id, role: action.role, secret, now });
    case 'repair_counts':
      return repairTotals(db, adminId, now);
  }
}
