import type { Remembered } from './link-memory.ts';

/** As worker/http/security-headers.ts has it: other names under the operator's domain are not ours to decide for. */
const HSTS = 'max-age=31536000';

/** Decision 15: what a redirect answers with, for the stored href and nothing else. `secure` = asked over https. */
export function movedTo(target: string, secure: boolean): { status: number; headers: Headers } {
  const headers = new Headers({
    Location: target,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  });
  if (secure) headers.set('Strict-Transport-Security', HSTS);
  return { status: 302, headers };
}

/** The same for a remembered link, made once for as long as it is remembered: copying ready headers is the cheapest answer. */
export function movedAgain(known: Remembered, secure: boolean): ResponseInit {
  if (known.moved?.secure !== secure) known.moved = { secure, init: movedTo(known.link.u, secure) };
  return known.moved.init;
}
