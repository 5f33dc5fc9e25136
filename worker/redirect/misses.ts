import { networksOf, overLimit } from './network-limit.ts';

/** A network over its limit gets no more lookups in D1 from this isolate for so long. */
const LIMITED_MS = 10_000;
const MOST_NETWORKS = 1_000;

/** Networks and IPv6 /48s that have asked for too many unknown codes, and until when they wait. Bounded; the oldest goes first. */
const limited = new Map<string, number>();

/**
 * True where this request's network is over its limit, as far as this isolate knows. Asked before a lookup in D1 and
 * nowhere else: a page with 60 broken images must not keep a network from links that KV holds.
 */
export function isLimited(request: Request, now: number): boolean {
  if (limited.size === 0) return false;
  const { network, site } = networksOf(request);
  return Math.max(limited.get(network) ?? 0, limited.get(site) ?? 0) > now;
}

/**
 * Counts an unknown code against the network that asked for it, and against its IPv6 /48 (threats 14 and 27: guessing
 * codes). True where that was one too many, and for a network that is waiting already. Only misses count: links that exist
 * never do.
 */
export async function countMiss(request: Request, env: Pick<Env, 'LIMIT_MISSES' | 'LIMIT_SITES'>, now: number): Promise<boolean> {
  if (isLimited(request, now)) return true;
  const network = await overLimit(env, env.LIMIT_MISSES, 'miss', request);
  if (network === null) return false;
  limited.delete(network);
  limited.set(network, now + LIMITED_MS);
  if (limited.size > MOST_NETWORKS) {
    const oldest = limited.keys().next();
    if (oldest.done !== true) limited.delete(oldest.value);
  }
  return true;
}
