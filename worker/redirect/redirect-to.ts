import { HSTS } from './security-headers.ts';

/**
 * All headers but `Location` (docs/decisions.md#d32). A redirect has no document, so a content or
 * permissions policy would protect nothing. `Cross-Origin-Opener-Policy` would cut off the opener
 * of a page that opens a short link, and a `Referrer-Policy` would override the linking page's own.
 */
const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' };

/**
 * Templates that are copied and never sent. A copy costs about 2 µs less than a response made from
 * a plain object, which is 3 % of a redirect.
 */
const httpTemplate = new Response(null, { status: 302, headers: HEADERS });
const httpsTemplate = new Response(null, {
  status: 302,
  headers: { ...HEADERS, 'Strict-Transport-Security': HSTS },
});

/**
 * A 302 to `target`, the stored href. `isHttps` says whether the short link was requested over
 * https.
 */
export function redirectTo(target: string, isHttps: boolean): Response {
  const template = isHttps ? httpsTemplate : httpTemplate;
  template.headers.set('Location', target);
  return template.clone();
}
