import { networkOfAddress, siteOfAddress } from './network.ts';

/**
 * The network of a request, or the IPv6 /48 around it, if it has exceeded its limit for `purpose`
 * in this minute; otherwise null. The /48 has a higher limit (LIMIT_SITES), because one customer
 * may hold every network in it. The limits protect capacity, not correctness, so a rate limiter
 * that fails lets requests through.
 */
export async function findExceededNetwork(
  { LIMIT_SITES }: Pick<Env, 'LIMIT_SITES'>,
  limiter: RateLimit,
  purpose: string,
  request: Request,
): Promise<string | null> {
  const { network, site } = networksOf(request);
  if (network !== '' && (await isExceeded(limiter, `${purpose}:${network}`))) return network;
  return site !== '' && (await isExceeded(LIMIT_SITES, `${purpose}:${site}`)) ? site : null;
}

/**
 * The network and the IPv6 /48 of a request; '' if there is none. Reads `CF-Connecting-IP` only,
 * because the platform overwrites it whatever a client sends.
 */
export function networksOf(request: Request): { network: string; site: string } {
  const address = request.headers.get('CF-Connecting-IP') ?? '';
  return { network: networkOfAddress(address), site: siteOfAddress(address) };
}

async function isExceeded(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success;
  } catch {
    return false;
  }
}
