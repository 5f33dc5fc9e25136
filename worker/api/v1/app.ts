import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import type { Scope } from '#contract/api/scopes.ts';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { PLANS } from '#contract/site.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import { checkAccessRules, routeNameOf, ruleOf, createBaseApp } from '#worker/api/base-app.ts';
import { keyHolds } from '#worker/api-keys/find-key.ts';
import { identifyKey, requireLiveKey } from '#worker/api/identity.ts';
import { guardWrites, type WriteRight } from '#worker/db/guard-writes.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { takeFromMinute } from '#worker/http/allowances.ts';
import { PATCH_TYPES } from '#contract/pages/media-types.ts';
import { readQuery, requireKey } from '#worker/http/validate.ts';
import { analyticsV1 } from './analytics.ts';
import { actionsV1 } from './actions.ts';
import { bulkV1 } from './bulk.ts';
import { cardsV1 } from './cards.ts';
import { clicksV1 } from './clicks.ts';
import { historyV1 } from './history.ts';
import { importsV1 } from './imports.ts';
import { linksV1 } from './links.ts';
import { mcpRoutes } from './mcp.ts';
import { domainsV1 } from './domains.ts';
import { tagsV1 } from './tags.ts';
import { webhooksV1 } from './webhooks.ts';
import { respondProblem } from './problem.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { noParameters, OPENAPI_FILE, V1_PAGE_MAX, type V1Me } from '#contract/v1/v1.ts';
import { V1_BULK_MAX } from '#contract/limits.ts';
import { V1_CODES } from '#contract/v1/v1-problem.ts';
import { escapeHtml } from '#worker/html.ts';
import { pageHeaders, renderHtmlPage } from '#worker/redirect/html-page.ts';
import { PROBLEMS, PROBLEMS_PAGE } from '#worker/messages/public-api.ts';
import { oauthRoutes } from '#worker/oauth/endpoints.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { readSubscription, remainingQuota } from '#worker/plans/subscription.ts';

/** Any website may call this API: it takes a key in a header, never a cookie. */
const openToAll = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Mcp-Protocol-Version',
    'Mcp-Session-Id',
    'Last-Event-ID',
  ],
  exposeHeaders: [
    'Accept-Patch',
    'Allow',
    'ETag',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
    'Idempotency-Replayed',
  ],
  maxAge: 86_400,
});

/** Says in the answer to OPTIONS what the address supports (RFC 9110 §9.3.7, RFC 5789 §3.1). */
const describeMethods: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (c.req.method !== 'OPTIONS') return;
  const methods = Object.keys(KEY_ACCESS).flatMap((route) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`);
    if (!path.test(c.req.path)) return [];
    return method === 'GET' ? ['GET', 'HEAD'] : [method];
  });
  if (methods.length === 0) return;
  c.header('Allow', [...new Set(methods), 'OPTIONS'].join(', '));
  if (methods.includes('PATCH')) c.header('Accept-Patch', PATCH_TYPES.join(', '));
};

/** The public API. It is imported at its first request, so that nothing else evaluates it. */
function createV1(): Hono<ApiEnv> {
  const app = createBaseApp({
    respond: respondProblem,
    resourcePolicy: 'cross-origin',
    admit,
    before: [describeMethods, openToAll],
  });
  app.use(refuseUnknownParameters);
  app.get('/api/v1/openapi.json', (c) => serveOpenApi(c));
  app.get('/api/v1/errors', serveErrors);
  app.get('/api/v1/me', (c) => serveMe(c));
  app.route('/', oauthRoutes);
  app.route('/api/v1', bulkV1);
  app.route('/api/v1', actionsV1);
  app.route('/api/v1', importsV1);
  app.route('/api/v1', linksV1);
  app.route('/api/v1', historyV1);
  app.route('/api/v1', cardsV1);
  app.route('/api/v1', analyticsV1);
  app.route('/api/v1', clicksV1);
  app.route('/api/v1', tagsV1);
  app.route('/api/v1', domainsV1);
  app.route('/api/v1', webhooksV1);
  // A tool call is a request to this app by the caller that has just been admitted.
  const tools = mcpRoutes((caller, request, c) => {
    ADMITTED.set(request, caller);
    return app.fetch(request, c.env, c.executionCtx);
  });
  app.route('/api', tools);
  checkAccessRules(app, KEY_ACCESS);
  return app;
}

/** The routes that read query parameters. All others take none. */
const WITH_QUERY: ReadonlySet<string> = new Set([
  'GET /api/v1/links',
  'GET /api/v1/links/count',
  'GET /api/v1/links/:id/qr.png',
  'GET /api/v1/links/:id/analytics',
  'GET /api/v1/analytics',
  'GET /api/v1/analytics/clicks',
  'GET /api/v1/export',
  'GET /api/v1/webhooks/:webhookId/deliveries',
]);

const refuseUnknownParameters: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const name = routeNameOf(c);
  const takesNone = name !== null && KEY_ACCESS[name] !== 'anyone' && !WITH_QUERY.has(name);
  if (takesNone) readQuery(c, noParameters);
  await next();
};

/**
 * Requests of MCP tools. They are part of a request that has been counted, except those of a
 * batch's further messages.
 */
const ADMITTED = new WeakMap<Request, { key: KeyIdentity; isCounted: boolean }>();

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
  const admitted = ADMITTED.get(c.req.raw);
  const key = admitted?.key ?? (await identifyKey(c.req.raw, c.env, db, c.get('now')));
  c.set('key', key);
  c.set('origins', { ...c.get('origins'), domains: key.domains });
  const right: WriteRight = {
    holds: (now) => keyHolds(key, now),
    check: () => requireLiveKey(db, key, Date.now()),
  };
  c.set('db', guardWrites(db, right));
  if (!isFirst) return;
  if (admitted?.isCounted !== true) await countRequest(c, key);
  checkScopes(c, key, rule);
}

/** Throws 403 unless the key has one of the route's scopes. */
function checkScopes(c: Context<ApiEnv>, key: KeyIdentity, scopes: readonly Scope[]): void {
  if (scopes.length === 0 || scopes.some((scope) => key.scopes.includes(scope))) return;
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
  throw apiError('scope_needed', { detail: scopes.join(' or ') });
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
  throw apiError('key_requests_used_up', {
    amount: resetSeconds,
    plan: key.plan,
    upgradeRequired: key.plan === 'free',
    retryAfter: resetSeconds,
  });
}

/**
 * The build writes the document (web/api-files.ts), so that the Worker does not contain its
 * generator.
 */
async function serveOpenApi(c: Context<ApiEnv>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(new URL(OPENAPI_FILE, c.req.url));
  if (!file.ok) throw apiError('no_api_description');
  const text = (await file.text()).replaceAll(BUILT_ORIGIN, c.get('origins').app);
  return c.body(text, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=300',
  });
}

/** The page that the `type` of every error opens. */
function serveErrors(c: Context<ApiEnv>): Response {
  const nonce = crypto.randomUUID();
  const text = (markdown: string): string =>
    escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
  const sections = V1_CODES.map(
    (code) =>
      `<h2 id="${code}">${escapeHtml(PROBLEMS[code].title)}</h2><p>${ERROR_CODES[code]} <code>${code}</code></p><p>${text(PROBLEMS[code].advice)}</p>`,
  );
  const { title, lead } = PROBLEMS_PAGE;
  const main = `<h1>${title}</h1><p>${text(lead)}</p>${sections.join('')}`;
  return new Response(renderHtmlPage(c.env, { title, nonce, appOrigin: '', main }), {
    headers: pageHeaders(c.req.raw, nonce),
  });
}

/**
 * Returns the key and what its owner may do. Contains no address, because a key may end up where
 * other people read it.
 */
async function serveMe(c: Context<ApiEnv>): Promise<Response> {
  const key = requireKey(c);
  const subscription = await readSubscription(c.get('db'), key.userId, c.get('now'));
  const { plan_type, monthly_limit, current_usage, cycle_ends_at } = subscription;
  return c.json({
    plan: plan_type,
    quota: {
      limit: monthly_limit,
      used: current_usage,
      remaining: remainingQuota(subscription),
      resetsAt: cycle_ends_at,
    },
    limits: {
      requestsPerMinute: PLANS[plan_type].apiRequests,
      linksPerBulkRequest: planIncludes(plan_type, 'bulk') ? V1_BULK_MAX : 0,
      linksPerPage: V1_PAGE_MAX,
    },
    key: {
      id: key.keyId,
      name: key.keyName,
      scopes: [...key.scopes],
      codePrefix: key.codePrefix === '' ? null : key.codePrefix,
      expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
    },
  } satisfies V1Me);
}

export const v1 = createV1();
