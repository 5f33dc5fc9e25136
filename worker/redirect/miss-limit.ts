import { findExceededNetwork, networksOf } from './network-limit.ts';

/** How long this isolate blocks a network that is over its limit. */
const BLOCK_MS = 10_000;
const MAX_NETWORKS = 1_000;

/**
 * Networks and IPv6 /48s over the limit, and when their block ends (ms since 1970). The map is
 * bounded; the oldest entry is dropped first.
 */
const blocked = new Map<string, number>();

/**
 * True if this isolate knows that the request's network is over its limit of unknown codes. Check
 * it only before a lookup in D1: a page with 60 broken images must not keep its reader's network
 * from links that exist (SECURITY.md A8).
 */
export function isOverMissLimit(request: Request, now: number): boolean {
  if (blocked.size === 0) return false;
  const { network, site } = networksOf(request);
  return Math.max(blocked.get(network) ?? 0, blocked.get(site) ?? 0) > now;
}

/**
 * Counts an unknown code against the requesting network and its IPv6 /48, so that codes cannot be
 * guessed in bulk (SECURITY.md T14). Returns true if the network is now over its limit. Call it for
 * misses only; links that exist never count.
 */
export async function recordMiss(
  request: Request,
  env: Pick<Env, 'LIMIT_MISSES' | 'LIMIT_SITES'>,
  now: number,
): Promise<boolean> {
  if (isOverMissLimit(request, now)) return true;
  const network = await findExceededNetwork(env, env.LIMIT_MISSES, 'miss', request);
  if (network === null) return false;
  blocked.delete(network);
  blocked.set(network, now + BLOCK_MS);
  if (blocked.size > MAX_NETWORKS) {
    const oldest = blocked.keys().next();
    if (oldest.done !== true) blocked.delete(oldest.value);
  }
  return true;
}
