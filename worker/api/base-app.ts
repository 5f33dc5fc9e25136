import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { authSecret } from '#worker/auth/service/settings.ts';
import { openShards } from '#worker/db/shards.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { originsOf } from '#worker/http/origins.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import { requireSchema } from '#worker/http/require-schema.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { BODY_MAX_BYTES, LARGE_BODIES } from './access.ts';
import { routeNameOf } from './check-access-rules.ts';

/** Routes that answer even if the database's schema is outdated. `/api/admin/system` reports it. */
const WITHOUT_SCHEMA: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/ready',
  '/api/admin/system',
]);

type BaseOptions = {
  respond: (error: Error, c: Context<ApiEnv>) => Response;
  /** Which sites may embed the answers. */
  resourcePolicy: 'same-origin' | 'cross-origin';
  /**
   * Finds the caller, and throws if the route is not for them. Runs after the body has arrived,
   * because a right may end in the meantime. Also runs before a large body, so that only callers
   * who may send one can make the Worker keep it.
   */
  admit: (c: Context<ApiEnv>) => Promise<void>;
  /** Runs before a method is rejected, for preflight requests. */
  before?: MiddlewareHandler<ApiEnv>[];
};

/**
 * The common part of the application's API and the public API: request ids, headers, 404 and 405,
 * and the request's variables.
 */
export function createBaseApp({
  respond,
  resourcePolicy,
  admit,
  before = [],
}: BaseOptions): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.onError(respond);
  app.notFound((c) => respond(new ApiError('not_found', 'There is nothing at this address.'), c));

  // Without a header name it ignores the client's X-Request-Id, which could forge ids in our log.
  app.use(requestId({ headerName: '' }));
  app.use(async (c, next) => {
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('Cache-Control', c.res.headers.get('Cache-Control') ?? 'no-store');
    c.header('Cross-Origin-Resource-Policy', resourcePolicy);
    for (const [name, value] of Object.entries(securityHeaders(c.req.url))) {
      // A route that needs another policy, such as an image or a sign-in page, has set it already.
      if (name !== 'Content-Security-Policy' || !c.res.headers.has(name)) c.header(name, value);
    }
  });
  for (const handler of before) app.use(handler);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(c, methods) {
        const message = `This address supports ${methods.join(', ')} only.`;
        return respond(new ApiError('method_not_allowed', message, { allow: methods }), c);
      },
    }),
  );
  app.use(async (c, next) => {
    // Fails every call at once in a deployment without AUTH_SECRET, instead of at the first
    // sign-in.
    if (c.req.path !== '/api/health') authSecret(c.env);
    c.set('now', Date.now());
    c.set('db', openShards(c.env));
    if (!WITHOUT_SCHEMA.has(c.req.path)) await requireSchema(c.get('db'));
    c.set('identity', null);
    c.set('key', null);
    c.set('origins', originsOf(c.env, c.req.url));
    await next();
  });
  app.use(async (c, next) => {
    const name = routeNameOf(c);
    const large = name === null ? undefined : LARGE_BODIES[name];
    const db = c.get('db');
    if (large !== undefined) await admit(c);
    c.set('db', db);
    // The body of an unknown route is not read.
    c.set(
      'body',
      await readBodyText(name === null ? null : c.req.raw.body, large ?? BODY_MAX_BYTES),
    );
    c.set('now', Date.now());
    await admit(c);
    await next();
  });
  return app;
}
