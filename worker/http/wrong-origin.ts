import { ERROR_CODES, type ErrorBody } from '#contract/errors.ts';
import { securityHeaders } from './security-headers.ts';
import { wantsJson } from '#worker/redirect/error-page.ts';

/**
 * Answers a plain-http request to a host that is served over https. A read is redirected to
 * `httpsOrigin`; a write is rejected, because its body has already crossed the network unencrypted
 * and a redirect would hide that.
 */
export function enforceHttps(request: Request, httpsOrigin: string): Response {
  const headers = new Headers({ ...securityHeaders(request.url), 'Cache-Control': 'no-store' });
  if (request.method === 'GET' || request.method === 'HEAD') {
    const { pathname, search } = new URL(request.url);
    headers.set('Location', httpsOrigin + pathname + search);
    return new Response(null, { status: 301, headers });
  }
  const error = `This address is served over https only. Send the request to ${httpsOrigin}.`;
  const body: ErrorBody = { error, code: 'forbidden', requestId: crypto.randomUUID() };
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status: ERROR_CODES.forbidden, headers });
}

/**
 * Answers a request to a host that is not ours (RFC 9110 §15.5.20), without reading any storage.
 */
export function respondMisdirected(request: Request, hasAppOrigin: boolean): Response {
  const sentence = hasAppOrigin
    ? 'This address does not belong to this site. Check how it is spelled.'
    : 'This site has no address yet. Its operator sets it as APP_ORIGIN.';
  const status = ERROR_CODES.misdirected;
  const headers = new Headers({ ...securityHeaders(request.url), 'Cache-Control': 'no-store' });
  const isApi = /^https?:\/\/[^/]*\/api(?:[/?]|$)/.test(request.url);
  if (!isApi && !wantsJson(request)) {
    headers.set('Content-Type', 'text/plain; charset=utf-8');
    return new Response(`${sentence}\n`, { status, headers });
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  const body: ErrorBody = { error: sentence, code: 'misdirected', requestId: crypto.randomUUID() };
  return new Response(JSON.stringify(body), { status, headers });
}
