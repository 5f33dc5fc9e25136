import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from '#worker/http/context.ts';
import type { Db } from '#worker/db/client.ts';
import { isCurrent, NEEDED_SCHEMA, readSchema } from '#worker/db/schema-version.ts';
import { logEvent } from '#worker/log.ts';
import { apiError } from '#worker/http/errors.ts';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { authSecret } from '#worker/auth/service/settings.ts';
import { openShards } from '#worker/db/shards.ts';
import { originsOf } from '#worker/http/origins.ts';
import { readBodyText } from '#worker/http/read-body.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { BODY_MAX_BYTES, LARGE_BODIES } from './access.ts';

/** A method and a path pattern: `GET /api/links/:code`. */
export type RouteName = `${string} ${string}`;

/**
 * Returns every route of the app without its middleware. A handler for all methods counts as a
 * route named `ALL`.
 */
export function routeNames(app: Hono<ApiEnv>): RouteName[] {
  const handlers = app.routes.filter(
    (route) => !(route.method === 'ALL' && route.path.endsWith('*')),
  );
  return [...new Set(handlers.map((route): RouteName => `${route.method} ${route.path}`))].filter(
    (name) => !name.startsWith('OPTIONS '),
  );
}

/**
 * Throws if a route has no rule or a rule has no route. Runs when the app is created, not at the
 * first request.
 */
export function checkAccessRules(
  app: Hono<ApiEnv>,
  rules: Readonly<Record<string, unknown>>,
): void {
  const names = routeNames(app);
  const missing = names.filter((name) => rules[name] === undefined);
  const stale = Object.keys(rules).filter((rule) => !names.some((name) => name === rule));
  if (missing.length > 0)
    throw new Error(`These routes have no rule in access.ts: ${missing.join(', ')}`);
  if (stale.length > 0)
    throw new Error(`These rules in access.ts have no route: ${stale.join(', ')}`);
}

/** The name of the route that will answer this request; null if there is no route. */
export function routeNameOf(c: Context<ApiEnv>): RouteName | null {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const route = matchedRoutes(c).find(
    (found) => found.method === method && !found.path.endsWith('*'),
  );
  return route === undefined ? null : `${route.method} ${route.path}`;
}

/**
 * The rule of the route that will answer this request; null if there is no route. Throws if the
 * route has no rule.
 */
export function ruleOf<Rule>(
  c: Context<ApiEnv>,
  rules: Readonly<Record<string, Rule>>,
): Rule | null {
  const name = routeNameOf(c);
  if (name === null) return null;
  const rule = rules[name];
  if (rule === undefined) throw new Error('This route has no rule in access.ts.');
  return rule;
}

/** Once the schema is new enough, this isolate does not check it again. */
let isKnown = false;

/**
 * Throws 503 while the database has an older schema than this release needs, because a Worker
 * deployed before its migrations would fail halfway through requests. Reads D1 once per isolate. If
 * D1 does not answer, the route reports that itself.
 */
async function requireSchema(db: Db): Promise<void> {
  if (isKnown) return;
  const schema = await readSchema(db).catch(() => null);
  if (schema === null) return;
  isKnown = isCurrent(schema.found);
  if (isKnown) return;
  logEvent('schema_too_old', {
    found: schema.found,
    needed: NEEDED_SCHEMA,
    advice: 'Apply the migrations.',
  });
  throw apiError('upgrading');
}

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
   * because a right may end in the meantime. Also runs before a large body is read, so that other
   * callers cannot fill the Worker's memory.
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
  app.notFound((c) => respond(apiError('unknown_address'), c));

  // Without a header name it ignores the client's X-Request-Id, which could forge ids in our log.
  app.use(requestId({ headerName: '' }));
  app.use(async (c, next) => {
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('Cache-Control', c.res.headers.get('Cache-Control') ?? 'no-store');
    const policy = c.res.headers.get('Cross-Origin-Resource-Policy') ?? resourcePolicy;
    c.header('Cross-Origin-Resource-Policy', policy);
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
        const error = apiError('unknown_method', { detail: methods.join(', '), allow: methods });
        return respond(error, c);
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
