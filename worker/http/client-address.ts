import { networkOfAddress, siteOfAddress } from '#worker/redirect/network.ts';

/**
 * The network a request comes from, as limits and visitor keys see it: the IPv4 address, or the /64 of an IPv6 one.
 * `CF-Connecting-IP` is the only header read: the platform overwrites it, whatever a client sends. '' where it is absent.
 */
export const networkOf = (request: Request): string => networkOfAddress(addressOf(request));

/** The /48 that an IPv6 request comes from; '' for IPv4. */
export const siteOf = (request: Request): string => siteOfAddress(addressOf(request));

const addressOf = (request: Request): string => request.headers.get('CF-Connecting-IP') ?? '';
