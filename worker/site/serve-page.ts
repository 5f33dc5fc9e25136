import { isLinkKey } from '#contract/codes/domain-key.ts';
import { isPrerendered, shellPath, templatePath } from '#contract/pages/page-templates.ts';
import { SHARE_PAGE, type PagePath } from '#contract/pages/paths.ts';
import type { Origins } from '#worker/http/origins.ts';
import type { Reader } from '#worker/http/edge-cache.ts';
import { newNonce, securityHeaders } from '#worker/http/security-headers.ts';
import { pagePolicy } from './content-policy.ts';
import { fillSettings } from './fill-template.ts';
import { renderHead } from './head.ts';
import { plainResponse, setRetryAfter } from './plain-response.ts';
import { readPage } from './read-page.ts';
import { siteConfig } from './site-config.ts';

/**
 * The path of the built HTML for `page`. This is the shell for analytics with another range than
 * the prerendered one, and for a path that does not contain a code.
 */
function builtPath(page: PagePath, { pathname, searchParams }: URL): string {
  const fits =
    page !== '/analytics/:code' ||
    (!searchParams.has('range') && isLinkKey(pathname.slice('/analytics/'.length)));
  return fits && isPrerendered(page) ? templatePath(page) : shellPath(page);
}

const HEAD_MARKER = '<!--hop:head-->';
/**
 * A page whose address is a secret. The referrer would not contain the fragment, but would tell
 * other sites that their visitor has opened a report.
 */
const SECRET_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

const NONCE_MARKER = '__NONCE__';

/**
 * Serves a page of the SPA: the built HTML with its posts, its head, the configuration of the
 * deployment and the nonce of the response. Pages that the build did not render, and posts that
 * cannot be read, start as a shell. An unknown post gets the shell with status 404, and the page
 * says what is missing.
 */
export async function servePage(
  reader: Reader,
  origins: Origins,
  page: PagePath,
): Promise<Response> {
  const { request, env } = reader;
  const url = new URL(request.url);
  const config = siteConfig(env, origins, request.url);
  const text = await readPage(reader, origins, page);
  const path = text.status === 200 ? builtPath(page, url) : shellPath(page);
  // The request has no headers: a conditional header of the browser could cause a 304, which would
  // keep an earlier nonce.
  const built = await env.ASSETS.fetch(new URL(path, url).href);
  if (!built.ok) return plainResponse(request, 'not_built');
  const nonce = newNonce();
  const template = fillSettings(await built.text(), config).replaceAll(NONCE_MARKER, nonce);
  // This replacement is last, so that it changes nothing in the text of a post or in the
  // configuration.
  const filled = text.status === 200 ? text.fill(template) : template;
  const body = filled.replace(HEAD_MARKER, () => renderHead(text.head, config));
  const headers = new Headers({
    ...securityHeaders(request.url, pagePolicy(env, url.origin, nonce)),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    ...(page === SHARE_PAGE && SECRET_PAGE_HEADERS),
  });
  setRetryAfter(headers, text.status);
  return new Response(request.method === 'HEAD' ? null : body, { status: text.status, headers });
}
