import { networkOfAddress } from '#worker/redirect/network.ts';

/**
 * The network a request comes from, as limits and visitor keys see it: the IPv4 address, or the /64 of an IPv6 one.
 * `CF-Connecting-IP` is the only header read: the platform overwrites it, whatever a client sends. '' where it is absent.
 */
export function networkOf(request: Request): string {
  return networkOfAddress(request.headers.get('CF-Connecting-IP') ?? '');
}
