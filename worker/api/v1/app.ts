import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { PLANS } from '#contract/site.ts';
import { KEY_ACCESS, type KeyAccess } from '#worker/api/access.ts';
import { createBaseApp } from '#worker/api/base-app.ts';
import { checkAccessRules, ruleOf } from '#worker/api/check-access-rules.ts';
import { keyHolds } from '#worker/api-keys/find-key.ts';
import { identifyKey, requireLiveKey } from '#worker/api/identity.ts';
import { guardWrites, type WriteRight } from '#worker/db/guard-writes.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { takeFromMinute } from '#worker/http/key-allowance.ts';
import { requireKey } from '#worker/http/validate.ts';
import { analyticsV1 } from './analytics.ts';
import { documentsV1 } from './documents.ts';
import { linksV1 } from './links.ts';
import { mcpRoutes } from './mcp.ts';
import { meV1 } from './me.ts';
import { respondProblem } from './problem.ts';

/** Any website may call this API: it takes a key in a header, never a cookie. */
const openToAll = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'Mcp-Protocol-Version',
    'Mcp-Session-Id',
    'Last-Event-ID',
  ],
  exposeHeaders: [
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'X-Request-Id',
    'Idempotency-Replayed',
  ],
  maxAge: 86_400,
});

/** The public API. It is imported at its first request, so that nothing else evaluates it. */
function createV1(): Hono<ApiEnv> {
  const app = createBaseApp({
    respond: respondProblem,
    resourcePolicy: 'cross-origin',
    admit,
    before: [openToAll],
  });
  app.route('/api/v1', documentsV1);
  app.route('/api/v1', meV1);
  app.route('/api/v1', linksV1);
  app.route('/api/v1', analyticsV1);
  // A tool call is a request to this app by the caller that has just been admitted.
  const tools = mcpRoutes((key, request, c) => {
    ADMITTED.set(request, key);
    return app.fetch(request, c.env, c.executionCtx);
  });
  app.route('/api', tools);
  checkAccessRules(app, KEY_ACCESS);
  return app;
}

/** Requests of MCP tools. They are part of a request that has already been counted. */
const ADMITTED = new WeakMap<Request, KeyIdentity>();

/**
 * Finds the key of a request, and sets a database that writes only while the key works. Throws 401,
 * 403 or 429. A request is counted at its first admission, so that a key beyond its limit or
 * without the scope cannot make the Worker keep a large body.
 */
async function admit(c: Context<ApiEnv>): Promise<void> {
  const rule = ruleOf(c, KEY_ACCESS);
  if (rule === null || rule === 'anyone') return;
  const isFirst = c.get('key') === null;
  const db = c.get('db');
  const key = ADMITTED.get(c.req.raw) ?? (await identifyKey(c.req.raw, c.env, db, c.get('now')));
  if (key === null)
    throw new ApiError('unauthenticated', 'Send an API key as “Authorization: Bearer hop_live_…”.');
  c.set('key', key);
  const right: WriteRight = {
    holds: (now) => keyHolds(key, now),
    check: () => requireLiveKey(db, key, Date.now()),
  };
  c.set('db', guardWrites(db, right));
  if (isFirst) await takeRequest(c, rule);
}

/**
 * Counts a request against the limit of its key and checks the route's scopes. Throws 403 or 429.
 */
async function takeRequest(
  c: Context<ApiEnv>,
  scopes: Exclude<KeyAccess, 'anyone'>,
): Promise<void> {
  const key = requireKey(c);
  if (!ADMITTED.has(c.req.raw)) await countRequest(c, key);
  if (scopes.length === 0 || scopes.some((scope) => key.scopes.includes(scope))) return;
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
  throw new ApiError(
    'insufficient_scope',
    `This needs a key with the scope ${scopes.join(' or ')}.`,
  );
}

async function countRequest(c: Context<ApiEnv>, key: KeyIdentity): Promise<void> {
  const limit = PLANS[key.plan].apiRequests;
  const { isAllowed, remaining, resetSeconds } = await takeFromMinute(
    c.get('db'),
    key.keyId,
    limit,
    c.get('now'),
  );
  // These headers follow draft-ietf-httpapi-ratelimit-headers.
  c.header('RateLimit-Policy', `"minute";q=${limit};w=60`);
  c.header('RateLimit', `"minute";r=${remaining};t=${resetSeconds}`);
  if (isAllowed) return;
  const message = `This key may send ${limit} requests a minute. Try again in ${resetSeconds} s.`;
  throw new ApiError('rate_limited', message, {
    upgradeRequired: key.plan === 'free',
    retryAfter: resetSeconds,
  });
}

export const v1 = createV1();
