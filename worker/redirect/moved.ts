import { generations } from './generations.ts';
import { GUARD_HEADERS, HSTS } from './guard-headers.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': POLICY,
  ...GUARD_HEADERS,
};
/** Per generation and scheme: with the longest targets 16 MB at the most, of 128. */
const MOST = 1_000;
const plain = { init: { status: 302, headers: new Headers(HEADERS) }, made: generations<Response>(MOST) };
const secure = {
  init: { status: 302, headers: new Headers({ ...HEADERS, 'Strict-Transport-Security': HSTS }) },
  made: generations<Response>(MOST),
};

/**
 * Decision 15: 302 to the stored href and nothing else. `isSecure` = asked over https.
 * The answers to the last targets are kept and given again: a response without a body is only read when it is sent,
 * and making one, nine headers copied and thrown away, is a tenth of a redirect. Nobody may change what this returns.
 */
export function moved(target: string, isSecure: boolean): Response {
  const { init, made } = isSecure ? secure : plain;
  const known = made.get(target);
  if (known !== undefined) return known;
  init.headers.set('Location', target);
  const response = new Response(null, init);
  made.set(target, response);
  return response;
}
