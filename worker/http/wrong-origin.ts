import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { ORIGIN_ERRORS } from '#worker/messages/site.ts';
import { wantsJson } from '#worker/redirect/error-page.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Answers a plain-http request to a host that is served over https. A read is redirected to
 * `httpsOrigin`; a write is rejected, because its body has already crossed the network unencrypted
 * and a redirect would hide that.
 */
export function enforceHttps(request: Request, httpsOrigin: string): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respondJson(request, 'forbidden', ORIGIN_ERRORS.https_only(httpsOrigin));
  const { pathname, search } = new URL(request.url);
  const headers = { ...headersOf(request), Location: httpsOrigin + pathname + search };
  return new Response(null, { status: 301, headers });
}

/**
 * Answers a request to a host that is not ours (RFC 9110 §15.5.20), without reading any storage.
 */
export function respondMisdirected(request: Request, hasAppOrigin: boolean): Response {
  const text = ORIGIN_ERRORS[hasAppOrigin ? 'foreign_host' : 'no_app_origin'];
  const isApi = /^https?:\/\/[^/]*\/api(?:[/?]|$)/.test(request.url);
  if (isApi || wantsJson(request)) return respondJson(request, 'misdirected', text);
  const headers = { ...headersOf(request), 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response(`${text}\n`, { status: ERROR_CODES.misdirected, headers });
}

const headersOf = (request: Request): Record<string, string> => ({
  ...securityHeaders(request.url),
  'Cache-Control': 'no-store',
});

function respondJson(request: Request, code: ErrorCode, error: string): Response {
  const body: ErrorBody = { error, code, requestId: crypto.randomUUID() };
  const headers = { ...headersOf(request), 'Content-Type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify(body), { status: ERROR_CODES[code], headers });
}
