import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { accountRoutes } from '#worker/account/routes.ts';
import { abuseRoutes } from '#worker/abuse/routes.ts';
import { adminRoutes } from '#worker/admin/routes.ts';
import { toApiError } from '#worker/auth/errors.ts';
import { authRoutes } from '#worker/auth/routes.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { openDb } from '#worker/db/client.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { analyticsRoutes } from '#worker/analytics/routes.ts';
import { blogRoutes } from '#worker/blog/routes.ts';
import { linksRoutes } from '#worker/links/routes.ts';
import { originsOf } from '#worker/http/origins.ts';
import { plansRoutes } from '#worker/plans/routes.ts';
import { ACCESS } from './access.ts';
import type { ApiEnv, Identity } from '#worker/http/context.ts';
import { identify } from './identity.ts';
import { ApiError, onError } from '#worker/http/errors.ts';
import { checkRules, methodsAt } from './routing.ts';
import { isForeignWrite } from './same-site.ts';

/** Every /api route. A feature is one line here and its rules in access.ts. */
function createApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.onError((error, c) => onError(toApiError(error), c));
  app.notFound((c) => onError(nothingHere(c.req.path), c));

  app.use(async (c, next) => {
    c.set('requestId', crypto.randomUUID());
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('Cache-Control', c.res.headers.get('Cache-Control') ?? 'no-store');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    for (const [name, value] of Object.entries(securityHeaders(c.req.url))) {
      // A route that needs a policy of its own (an image, a page of the sign-in) has set it already.
      if (name !== 'Content-Security-Policy' || !c.res.headers.has(name)) c.header(name, value);
    }
  });
  app.use(async (c, next) => {
    if (c.req.path !== '/api/health') authSecret(c.env);
    c.set('now', Date.now());
    c.set('db', openDb(c.env.DB));
    c.set('identity', null);
    c.set('origins', originsOf(c.env, c.req.url));
    // The embedded sign-in answers any origin, as the hosted one does: its clients may live elsewhere.
    if (!c.req.path.startsWith('/api/auth/v1/') && isForeignWrite(c.req.raw, c.get('origins')))
      throw new ApiError('forbidden', 'This request comes from another site.');
    await next();
  });
  app.use(async (c, next) => {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const route = matchedRoutes(c).find((r) => r.method === method && !r.path.endsWith('*'));
    if (route !== undefined)
      c.set('identity', await authorise(c.req.raw, c.env, c.get('db'), c.get('now'), ACCESS[`${route.method} ${route.path}`]));
    await next();
  });

  app.get('/api/health', (c) => c.json({ ok: true }));
  app.route('/api/auth/v1', authRoutes);
  app.route('/api', accountRoutes);
  app.route('/api', blogRoutes);
  app.route('/api', adminRoutes);
  app.route('/api', abuseRoutes);
  app.route('/api', linksRoutes);
  app.route('/api', plansRoutes);
  app.route('/api', analyticsRoutes);
  checkRules(app, ACCESS);
  return app;
}

/** 405 with the methods that work where the path is known, 404 elsewhere. */
function nothingHere(path: string): ApiError {
  const allow = methodsAt(ACCESS, path);
  if (allow.length === 0) return new ApiError('not_found', 'There is nothing at this address.');
  return new ApiError('method_not_allowed', `This address answers to ${allow.join(', ')} only.`, { allow });
}

async function authorise(
  request: Request,
  env: Env,
  db: ReturnType<typeof openDb>,
  now: number,
  access: string | undefined,
): Promise<Identity | null> {
  if (access === 'anyone') return null;
  if (access === undefined) throw new Error('This route has no rule in access.ts.');
  const identity = await identify(request, env, db, now);
  if (access === 'optional') return identity;
  if (identity === null) throw new ApiError('unauthenticated', 'Please sign in first.');
  if (access === 'admin' && identity.role !== 'admin') throw new ApiError('forbidden', 'This is for administrators only.');
  return identity;
}

export const app = createApp();
