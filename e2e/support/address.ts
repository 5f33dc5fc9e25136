import { randomInt } from 'node:crypto';

const part = (): string => randomInt(65_536).toString(16);

/** An address from the range for documentation, so that one test's rate limit is not another's. */
export const newAddress = (): string => `2001:db8:${part()}:${part()}::1`;
