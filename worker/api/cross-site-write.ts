import type { Origins } from '#worker/http/origins.ts';

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True for a write that a page of another site has sent (SECURITY.md T17). This is a second check:
 * tokens travel in a header that another site cannot set. Browsers send Origin or Sec-Fetch-Site; a
 * request with neither comes from a program.
 */
export function isCrossSiteWrite(request: Request, origins: Origins): boolean {
  if (READ_METHODS.has(request.method)) return false;
  const origin = request.headers.get('Origin');
  if (origin !== null) return origin !== origins.app && origin !== new URL(request.url).origin;
  const site = request.headers.get('Sec-Fetch-Site');
  return site === 'cross-site' || site === 'same-site';
}
