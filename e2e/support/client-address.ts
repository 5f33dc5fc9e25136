import { randomInt } from 'node:crypto';

const part = (): string => randomInt(65_536).toString(16);

/**
 * Returns a random IPv6 address of the documentation range. Tests with different addresses do not
 * share a rate limit.
 */
export const newClientAddress = (): string => `2001:db8:${part()}:${part()}::1`;
