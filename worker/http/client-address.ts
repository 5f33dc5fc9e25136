import { networksOf } from '#worker/redirect/network-limit.ts';

/**
 * Returns the network that rate limits and visitor ids use: the IPv4 address, or the /64 of an IPv6
 * address. Returns '' if the request has no address.
 */
export const networkOf = (request: Request): string => networksOf(request).network;

/** Returns the /48 of an IPv6 address; '' for IPv4. */
export const siteOf = (request: Request): string => networksOf(request).site;
