import type { Origins } from '#worker/http/origins.ts';
import type { Context, Hono } from 'hono';
import { abuseRoutes } from '#worker/abuse/routes.ts';
import { domainRoutes } from './domain-routes.ts';
import { accountRoutes } from '#worker/account/routes.ts';
import { adminRoutes } from '#worker/admin/routes.ts';
import { analyticsRoutes } from '#worker/reports/routes.ts';
import { overviewRoutes } from '#worker/reports/overview-routes.ts';
import { apiKeysRoutes } from '#worker/api-keys/routes.ts';
import { toApiError } from '#worker/auth/service/errors.ts';
import { logRefusedAdmin } from '#worker/auth/service/sign-in-log.ts';
import { authRoutes } from '#worker/auth/routes.ts';
import { sessionsRoutes } from '#worker/auth/sessions/routes.ts';
import { blogRoutes } from '#worker/blog/routes.ts';
import { clickPreviewRoutes } from '#worker/clicks/preview/routes.ts';
import { callerHolds } from '#worker/auth/sessions/session-state.ts';
import { needsSecondFactor, sessionMaxMs } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import type { Db } from '#worker/db/client.ts';
import { memberDomainRoutes } from '#worker/domains/saas/routes.ts';
import { guardWrites, type WriteRight } from '#worker/db/guard-writes.ts';
import type { ApiEnv, Identity } from '#worker/http/context.ts';
import { apiError, onError } from '#worker/http/errors.ts';
import { linkActionsRoutes } from '#worker/links/actions/routes.ts';
import { cardRoutes } from '#worker/links/card/routes.ts';
import { importRoutes } from '#worker/links/import/routes.ts';
import { linksRoutes } from '#worker/links/routes.ts';
import { consentRoutes } from '#worker/oauth/routes.ts';
import { plansRoutes } from '#worker/account/plan-routes.ts';
import { qrPresetsRoutes } from '#worker/presets/qr-presets/routes.ts';
import { systemRoutes } from '#worker/system/routes.ts';
import { utmTemplatesRoutes } from '#worker/presets/utm-templates/routes.ts';
import { tagsRoutes } from '#worker/tags/routes.ts';
import { viewsRoutes } from '#worker/presets/views/routes.ts';
import { webhooksRoutes } from '#worker/webhooks/routes.ts';
import { sharedReportsRoutes } from '#worker/reports/shared/routes.ts';
import { weeklyMailRoutes } from '#worker/reports/weekly-mail/routes.ts';
import { ACCESS, type Access } from './access.ts';
import { checkAccessRules, ruleOf, createBaseApp } from './base-app.ts';
import { identify } from './identity.ts';

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True for a write that a page of another site has sent (SECURITY.md T17). This is a second check:
 * tokens travel in a header that another site cannot set. Browsers send Origin or Sec-Fetch-Site; a
 * request with neither comes from a program.
 */
export function isCrossSiteWrite(request: Request, origins: Origins): boolean {
  if (READ_METHODS.has(request.method)) return false;
  const origin = request.headers.get('Origin');
  if (origin !== null) return origin !== origins.app && origin !== new URL(request.url).origin;
  const site = request.headers.get('Sec-Fetch-Site');
  return site === 'cross-site' || site === 'same-site';
}

/**
 * Every /api route except the public API. A new feature adds one `app.route` line here and its
 * rules to access.ts.
 */
function createApp(): Hono<ApiEnv> {
  const app = createBaseApp({
    respond: (error, c) => onError(toApiError(error), c),
    resourcePolicy: 'same-origin',
    admit,
  });

  app.get('/api/health', (c) => c.json({ ok: true }));
  app.route('/api/auth/v1', authRoutes);
  app.route('/api', sessionsRoutes);
  app.route('/api', accountRoutes);
  app.route('/api', apiKeysRoutes);
  app.route('/api', consentRoutes);
  app.route('/api', webhooksRoutes);
  app.route('/api', blogRoutes);
  app.route('/api', adminRoutes);
  app.route('/api', abuseRoutes);
  app.route('/api', linksRoutes);
  app.route('/api', cardRoutes);
  app.route('/api', linkActionsRoutes);
  app.route('/api', importRoutes);
  app.route('/api', tagsRoutes);
  app.route('/api', qrPresetsRoutes);
  app.route('/api', utmTemplatesRoutes);
  app.route('/api', viewsRoutes);
  app.route('/api', domainRoutes);
  app.route('/api', memberDomainRoutes);
  app.route('/api', plansRoutes);
  app.route('/api', clickPreviewRoutes);
  app.route('/api', analyticsRoutes);
  app.route('/api', overviewRoutes);
  app.route('/api', sharedReportsRoutes);
  app.route('/api', weeklyMailRoutes);
  app.route('/api', systemRoutes);
  checkAccessRules(app, ACCESS);
  return app;
}

/**
 * Applies the access rule of a request's route. Sets the caller, and a database that writes only
 * while the caller's right lasts.
 */
async function admit(c: Context<ApiEnv>): Promise<void> {
  // The embedded sign-in service accepts any origin, like the hosted service: its clients may run
  // elsewhere.
  if (!c.req.path.startsWith('/api/auth/v1/') && isCrossSiteWrite(c.req.raw, c.get('origins')))
    throw apiError('other_website');
  const rule = ruleOf(c, ACCESS);
  if (rule === null) return;
  const db = c.get('db');
  const identity = await authorize(c.req.raw, c.env, db, c.get('now'), rule);
  if (identity === null) return;
  c.set('identity', identity);
  c.set('origins', { ...c.get('origins'), domains: identity.domains });
  const right: WriteRight = {
    holds: (now) => callerHolds(identity, isEmbedded(c.env) ? sessionMaxMs(c.env) : null, now),
    check: async () => {
      const current = await authorize(c.req.raw, c.env, db, Date.now(), rule);
      if (current?.role !== identity.role) throw apiError('role_changed');
    },
  };
  c.set('db', guardWrites(db, right));
}

/** Applies a route's access rule: returns the caller, or null for a visitor. Throws 401 or 403. */
async function authorize(
  request: Request,
  env: Env,
  db: Db,
  now: number,
  access: Access,
): Promise<Identity | null> {
  if (access === 'anyone') return null;
  const identity = await identify(request, env, db, now);
  if (access === 'optional') return identity;
  if (identity === null) throw apiError('not_signed_in');
  if (access === 'admin' && identity.role !== 'admin') {
    logRefusedAdmin('admin_refused', env, request, identity);
    throw apiError('not_admin');
  }
  if (access === 'admin' && needsSecondFactor(env, identity))
    throw apiError('second_factor_missing');
  return identity;
}

export const app = createApp();
