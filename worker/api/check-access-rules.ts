import type { Hono } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import type { Access } from './access.ts';

/** A method and a path pattern: `GET /api/links/:code`. */
export type RouteName = `${string} ${string}`;

/** Returns every route of the app without its middleware. A handler for all methods counts as a route named `ALL`. */
export function routeNames(app: Hono<ApiEnv>): RouteName[] {
  const handlers = app.routes.filter((route) => !(route.method === 'ALL' && route.path.endsWith('*')));
  return [...new Set(handlers.map((route): RouteName => `${route.method} ${route.path}`))].filter(
    (name) => !name.startsWith('OPTIONS '),
  );
}

/** Throws if a route has no rule or a rule has no route. Runs when the app is created, not at the first request. */
export function checkAccessRules(app: Hono<ApiEnv>, rules: Readonly<Record<string, Access>>): void {
  const names = routeNames(app);
  const missing = names.filter((name) => rules[name] === undefined);
  const stale = Object.keys(rules).filter((rule) => !names.some((name) => name === rule));
  if (missing.length > 0) throw new Error(`These routes have no rule in access.ts: ${missing.join(', ')}`);
  if (stale.length > 0) throw new Error(`These rules in access.ts have no route: ${stale.join(', ')}`);
}
