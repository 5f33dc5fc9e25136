import type { Origins } from '#worker/http/origins.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True where a page of another site has sent this write (threat 17). Tokens travel in a header that no other site can
 * set, so this is the second lock: browsers say where a request comes from, and programs that are no browsers say nothing.
 */
export function isForeignWrite(request: Request, origins: Origins): boolean {
  if (READS.has(request.method)) return false;
  const origin = request.headers.get('Origin');
  if (origin !== null) return origin !== origins.app && origin !== new URL(request.url).origin;
  const site = request.headers.get('Sec-Fetch-Site');
  return site === 'cross-site' || site === 'same-site';
}
