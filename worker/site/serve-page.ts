import { isLinkKey } from '#contract/link-key.ts';
import { isPrerendered, shellPath, templatePath } from '#contract/page-templates.ts';
import type { PagePath } from '#contract/paths.ts';
import type { Origins } from '#worker/http/origins.ts';
import type { Reader } from '#worker/http/public-read.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { newNonce, pagePolicy } from './content-policy.ts';
import { fillSettings } from './fill-template.ts';
import { renderHead } from './head.ts';
import { plainResponse } from './plain-response.ts';
import { readPage } from './read-page.ts';
import { siteConfig } from './site-config.ts';

/**
 * The HTML of the build for `page`. The shell also for analytics of another range than the one that
 * the prerendered page shows as chosen, and for what is not a code.
 */
function builtPath(page: PagePath, { pathname, searchParams }: URL): string {
  const fits =
    page !== '/analytics/:code' ||
    (!searchParams.has('range') && isLinkKey(pathname.slice('/analytics/'.length)));
  return fits && isPrerendered(page) ? templatePath(page) : shellPath(page);
}

const HEAD_MARKER = '<!--hop:head-->';
const NONCE_MARKER = '__NONCE__';

/**
 * Serves a page of the SPA: the HTML of the build with the posts of the page, its head, the
 * configuration of the deployment and the nonce of the response. Pages that the build did not
 * render, and posts that cannot be read, start as a shell; an unknown post gets it with status 404,
 * and the page says what is missing.
 */
export async function servePage(
  reader: Reader,
  env: Env,
  origins: Origins,
  page: PagePath,
): Promise<Response> {
  const { request } = reader;
  const url = new URL(request.url);
  const config = siteConfig(env, origins, request.url);
  const text = await readPage(reader, env, origins, page);
  const path = text.status === 200 ? builtPath(page, url) : shellPath(page);
  // The request has no headers: a condition of the browser's must not turn the response into a 304,
  // which would keep the nonce of an earlier one.
  const built = await env.ASSETS.fetch(new URL(path, url).href);
  if (!built.ok)
    return plainResponse(request, 503, 'The site has not been built yet. Run `npm run build`.');
  const nonce = newNonce();
  const template = fillSettings(await built.text(), config).replaceAll(NONCE_MARKER, nonce);
  // Last, so that nothing is replaced in the text of a post or in the configuration.
  const filled = text.status === 200 ? text.fill(template) : template;
  const body = filled.replace(HEAD_MARKER, () => renderHead(text.head, config));
  const headers = new Headers({
    ...securityHeaders(request.url, pagePolicy(env, url.origin, nonce)),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-cache',
  });
  if (text.status === 429) headers.set('Retry-After', '60');
  if (text.status === 503) headers.set('Retry-After', '5');
  return new Response(request.method === 'HEAD' ? null : body, { status: text.status, headers });
}
