import { ERROR_CODES, type ErrorBody } from '#contract/errors.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * The answer to a request that came over http to a host of ours that speaks https: a read is sent to the same address
 * there, a write is refused, because its body has already crossed the network in the clear. `secure` = the https origin.
 */
export function httpsOnly(request: Request, secure: string): Response {
  const headers = new Headers({ ...securityHeaders(request.url), 'Cache-Control': 'no-store' });
  if (request.method === 'GET' || request.method === 'HEAD') {
    const { pathname, search } = new URL(request.url);
    headers.set('Location', secure + pathname + search);
    return new Response(null, { status: 301, headers });
  }
  const error = `This address is served over https only. Send the request to ${secure}.`;
  const body: ErrorBody = { error, code: 'forbidden', requestId: crypto.randomUUID() };
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(body), { status: ERROR_CODES.forbidden, headers });
}
