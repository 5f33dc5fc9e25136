import { DATA_POLICY, securityHeaders } from '#worker/http/security-headers.ts';

/** A short answer in words, for what no page exists for. 503 asks for another try in five seconds, 429 in a minute. */
export function plainResponse(request: Request, status: 404 | 405 | 429 | 500 | 503, text: string): Response {
  const headers = new Headers({
    ...securityHeaders(request.url, DATA_POLICY),
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  if (status === 405) headers.set('Allow', 'GET, HEAD');
  if (status === 429) headers.set('Retry-After', '60');
  if (status === 503) headers.set('Retry-After', '5');
  return new Response(request.method === 'HEAD' ? null : `${text}\n`, { status, headers });
}

/** A text that robots, readers and browsers fetch: the same for everybody, fresh within `maxAge` seconds. */
export function textFile(request: Request, type: string, text: string, maxAge: number): Response {
  const headers = new Headers({
    ...securityHeaders(request.url, DATA_POLICY),
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': `public, max-age=${maxAge}`,
  });
  return new Response(request.method === 'HEAD' ? null : text, { headers });
}
