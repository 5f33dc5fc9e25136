import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import { abuseRoutes } from '#worker/abuse/routes.ts';
import { accountRoutes } from '#worker/account/routes.ts';
import { adminRoutes } from '#worker/admin/routes.ts';
import { analyticsRoutes } from '#worker/analytics/routes.ts';
import { toApiError } from '#worker/auth/errors.ts';
import { authRoutes } from '#worker/auth/routes.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { blogRoutes } from '#worker/blog/routes.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import type { ApiEnv, Identity } from '#worker/http/context.ts';
import { ApiError, onError } from '#worker/http/errors.ts';
import { originsOf } from '#worker/http/origins.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { linksRoutes } from '#worker/links/routes.ts';
import { plansRoutes } from '#worker/plans/routes.ts';
import { ACCESS } from './access.ts';
import { checkAccessRules } from './check-access-rules.ts';
import { isCrossSiteWrite } from './cross-site-write.ts';
import { identify } from './identity.ts';

/** Every /api route. A new feature adds one `app.route` line here and its rules to access.ts. */
function createApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.onError((error, c) => onError(toApiError(error), c));
  app.notFound((c) => onError(new ApiError('not_found', 'There is nothing at this address.'), c));

  // Without a header name it ignores the client's X-Request-Id, which could forge the ids in our log.
  app.use(requestId({ headerName: '' }));
  app.use(async (c, next) => {
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('Cache-Control', c.res.headers.get('Cache-Control') ?? 'no-store');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    for (const [name, value] of Object.entries(securityHeaders(c.req.url))) {
      // A route that needs another policy, such as an image or a sign-in page, has set it already.
      if (name !== 'Content-Security-Policy' || !c.res.headers.has(name)) c.header(name, value);
    }
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(c, methods) {
        const message = `This address supports ${methods.join(', ')} only.`;
        return onError(new ApiError('method_not_allowed', message, { allow: methods }), c);
      },
    }),
  );
  app.use(async (c, next) => {
    // Fails every call at once in a deployment without AUTH_SECRET, instead of at the first sign-in.
    if (c.req.path !== '/api/health') authSecret(c.env);
    c.set('now', Date.now());
    c.set('db', openDb(c.env.DB));
    c.set('identity', null);
    c.set('origins', originsOf(c.env, c.req.url));
    // The embedded sign-in service accepts any origin, like the hosted service: its clients may run elsewhere.
    if (!c.req.path.startsWith('/api/auth/v1/') && isCrossSiteWrite(c.req.raw, c.get('origins')))
      throw new ApiError('forbidden', 'Requests from other websites are not allowed.');
    await next();
  });
  app.use(async (c, next) => {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const route = matchedRoutes(c).find((r) => r.method === method && !r.path.endsWith('*'));
    if (route !== undefined)
      c.set('identity', await authorize(c.req.raw, c.env, c.get('db'), c.get('now'), ACCESS[`${route.method} ${route.path}`]));
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
  checkAccessRules(app, ACCESS);
  return app;
}

/** Applies a route's access rule: returns the caller, or null for a visitor. Throws 401 or 403. */
async function authorize(request: Request, env: Env, db: Db, now: number, access: string | undefined): Promise<Identity | null> {
  if (access === 'anyone') return null;
  if (access === undefined) throw new Error('This route has no rule in access.ts.');
  const identity = await identify(request, env, db, now);
  if (access === 'optional') return identity;
  if (identity === null) throw new ApiError('unauthenticated', 'Sign in to continue.');
  if (access === 'admin' && identity.role !== 'admin') throw new ApiError('forbidden', 'Only administrators can do this.');
  return identity;
}

export const app = createApp();
