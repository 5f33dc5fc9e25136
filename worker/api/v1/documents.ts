import { Hono } from 'hono';
import { ERROR_CODES } from '#contract/errors.ts';
import { OPENAPI_FILE, OPENAPI_ORIGIN, v1Codes } from '#contract/v1.ts';
import { escapeHtml } from '#worker/html.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { pageHeaders, renderHtmlPage } from '#worker/redirect/html-page.ts';
import { PROBLEMS } from './problem-texts.ts';

export const documentsV1 = new Hono<ApiEnv>();

// The build writes the document (web/api-files.ts), so that the Worker does not contain its
// generator.
documentsV1.get('/openapi.json', async (c) => {
  const file = await c.env.ASSETS.fetch(new URL(OPENAPI_FILE, c.req.url));
  if (!file.ok)
    throw new ApiError('unavailable', 'The description of the API is not available.', {
      retryAfter: 60,
    });
  const text = (await file.text()).replaceAll(OPENAPI_ORIGIN, c.get('origins').app);
  return c.body(text, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=300',
  });
});

/** The page that the `type` of every error opens. */
documentsV1.get('/errors', (c) => {
  const nonce = crypto.randomUUID();
  const text = (markdown: string): string =>
    escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
  const sections = v1Codes.map(
    (code) =>
      `<h2 id="${code}">${escapeHtml(PROBLEMS[code].title)}</h2><p>${ERROR_CODES[code]} <code>${code}</code></p><p>${text(PROBLEMS[code].advice)}</p>`,
  );
  const main = `<h1>Errors of the API</h1><p>Every error is <code>application/problem+json</code> with a stable <code>code</code>.</p>${sections.join('')}`;
  return new Response(renderHtmlPage({ title: 'Errors of the API', nonce, appOrigin: '', main }), {
    headers: pageHeaders(c.req.raw, nonce),
  });
});
