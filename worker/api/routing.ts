import type { Hono } from 'hono';
import type { Access } from './access.ts';
import type { ApiEnv } from '#worker/http/context.ts';

/** A route as the router knows it: `GET /api/links/:code`. */
export type RouteName = `${string} ${string}`;

/** Every route of the app, middleware left out. A handler for all methods would escape the rules, so there is none. */
export function routeNames(app: Hono<ApiEnv>): RouteName[] {
  const handlers = app.routes.filter((route) => !(route.method === 'ALL' && route.path.endsWith('*')));
  return [...new Set(handlers.map((route): RouteName => `${route.method} ${route.path}`))].filter(
    (name) => !name.startsWith('OPTIONS '),
  );
}

/** Throws at start, not at the first request, where a route has no rule or a rule no route. */
export function checkRules(app: Hono<ApiEnv>, rules: Readonly<Record<string, Access>>): void {
  const names = routeNames(app);
  const missing = names.filter((name) => rules[name] === undefined);
  const stale = Object.keys(rules).filter((rule) => !names.some((name) => name === rule));
  if (missing.length > 0) throw new Error(`These routes have no rule in access.ts: ${missing.join(', ')}`);
  if (stale.length > 0) throw new Error(`These rules in access.ts have no route: ${stale.join(', ')}`);
}

/** The methods that a path answers to, for 405; none where there is no such path. */
export function methodsAt(rules: Readonly<Record<string, Access>>, path: string): string[] {
  const parts = path.split('/');
  const methods = Object.keys(rules)
    .map((rule) => rule.split(' '))
    .filter(([, pattern = '']) => fits(pattern.split('/'), parts))
    .map(([method = '']) => method);
  return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
}

const fits = (pattern: string[], parts: string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== undefined && parts[i] !== '' : part === parts[i]));
