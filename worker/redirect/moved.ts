import { GUARD_HEADERS, HSTS } from './guard-headers.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': POLICY,
  ...GUARD_HEADERS,
};
const PLAIN = { status: 302, headers: new Headers(HEADERS) };
const SECURE = { status: 302, headers: new Headers({ ...HEADERS, 'Strict-Transport-Security': HSTS }) };

/**
 * Decision 15: 302 to the stored href and nothing else. `secure` = asked over https.
 * One set of headers serves the whole isolate: a response copies them when it is made, natively, which is the
 * cheapest way there is. A set per link or a plain object per answer costs several times that.
 */
export function moved(target: string, secure: boolean): Response {
  const init = secure ? SECURE : PLAIN;
  init.headers.set('Location', target);
  return new Response(null, init);
}
