import { AD_FRAME_PATH, pageMeantBy, pageOf, ROOT_FILES } from '#contract/paths.ts';
import { logEvent } from '#worker/log.ts';
import { openDb } from '#worker/db/client.ts';
import { feedKey, sitemapKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS } from '#worker/http/edge-cache.ts';
import { readPublic, type Reader } from '#worker/http/public-read.ts';
import { DATA_POLICY, securityHeaders } from '#worker/http/security-headers.ts';
import { isOnShortHost, originsOf, type Origins } from '#worker/http/origins.ts';
import { adFrame } from './ad-frame.ts';
import { feedXml, manifestJson, sitemapXml } from './feeds.ts';
import { plainResponse, textFile } from './plain.ts';
import { newestPosts, postAddresses } from './posts.ts';
import { robotsTxt, securityTxt, SHORT_ROBOTS_TXT } from './robots.ts';
import { shell } from './shell.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const FEED_POSTS = 50;
const icons: ReadonlySet<string> = new Set(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']);
const files: ReadonlySet<string> = new Set(ROOT_FILES.map((file) => `/${file}`));

/** The SPA's pages, the files at the root and /.well-known: whatever is neither the API nor a short link. */
export async function site(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plainResponse(request, 405, 'This address is for reading only.');
  }
  try {
    const origins = originsOf(env, request.url);
    if (isOnShortHost(env, request.url)) return await onShortHost(request, env, origins);
    const reader = { request, env, now: Date.now(), wait: (work: Promise<unknown>) => ctx.waitUntil(work) };
    return await onAppHost(reader, env, origins);
  } catch (error) {
    logEvent('site_failed', {
      path: new URL(request.url).pathname,
      error: error instanceof Error ? error.message : String(error),
    });
    return plainResponse(request, 503, 'This page cannot be served just now. Please try again in a moment.');
  }
}

async function onAppHost(reader: Reader, env: Env, origins: Origins): Promise<Response> {
  const { request } = reader;
  const { pathname } = new URL(request.url);
  const page = pageOf(pathname);
  if (page !== null) return shell(reader, env, origins, page);
  const meant = pageMeantBy(pathname);
  if (meant !== null) return moved(request, origins.app + meant);
  switch (pathname) {
    case '/robots.txt':
      return textFile(request, 'text/plain', robotsTxt(origins), DAY);
    case '/.well-known/security.txt':
      return textFile(request, 'text/plain', securityTxt(origins, env.ABUSE_EMAIL, reader.now), DAY);
    case '/sitemap.xml':
      return postsFile(reader, 'application/xml', sitemapKey(origins), async () =>
        sitemapXml(origins, await postAddresses(openDb(env.DB))),
      );
    case '/feed.xml':
      return postsFile(reader, 'application/rss+xml', feedKey(origins), async () =>
        feedXml(origins, await newestPosts(openDb(env.DB), FEED_POSTS)),
      );
    case '/manifest.webmanifest':
      return textFile(request, 'application/manifest+json', manifestJson(), DAY);
    case AD_FRAME_PATH:
      return adFrame(request, env.ADS_CLIENT);
    case '/index.html':
      return moved(request, `${origins.app}/`);
    default:
      return files.has(pathname) ? assetFile(request, env) : plainResponse(request, 404, 'There is nothing at this address.');
  }
}

/** A file that is made of the published posts. */
async function postsFile(reader: Reader, type: string, key: string, make: () => Promise<string>): Promise<Response> {
  const read = await readPublic(reader, key, CACHE_SECONDS, make);
  if (!read.ok) return plainResponse(reader.request, 429, 'Too many requests. Please wait a minute.');
  return textFile(reader.request, type, read.value ?? '', HOUR);
}

/**
 * A short host of its own serves short links and nothing else (threat 3): what lands it on a blocklist must not take
 * sign-in and dashboard along, and no page of the app may run there. Icons are served: its own small pages name one.
 */
async function onShortHost(request: Request, env: Env, origins: Origins): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/robots.txt') return textFile(request, 'text/plain', SHORT_ROBOTS_TXT, DAY);
  if (icons.has(pathname)) return assetFile(request, env);
  if (
    pageOf(pathname) !== null ||
    pageMeantBy(pathname) !== null ||
    files.has(pathname) ||
    pathname === '/.well-known/security.txt'
  ) {
    return moved(request, origins.app + pathname);
  }
  return plainResponse(request, 404, 'There is nothing at this address.');
}

/** 302: where the app lives is a setting, and settings change. */
function moved(request: Request, location: string): Response {
  const headers = { ...securityHeaders(request.url, DATA_POLICY), Location: location, 'Cache-Control': 'no-store' };
  return new Response(null, { status: 302, headers });
}

/** Icons and the like, as the build left them. */
async function assetFile(request: Request, env: Env): Promise<Response> {
  const found = await env.ASSETS.fetch(request);
  if (found.status === 404) return plainResponse(request, 404, 'There is nothing at this address.');
  const response = new Response(found.body, found);
  for (const [name, value] of Object.entries(securityHeaders(request.url))) response.headers.set(name, value);
  response.headers.set('Cache-Control', `public, max-age=${DAY}`);
  return response;
}
