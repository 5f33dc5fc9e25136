import { DEFAULT_DOMAIN, linkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import {
  isPage,
  MCP_PATH,
  canonicalPage,
  PAGES,
  PREFIXES,
  ROOT_FILES,
  STATUS_PATH,
} from '#contract/pages/paths.ts';
import { pictureSlugOf } from '#contract/blog/post-text.ts';
import { httpsOriginFor, isOnShortHost, isOwnHost } from '#worker/http/origins.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { countRemembered } from '#worker/metrics/counters.ts';
import { READY_ROUTE } from '#worker/metrics/definitions.ts';
import { createMeasure } from '#worker/metrics/measure-response.ts';
import { readPath, plainSpelling } from '#worker/redirect/read-url.ts';
import { createRedirect } from '#worker/redirect/redirect.ts';
import { createDomainRouter } from './domain-router.ts';
import { logEvent } from './log.ts';

/** First path segments under which every path belongs to a file or a prefix. */
const wholeSegments: ReadonlySet<string> = new Set([...PREFIXES, ...ROOT_FILES]);
/**
 * First path segments that may belong to the site. Every other path belongs to a short link,
 * without further checks.
 */
const siteSegments: ReadonlySet<string> = new Set([
  ...wholeSegments,
  ...[...PAGES, STATUS_PATH].map((page) => page.split('/')[1] ?? ''),
]);
const COLON = 58;
const DOT = 46;
const PERCENT = 37;

/** Slower code that the redirect rarely needs is imported on first use. */
const { redirect, redirectFromMemory } = createRedirect({
  async fold(env, window, now) {
    const { foldByShard } = await import('#worker/clicks/queue/fold-by-shard.ts');
    const { openShards } = await import('#worker/db/shards.ts');
    await foldByShard(openShards(env), [window], now);
  },
  async backfill(env, linkId, now) {
    const { publishLinks } = await import('#worker/edge/publish.ts');
    await publishLinks(env, [linkId], now);
  },
  async recordLoss(env, clicks, now) {
    const { openDb } = await import('#worker/db/client.ts');
    const { addLostClicks } = await import('#worker/db/system-facts.ts');
    await addLostClicks(openDb(env.DB), clicks, now);
  },
  async card(visit, key, record) {
    const { respondWithCard } = await import('#worker/site/card-page.ts');
    return respondWithCard(visit, key, record);
  },
  async isBot(userAgent) {
    const { isBot } = await import('#worker/http/user-agent.ts');
    return isBot(userAgent);
  },
  async enterPassword(visit, link) {
    const { enterPassword } = await import('#worker/links/password/enter-password.ts');
    return enterPassword(visit, link);
  },
  log: logEvent,
});

const measure = createMeasure<Env>(async (env) => {
  const { deliverMetrics } = await import('#worker/system/metrics/deliver-metrics.ts');
  await deliverMetrics(env);
});

const handleOtherHost = createDomainRouter({
  redirect,
  redirectFromMemory,
  preview,
  respondMisdirected,
  respondHttpsOnly,
  measure,
});

/**
 * Routes requests: `/api/v1` and `/api/mcp` to the public API, the rest of `/api` to the
 * application's API, a known page or file to the site, `/status` to the status page, `/{code}+` to
 * the preview, anything else to the redirect. A link that this isolate remembers is tried first,
 * which is safe because no code is a reserved word. An unknown host gets 421 before any lookup.
 * Everything but the redirect is imported on its first use, so that a cold redirect does not
 * evaluate it.
 */
export function handleRequest(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
): Response | Promise<Response> {
  const { url, method } = request;
  const visit = { request, url, method, now: Date.now(), env, ctx };
  if (!isOwnHost(env, url)) return handleOtherHost(visit);
  // "http:" has its colon at index 4 and "https:" does not. This runs on every redirect.
  if (url.charCodeAt(4) === COLON) {
    const secureOrigin = httpsOriginFor(env, url);
    if (secureOrigin !== null)
      return measure('other', respondHttpsOnly(request, secureOrigin), visit);
  }
  const path = readPath(url);
  const remembered = redirectFromMemory(visit, keyOf(path));
  if (remembered !== null) {
    countRemembered();
    return remembered;
  }
  const end = path.indexOf('/', 1);
  const first = path.slice(1, end === -1 ? undefined : end);
  if (siteSegments.has(first)) {
    if (first === 'api' && !isOnShortHost(env, url))
      return isPublicApi(path)
        ? measure('/api/v1', publicApi(request, env, ctx), visit)
        : measure(path === READY_ROUTE ? READY_ROUTE : '/api', api(request, env, ctx), visit);
    if (path.startsWith(WELL_KNOWN_OAUTH) && !isOnShortHost(env, url))
      return measure('/api/v1', publicApi(request, env, ctx), visit);
    if (first === 'dev' && !isOnShortHost(env, url))
      return measure('other', mailbox(request, env), visit);
    if (path === STATUS_PATH) return measure('/{page}', statusPage(request, env, ctx), visit);
    if (
      wholeSegments.has(first) ||
      isPage(path) ||
      canonicalPage(path) !== null ||
      pictureSlugOf(path) !== null
    )
      return measure('/{page}', site(request, env, ctx), visit);
  }
  // Only a path with a slash or a percent sign can be another spelling of a code. Below a segment
  // of the site there is no code, so nothing is read.
  const isPlain = end === -1 && path.charCodeAt(path.length - 3) !== PERCENT;
  const codePath = isPlain ? path : siteSegments.has(first) ? '/' : plainSpelling(path);
  if (codePath.endsWith('+')) {
    const key = keyOf(codePath.slice(0, -1));
    return measure('/{code}+', preview(request, env, ctx, key), visit);
  }
  return measure('/{code}', redirect(visit, keyOf(codePath)), visit);
}

/** A path whose second letter is a dot would be the key of a link on a domain. */
const keyOf = (path: string): LinkKey =>
  path.charCodeAt(2) === DOT ? '' : linkKey(DEFAULT_DOMAIN, path.slice(1));

async function respondMisdirected(request: Request, env: Env): Promise<Response> {
  const { respondMisdirected: respond } = await import('#worker/http/wrong-origin.ts');
  return respond(request, configuredOrigins(env).app !== null);
}

async function respondHttpsOnly(request: Request, secureOrigin: string): Promise<Response> {
  const { enforceHttps } = await import('#worker/http/wrong-origin.ts');
  return enforceHttps(request, secureOrigin);
}

async function api(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { app } = await import('#worker/api/app.ts');
  return app.fetch(request, env, ctx);
}

const isPublicApi = (path: string): boolean =>
  path === '/api/v1' || path.startsWith('/api/v1/') || PUBLIC_PATHS.has(path);
/** Other paths of the public API: the MCP server, and what apps call to connect. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  MCP_PATH,
  '/api/oauth/register',
  '/api/oauth/token',
]);
const WELL_KNOWN_OAUTH = '/.well-known/oauth-';

async function publicApi(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { v1 } = await import('#worker/api/v1/app.ts');
  return v1.fetch(request, env, ctx);
}

async function site(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { serveSite } = await import('#worker/site/serve-site.ts');
  return serveSite(request, env, ctx);
}

async function statusPage(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { serveStatus } = await import('#worker/system/status-page.ts');
  return serveStatus(request, env, ctx, Date.now());
}

async function preview(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  key: LinkKey,
): Promise<Response> {
  const { preview: respond } = await import('#worker/site/preview.ts');
  return respond(request, env, ctx, key, Date.now());
}

async function mailbox(request: Request, env: Env): Promise<Response> {
  const { serveMailbox } = await import('#worker/mail/mailbox.ts');
  return serveMailbox(request, env);
}
