import { networkOfAddress, siteOfAddress } from './network.ts';

/**
 * The network of a request, or the IPv6 /48 around it, where that has spent its minute for `purpose`; null where neither
 * has. The /48 is counted in LIMIT_SITES, whose limit is higher: one customer of a provider may hold all the networks in it.
 * The limits protect capacity: a limiter that fails lets requests through.
 */
export async function overLimit(
  { LIMIT_SITES }: Pick<Env, 'LIMIT_SITES'>,
  limiter: RateLimit,
  purpose: string,
  request: Request,
): Promise<string | null> {
  const { network, site } = networksOf(request);
  if (network !== '' && (await isSpent(limiter, `${purpose}:${network}`))) return network;
  return site !== '' && (await isSpent(LIMIT_SITES, `${purpose}:${site}`)) ? site : null;
}

/** `CF-Connecting-IP` is the only header read: the platform overwrites it, whatever a client sends. */
export function networksOf(request: Request): { network: string; site: string } {
  const address = request.headers.get('CF-Connecting-IP') ?? '';
  return { network: networkOfAddress(address), site: siteOfAddress(address) };
}

async function isSpent(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success;
  } catch {
    return false;
  }
}
