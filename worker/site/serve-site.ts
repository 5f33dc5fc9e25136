import { appLinkFileOf } from '#contract/pages/app-links.ts';
import { DEFAULT_DOMAIN } from '#contract/codes/domain-key.ts';
import {
  adPlaceOf,
  BUILT_ORIGIN,
  canonicalPage,
  CLI_PACKAGE,
  EXTENSION_ARCHIVES,
  LLMS_FILE,
  pageOf,
  PYTHON_CLIENT,
  ROOT_FILES,
} from '#contract/pages/paths.ts';
import { pictureSlugOf } from '#contract/blog/post-text.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { newestPublishedPosts, publishedPostAddresses } from '#worker/blog/published-posts.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { openDb } from '#worker/db/client.ts';
import { feedKey, sitemapKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, publicReader, readPublic, type Reader } from '#worker/http/edge-cache.ts';
import { DATA_POLICY, securityHeaders } from '#worker/http/security-headers.ts';
import { isOnShortHost, originsOf, type Origins } from '#worker/http/origins.ts';
import { serveAppLinkFile } from './serve-app-link-file.ts';
import { serveAdFrame, adClient, adsTxt, adUnit } from './ads.ts';
import {
  feedXml,
  manifestJson,
  sitemapXml,
  robotsTxt,
  securityTxt,
  SHORT_ROBOTS_TXT,
} from './root-files.ts';
import { plainResponse, textFile } from './plain-response.ts';
import { serveEarlierAsset } from './serve-earlier-asset.ts';
import { servePage } from './serve-page.ts';
import { servePostPicture } from './serve-post-picture.ts';

const HOUR_SECONDS = HOUR_MS / 1000;
const DAY_SECONDS = DAY_MS / 1000;
const FEED_POSTS = 50;
/** A sitemap may have 50,000 entries, and pages take some of them. */
const SITEMAP_POSTS = 49_000;
const ICONS: ReadonlySet<string> = new Set([
  '/favicon.ico',
  '/favicon.svg',
  '/apple-touch-icon.png',
]);
/** A service worker uses the content policy of its own file. Ours only passes requests on. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";
const CLIENTS: ReadonlySet<string> = new Set([
  CLI_PACKAGE,
  PYTHON_CLIENT,
  ...Object.values(EXTENSION_ARCHIVES),
]);
const FILES: ReadonlySet<string> = new Set([...ROOT_FILES.map((file) => `/${file}`), ...CLIENTS]);

/**
 * Serves everything except the API and short links: the pages of the SPA, the files at the root and
 * /.well-known.
 */
export async function serveSite(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plainResponse(request, 'method');
  }
  try {
    const origins = originsOf(env, request.url);
    const isShort = isOnShortHost(env, request.url);
    const reader = publicReader(request, env, ctx, Date.now());
    const appLinkFile = appLinkFileOf(new URL(request.url).pathname);
    if (appLinkFile !== null && (isShort || origins.app === origins.short))
      return await serveAppLinkFile(reader, origins, DEFAULT_DOMAIN, appLinkFile);
    if (isShort) return await serveShortHost(request, env, origins);
    return await serveAppHost(reader, origins);
  } catch (error) {
    logEvent('site_failed', {
      path: new URL(request.url).pathname,
      ...errorFacts(error),
    });
    return plainResponse(request, 'unavailable');
  }
}

async function serveAppHost(reader: Reader, origins: Origins): Promise<Response> {
  const { request, env } = reader;
  const { pathname } = new URL(request.url);
  const page = pageOf(pathname);
  if (page !== null) return servePage(reader, origins, page);
  const canonical = canonicalPage(pathname);
  if (canonical !== null) return redirectTo(request, origins.app + canonical);
  const adPlace = adPlaceOf(pathname);
  if (adPlace !== null) return serveAdFrame(request, adUnit(env, adPlace));
  const pictureSlug = pictureSlugOf(pathname);
  if (pictureSlug !== null) return servePostPicture(reader, origins, pictureSlug);
  switch (pathname) {
    case '/robots.txt':
      return textFile(request, 'text/plain', robotsTxt(origins), DAY_SECONDS);
    case '/.well-known/security.txt':
      return textFile(
        request,
        'text/plain',
        securityTxt(origins, env.ABUSE_EMAIL, reader.now),
        DAY_SECONDS,
      );
    case '/sitemap.xml':
      return servePostsFile(reader, 'application/xml', sitemapKey(origins), async () =>
        sitemapXml(origins, await publishedPostAddresses(openDb(env.DB), SITEMAP_POSTS)),
      );
    case '/feed.xml':
      return servePostsFile(reader, 'application/rss+xml', feedKey(origins), async () =>
        feedXml(origins, await newestPublishedPosts(openDb(env.DB), FEED_POSTS)),
      );
    case '/manifest.webmanifest':
      return textFile(request, 'application/manifest+json', manifestJson(), DAY_SECONDS);
    case LLMS_FILE:
      return serveLlmsText(request, env, origins);
    case '/sw.js':
      return serveAsset(request, env, SERVICE_WORKER_POLICY);
    case '/ads.txt':
      return serveAdsTxt(request, env);
    case '/index.html':
      return redirectTo(request, `${origins.app}/`);
    default:
      if (FILES.has(pathname)) return serveAsset(request, env);
      return (await serveEarlierAsset(request, env)) ?? plainResponse(request, 'not_found');
  }
}

/**
 * Serves ads.txt once the client id is set, because the network reads it before it shows any ads.
 */
function serveAdsTxt(request: Request, env: Env): Response {
  const client = adClient(env);
  return client === null
    ? plainResponse(request, 'no_ads_txt')
    : textFile(request, 'text/plain', adsTxt(client), HOUR_SECONDS);
}

async function servePostsFile(
  reader: Reader,
  type: string,
  key: string,
  make: () => Promise<string>,
): Promise<Response> {
  const read = await readPublic(reader, key, CACHE_SECONDS, make);
  if (!read.ok) return plainResponse(reader.request, 'limited');
  return textFile(reader.request, type, read.value ?? '', HOUR_SECONDS);
}

/** Icons are served on every host, because error pages use them. */
export const isIcon = (pathname: string): boolean => ICONS.has(pathname);

/**
 * A separate short host serves short links and nothing else (SECURITY.md T3). A blocklisting of the
 * short host must not affect sign-in and dashboard, and no page of the app may run there. Icons are
 * served because the error pages use one.
 */
async function serveShortHost(request: Request, env: Env, origins: Origins): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/robots.txt')
    return textFile(request, 'text/plain', SHORT_ROBOTS_TXT, DAY_SECONDS);
  if (isIcon(pathname)) return serveAsset(request, env);
  if (
    pageOf(pathname) !== null ||
    canonicalPage(pathname) !== null ||
    FILES.has(pathname) ||
    pathname === '/.well-known/security.txt'
  ) {
    return redirectTo(request, origins.app + pathname);
  }
  return plainResponse(request, 'not_found');
}

/** A 302 instead of a 301, because the origin of the app is a setting that can change. */
function redirectTo(request: Request, location: string): Response {
  const headers = {
    ...securityHeaders(request.url, DATA_POLICY),
    Location: location,
    'Cache-Control': 'no-store',
  };
  return new Response(null, { status: 302, headers });
}

/** The build wrote a placeholder for the origin. */
async function serveLlmsText(request: Request, env: Env, origins: Origins): Promise<Response> {
  const file = await env.ASSETS.fetch(new URL(LLMS_FILE, request.url));
  if (!file.ok) return plainResponse(request, 'not_found');
  const text = (await file.text()).replaceAll(BUILT_ORIGIN, origins.app);
  return textFile(request, 'text/plain', text, DAY_SECONDS);
}

export async function serveAsset(request: Request, env: Env, policy?: string): Promise<Response> {
  const found = await env.ASSETS.fetch(request);
  if (found.status === 404) return plainResponse(request, 'not_found');
  const response = new Response(found.body, found);
  for (const [name, value] of Object.entries(securityHeaders(request.url, policy)))
    response.headers.set(name, value);
  // npm caches what it may, but after an upgrade the next installation should get the new files.
  const isClient = CLIENTS.has(new URL(request.url).pathname);
  response.headers.set('Cache-Control', isClient ? 'no-cache' : `public, max-age=${DAY_SECONDS}`);
  return response;
}
