import { SITE_ERRORS, type SiteError } from '#worker/messages/site.ts';
import { DATA_POLICY, securityHeaders } from '#worker/http/security-headers.ts';

/** Says in seconds when to try again: a rate limit counts per minute, an outage may be short. */
export function setRetryAfter(headers: Headers, status: number): void {
  if (status === 429) headers.set('Retry-After', '60');
  if (status === 503) headers.set('Retry-After', '5');
}

/** A short plain-text response instead of a page. */
export function plainResponse(request: Request, error: SiteError): Response {
  const [status, text] = SITE_ERRORS[error];
  const headers = new Headers({
    ...securityHeaders(request.url, DATA_POLICY),
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  if (status === 405) headers.set('Allow', 'GET, HEAD');
  setRetryAfter(headers, status);
  return new Response(request.method === 'HEAD' ? null : `${text}\n`, { status, headers });
}

/**
 * A text file for robots, feed readers and browsers. It is the same for everyone and cached for
 * `maxAge` seconds.
 */
export function textFile(request: Request, type: string, text: string, maxAge: number): Response {
  return respondWith(request, text, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': `public, max-age=${maxAge}`,
  });
}

/** An answer with the security headers, and without its body for HEAD. */
export const respondWith = (
  request: Request,
  body: BodyInit,
  headers: Record<string, string>,
  policy?: string,
): Response =>
  new Response(request.method === 'HEAD' ? null : body, {
    headers: { ...securityHeaders(request.url, policy), ...headers },
  });
