import { PAGE_META } from '#contract/page-meta.ts';
import type { Page } from '#contract/paths.ts';
import { isSlug } from '#contract/post-text.ts';
import { extractScreenFiles } from '#contract/screen-files.ts';
import { logEvent } from '#worker/log.ts';
import { readPublishedPost } from '#worker/blog/published-posts.ts';
import { openDb } from '#worker/db/client.ts';
import { postHeadKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS } from '#worker/http/edge-cache.ts';
import { readPublic, type Reader } from '#worker/http/public-read.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import type { Origins } from '#worker/http/origins.ts';
import { siteConfig } from './site-config.ts';
import { newNonce, pagePolicy } from './content-policy.ts';
import { escapeHtml } from '#worker/html.ts';
import { postHead, renderHead, type Head } from './head.ts';
import { plainResponse } from './plain-response.ts';

const HEAD_MARKER = '<!--hop:head-->';
const NONCE_MARKER = '__NONCE__';

/**
 * Serves a page of the SPA: the built index.html with the head and the screen files of the page, the configuration of the
 * deployment and the nonce of the response. An unknown post gets the same HTML with status 404; the page says what is missing.
 */
export async function servePage(reader: Reader, env: Env, origins: Origins, page: Page): Promise<Response> {
  const { request } = reader;
  // "/" and not "/index.html", which redirects. The request has no headers: a condition of the browser's must not turn the
  // response into a 304, which would keep the nonce of an earlier one.
  const built = await env.ASSETS.fetch(new URL('/', request.url).href);
  if (!built.ok) return plainResponse(request, 503, 'The site has not been built yet. Run `npm run build`.');
  const { head, status } = await readHead(reader, env, origins, page);
  const nonce = newNonce();
  const config = siteConfig(env, origins, request.url);
  const { html: template, files } = extractScreenFiles(await built.text(), page);
  const preloads = files.map((file) => `<link rel="modulepreload" crossorigin href="${escapeHtml(file)}" nonce="${nonce}">`);
  const html = template
    .replaceAll(NONCE_MARKER, nonce)
    .replace('</head>', () => `${preloads.join('\n    ')}\n  </head>`)
    .replace(HEAD_MARKER, () => renderHead(head, config));
  const headers = new Headers({
    ...securityHeaders(request.url, pagePolicy(env, new URL(request.url).origin, nonce)),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-cache',
  });
  if (status === 429) headers.set('Retry-After', '60');
  if (status === 503) headers.set('Retry-After', '5');
  return new Response(request.method === 'HEAD' ? null : html, { status, headers });
}

type PageHead = { head: Head; status: 200 | 404 | 429 | 503 };

async function readHead(reader: Reader, env: Env, origins: Origins, page: Page): Promise<PageHead> {
  const path = new URL(reader.request.url).pathname;
  const meta = PAGE_META[page];
  if (page !== '/blog/:slug') return { head: { meta, path, article: null }, status: 200 };
  const missing: Head = { meta: { ...meta, index: false }, path, article: null };
  const slug = path.slice('/blog/'.length);
  if (!isSlug(slug)) return { head: missing, status: 404 };
  try {
    const read = await readPublic(reader, postHeadKey(origins, slug), CACHE_SECONDS, async () => {
      const post = await readPublishedPost(openDb(env.DB), slug);
      return post === undefined ? null : postHead(post);
    });
    if (!read.ok) return { head: missing, status: 429 };
    return read.value === null ? { head: missing, status: 404 } : { head: read.value, status: 200 };
  } catch (error) {
    // Not 404: a crawler would drop the post because the database was unavailable for a minute.
    logEvent('post_head_failed', { error: error instanceof Error ? error.message : String(error) });
    return { head: missing, status: 503 };
  }
}
