import type { Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from '#worker/http/context.ts';

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
