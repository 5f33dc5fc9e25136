import { networkOfAddress } from './network.ts';

/** A network over its limit gets no more storage reads from this isolate for so long. */
const LIMITED_MS = 10_000;
const MOST_NETWORKS = 1_000;

/** Networks that have asked for too many unknown codes, and until when they wait. Bounded; the oldest goes first. */
const limited = new Map<string, number>();

const networkOf = (request: Request): string => networkOfAddress(request.headers.get('CF-Connecting-IP') ?? '');

/** True where this request's network is over its limit, as far as this isolate knows. */
export function isLimited(request: Request, now: number): boolean {
  if (limited.size === 0) return false;
  const until = limited.get(networkOf(request));
  return until !== undefined && until > now;
}

/**
 * Counts an unknown code against the network that asked for it (threats 14 and 27: guessing codes). True where that
 * was one too many. Only misses count: links that exist never do. The limit is a shield and fails open.
 */
export async function countMiss(request: Request, env: Pick<Env, 'LIMIT_MISSES'>, now: number): Promise<boolean> {
  const network = networkOf(request);
  if (network === '') return false;
  try {
    const { success } = await env.LIMIT_MISSES.limit({ key: network });
    if (success) return false;
  } catch {
    return false;
  }
  limited.delete(network);
  limited.set(network, now + LIMITED_MS);
  if (limited.size > MOST_NETWORKS) {
    const oldest = limited.keys().next();
    if (oldest.done !== true) limited.delete(oldest.value);
  }
  return true;
}
