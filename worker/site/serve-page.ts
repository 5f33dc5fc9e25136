import { CODE_PATTERN } from '#contract/limits.ts';
import { prerenderedPage, SCREEN_FILES_MARKER, templatePath } from '#contract/page-templates.ts';
import type { Page } from '#contract/paths.ts';
import { extractScreenFiles } from '#contract/screen-files.ts';
import { escapeHtml } from '#worker/html.ts';
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
 * False for analytics of another range than the one that the prerendered page shows as chosen, and
 * for what is not a code.
 */
function fitsPrerendered(page: Page, { pathname, searchParams }: URL): boolean {
  if (page !== '/analytics/:code') return true;
  return !searchParams.has('range') && CODE_PATTERN.test(pathname.slice('/analytics/'.length));
}

const HEAD_MARKER = '<!--hop:head-->';
const NONCE_MARKER = '__NONCE__';

/**
 * Serves a page of the SPA: the HTML of the build with the posts of the page, its head and screen
 * files, the configuration of the deployment and the nonce of the response. Pages that the build
 * did not render, and posts that cannot be read, start as the empty index.html; an unknown post
 * gets it with status 404, and the page says what is missing.
 */
export async function servePage(
  reader: Reader,
  env: Env,
  origins: Origins,
  page: Page,
): Promise<Response> {
  const { request } = reader;
  const config = siteConfig(env, origins, request.url);
  const text = await readPage(reader, env, origins, page);
  const prerendered =
    text.status === 200 && fitsPrerendered(page, new URL(request.url))
      ? prerenderedPage(page)
      : null;
  // "/" and not "/index.html", which redirects. The request has no headers: a condition of the
  // browser's must not turn the response into a 304, which would keep the nonce of an earlier one.
  const path = prerendered === null ? '/' : templatePath(prerendered, config);
  const built = await env.ASSETS.fetch(new URL(path, request.url).href);
  if (!built.ok)
    return plainResponse(request, 503, 'The site has not been built yet. Run `npm run build`.');
  const nonce = newNonce();
  const { html, files } = extractScreenFiles(await built.text(), page);
  const preloads = files.map(
    (file) => `<link rel="modulepreload" crossorigin href="${escapeHtml(file)}" nonce="${nonce}">`,
  );
  const template = fillSettings(html, config)
    .replaceAll(NONCE_MARKER, nonce)
    .replace(SCREEN_FILES_MARKER, () => JSON.stringify(files))
    .replace('</head>', () =>
      prerendered === null ? `${preloads.join('\n    ')}\n  </head>` : '</head>',
    );
  // Last, so that nothing is replaced in the text of a post or in the configuration.
  const filled = text.status === 200 ? text.fill(template) : template;
  const body = filled.replace(HEAD_MARKER, () => renderHead(text.head, config));
  const headers = new Headers({
    ...securityHeaders(request.url, pagePolicy(env, new URL(request.url).origin, nonce)),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-cache',
  });
  if (text.status === 429) headers.set('Retry-After', '60');
  if (text.status === 503) headers.set('Retry-After', '5');
  return new Response(request.method === 'HEAD' ? null : body, { status: text.status, headers });
}
