import { networksOf } from '#worker/redirect/network-limit.ts';

/**
 * The network that rate limits and visitor ids use: the IPv4 address, or the /64 of an IPv6
 * address. '' without an address.
 */
export const networkOf = (request: Request): string => networksOf(request).network;

/** The /48 of an IPv6 address; '' for IPv4. */
export const siteOf = (request: Request): string => networksOf(request).site;
