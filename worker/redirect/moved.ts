import { GUARD_HEADERS, HSTS } from './guard-headers.ts';
import type { Remembered } from './link-memory.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Decision 15: 302 to the stored href and nothing else. `secure` = asked over https.
 * A plain object is the quickest way to headers that are used once.
 */
export function moved(target: string, secure: boolean): Response {
  return new Response(null, {
    status: 302,
    headers: secure ? { ...plainHeaders(target), 'Strict-Transport-Security': HSTS } : plainHeaders(target),
  });
}

/** The same for a remembered link: copying ready headers is half as dear as making them. */
export function movedAgain(known: Remembered, secure: boolean): Response {
  if (known.moved?.secure !== secure)
    known.moved = { secure, init: { status: 302, headers: moved(known.link.u, secure).headers } };
  return new Response(null, known.moved.init);
}

const plainHeaders = (target: string) => ({
  Location: target,
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': POLICY,
  ...GUARD_HEADERS,
});
