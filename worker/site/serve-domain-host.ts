import { appLinkFileOf } from '#contract/pages/app-links.ts';
import { DAY_MS } from '#contract/time.ts';
import { publicReader } from '#worker/http/edge-cache.ts';
import { originsOf } from '#worker/http/origins.ts';
import { DOMAIN_ROOT } from '#worker/messages/site.ts';
import { MARK } from '#contract/pages/brand.ts';
import { escapeHtml } from '#worker/html.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { HostRecord } from '#worker/redirect/host-record.ts';
import { arcPicture, pageHeaders, renderHtmlPage } from '#worker/redirect/html-page.ts';
import { redirectTo } from '#worker/redirect/redirect-to.ts';
import type { Visit } from '#worker/redirect/redirect.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import { plainResponse, textFile } from './plain-response.ts';
import { serveAppLinkFile } from './serve-app-link-file.ts';
import { SHORT_ROBOTS_TXT } from './root-files.ts';
import { isIcon, serveAsset } from './serve-site.ts';

const DAY_SECONDS = DAY_MS / 1000;

/**
 * What a domain serves besides links and their previews: its root, `robots.txt`, icons,
 * `security.txt` by a redirect to the application, and on a domain of the operator the files of app
 * links. Never a page of the application, the API or the sign-in (SECURITY.md T3).
 */
export async function serveDomainHost(
  { request, env, ctx }: Pick<Visit, 'request' | 'env' | 'ctx'>,
  { d: domain, r: rootUrl, o: isShared }: HostRecord,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plainResponse(request, 'method');
  const { pathname } = new URL(request.url);
  if (pathname === '/')
    return rootUrl === undefined
      ? renderRoot(request, env)
      : redirectTo(rootUrl, request.url.startsWith('https:'));
  if (pathname === '/robots.txt')
    return textFile(request, 'text/plain', SHORT_ROBOTS_TXT, DAY_SECONDS);
  if (isIcon(pathname)) return serveAsset(request, env);
  if (pathname === '/.well-known/security.txt')
    return redirectTo(originsOf(env, request.url).app + pathname, request.url.startsWith('https:'));
  const appLinkFile = appLinkFileOf(pathname);
  if (appLinkFile === null || isShared !== 1) return plainResponse(request, 'not_found');
  const reader = publicReader(request, env, ctx, Date.now());
  const origins = originsOf(env, request.url);
  return serveAppLinkFile(reader, origins, domain, appLinkFile).catch((error: unknown) => {
    logEvent('site_failed', { path: pathname, ...errorFacts(error) });
    return plainResponse(request, 'unavailable');
  });
}

function renderRoot(request: Request, env: Env): Response {
  const { app } = originsOf(env, request.url);
  const host = displayHost(new URL(request.url).hostname);
  const nonce = crypto.randomUUID();
  const main = `${arcPicture(MARK)}
<h1>${escapeHtml(host)}</h1>
<p>${DOMAIN_ROOT.text}</p>
<p class="actions"><a class="button" href="${escapeHtml(app)}/">${DOMAIN_ROOT.action}</a><a href="${escapeHtml(app)}/report">${DOMAIN_ROOT.report}</a></p>`;
  const html = renderHtmlPage(env, { title: host, nonce, appOrigin: app, main });
  return new Response(html, { headers: pageHeaders(request, nonce) });
}
